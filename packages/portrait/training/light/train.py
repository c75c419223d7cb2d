"""Trains the light network on synthetic photos, from its present weights or from a checkpoint.

usage: python3 train.py FACES.npz PLACES CHECKPOINT.pt [--steps 3000] [--weights IN.ts] [--write OUT.ts]

Goes on from CHECKPOINT.pt where it exists. The schedule is by steps, so a run may be stopped and started again at any time.
"""
import argparse
import os

import numpy as np
import torch

from network import LightNetwork, read_weights, write_weights
from synth import Synth

LIGHTNESS = torch.tensor([0.293, 0.657, 0.05]).view(1, 3, 1, 1)
# Lab of fair skin by ln of its linear colours.
LAB = torch.tensor([[27 * 0.293, 27 * 0.657, 27 * 0.05], [117 * 0.264, -117 * 0.335, 117 * 0.07], [47 * 0.26, 47 * 0.518, -47 * 0.778]])


def loss_of(gain, logs, truth, weight):
    """Lab distance but for one common gain, a tenth of that gain, and roughness."""
    off = logs + gain - truth
    weight = weight / weight.sum((2, 3), keepdim=True).clamp(min=1)
    level = ((off * weight).sum((2, 3), keepdim=True) * LIGHTNESS).sum(1, keepdim=True)
    far = torch.einsum("ij,bjyx->biyx", LAB, off - level).square().sum(1, keepdim=True)
    error = ((far + 0.25).sqrt() * weight).sum((2, 3)).mean()
    rough = (gain[..., 1:] - gain[..., :-1]).abs().mean() + (gain[..., 1:, :] - gain[..., :-1, :]).abs().mean()
    return error + 2.7 * level.abs().mean() + 0.3 * rough, error


def validate(network, photos):
    with torch.no_grad():
        pairs = [(loss_of(network(x), a, b, w)[1], loss_of(torch.zeros_like(a), a, b, w)[1]) for x, a, b, w in photos]
    return (sum(p[0] for p in pairs) / sum(p[1] for p in pairs)).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("faces")
    parser.add_argument("places")
    parser.add_argument("checkpoint")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--weights")
    parser.add_argument("--write")
    options = parser.parse_args()
    torch.set_num_threads(1)
    network = read_weights(options.weights).train() if options.weights else LightNetwork()
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-3)
    step = 0
    if os.path.exists(options.checkpoint):
        state = torch.load(options.checkpoint)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        mean, step = state["mean"], state["step"]
    kept = Synth(options.faces, options.places, 1, "validation")
    photos = [kept.batch() for _ in range(12)]
    averaged = LightNetwork()
    averaged.load_state_dict(mean)
    print(f"step {step}: left {validate(averaged.eval(), photos):.3f} of the light of faces kept aside", flush=True)
    synth = Synth(options.faces, options.places, 2 + step, "training")
    while step < options.steps:
        share = step / options.steps
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, step / 40 + 0.05) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-5
        fields, logs, truth, weight = synth.batch()
        loss, _ = loss_of(network(fields), logs, truth, weight)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 20)
        optimizer.step()
        step += 1
        keep = min(0.995, step / (step + 20))
        with torch.no_grad():
            for name, value in network.state_dict().items():
                mean[name].mul_(keep).add_(value, alpha=1 - keep)
        if step % 100 == 0 or step == options.steps:
            torch.save(dict(network=network.state_dict(), optimizer=optimizer.state_dict(), mean=mean, step=step), options.checkpoint)
            averaged.load_state_dict(mean)
            print(f"step {step}: left {validate(averaged.eval(), photos):.3f} of the light of faces kept aside", flush=True)
    if options.write:
        averaged.load_state_dict(mean)
        write_weights(averaged, options.write)


if __name__ == "__main__":
    main()
