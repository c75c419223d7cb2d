"""Trains the viseme network.

python3 train.py <corpora folder> <checkpoint out> --minutes 70 [--threads 1] [--resume checkpoint,…]
                 [--hold flite-kal,…] [--rate 2e-3]
Several checkpoints to resume from, grown from the same one: training goes on from the mean of their weights.
Held-out corpora are scored every 500 steps and never trained on. slt and rms are not in the corpora at all.
"""

import argparse
import fnmatch
import glob
import os
import time

import numpy as np
import torch

import augment
import visemes
from mix import mixed
from network import LOOKAHEADS, Network, checkpoint, network_of

WARM, SPAN, BATCH = 50, 300, 24
MEAN_SECONDS, PRIOR_FRAMES = 3.0, 50.0
# Where the running mean starts, ln power by band: the mean of all corpora at -26 dBFS (set from the data)
SEED = 11


# Frames that a corpus must have, for a row of the second hearing's training; those of a trial may have less
SHORTEST = 700


def load(folder):
    out = {}
    for path in sorted(glob.glob(folder + "/*.npz")):
        z = np.load(path)
        if "label" in z and len(z["label"]) >= SHORTEST:
            out[os.path.basename(path)[:-4]] = (z["mel"], z["label"])
    return out


# Share of batches, by name: recorded voices count most; the first that fits
SHARES = (
    ("rhvoice-clb", 2.0), ("rhvoice-bdl*", 1.4), ("pico*", 1.6), ("ru-nsh", 0.55), ("flite-awb*", 1.2),
    ("festival-ked", 1.0), ("festival-ked-woman", 1.2), ("flite-kal", 1.0),
    ("real-en-queen-others", 3.0), ("real-en-sky", 3.0), ("real-en*", 2.2), ("real-zh*", 1.8), ("stamps*", 1.5), ("*-fish", 0.8), ("real*", 0.5), ("espeak*", 0.55), ("*", 0.8),
)


def weight_of(name, frames):
    return next(w for pattern, w in SHARES if fnmatch.fnmatchcase(name, pattern)) * frames ** 0.75


MEN = ("ru-nsh", "flite-awb", "flite-kal", "festival-ked", "it-pc", "cs-machac", "cs-ph", "fi-mv", "real-it-carlo",
       "rhvoice-bdl", "rhvoice-alan", "rhvoice-natan", "rhvoice-michal")
WOMEN = ("it-lp", "ca-ona", "cs-dita", "fi-lj", "real-en-allison", "real-es-allison", "real-fr-june", "real-ru-maxim",
         "real-zh-chu", "rhvoice-clb", "rhvoice-magda", "rhvoice-alicja", "pico-us", "pico-gb")


def throat_of(name):
    """Range of vocal-tract warps: men's voices mostly towards women's, and the other way round."""
    return (0.8, 1.1) if name in MEN else (0.92, 1.2) if name in WOMEN else \
        (0.9, 1.1) if name.endswith("-woman") else (0.85, 1.17)


def class_weights(data, **more):
    """Of the loss: rare visemes weigh more, and by these factors those that more is asked of."""
    counts = sum(np.bincount(label[label < 15], minlength=15) * weight_of(n, len(label)) / len(label)
                 for n, (_, label) in data.items())
    weight = torch.tensor((counts / counts.mean()) ** -0.25, dtype=torch.float32)
    for viseme, factor in more.items():
        weight[visemes.INDEX[viseme]] *= factor
    return weight


# In pauses (frames this far below the mean, ln power) the mean all but holds still
PAUSE_BELOW, PAUSE_RATE = -2.2, 1.0 / 2000


def subtract_mean(x, start, age):
    """Causal running mean taken from x [batch, frames, 40]; start [batch, 40]; age [batch] frames heard before.
    Hundreds of small steps: many rows at once cost hardly more than few."""
    mean, out = start.clone(), torch.empty_like(x)
    least = 1.0 / (MEAN_SECONDS * 100)
    for n in range(x.shape[1]):
        frame = x[:, n]
        off = frame - mean
        rate = (1.0 / (age + (n + PRIOR_FRAMES + 1))).clamp(min=least)
        rate = torch.where(off.mean(1) < PAUSE_BELOW, PAUSE_RATE, rate)
        mean += off * rate[:, None]
        torch.sub(frame, mean, out=out[:, n])
    return out


class Batches:
    """Rows of speech as a network hears it, made on the device, several batches at once."""

    def __init__(self, data, seed, start_mean, rows=BATCH, frames=WARM + SPAN, device="cpu", at_once=8):
        self.chance = augment.Chance(seed, device)
        self.start_mean = start_mean.to(device)
        self.frames, self.rows, self.at_once, self.made = frames, rows, at_once, []
        self.use(data)

    def use(self, data):
        on = lambda a, kind=None: torch.as_tensor(np.asarray(a), dtype=kind, device=self.chance.device)
        self.mel = torch.cat([on(mel) for mel, _ in data.values()])
        self.label = torch.cat([on(label) for _, label in data.values()])
        frames = [len(label) for _, label in data.values()]
        self.first, self.length = on(np.cumsum([0, *frames[:-1]])), on(frames)
        self.throat = on([throat_of(n) for n in data], torch.float32)
        self.share = on([weight_of(n, len(d[0])) for n, d in data.items()], torch.float32)

    def __call__(self):
        """→ x [rows, 40, frames], y [rows, frames]"""
        if not self.made:
            x, y = self.make(self.rows * self.at_once)
            self.made = list(zip(x.split(self.rows), y.split(self.rows)))
        return self.made.pop()

    def make(self, count):
        chance = self.chance
        u = chance.uniform
        which = chance.pick(self.share, count)
        # at a drawn speed, by which rows have more frames or fewer of the recording
        at = torch.arange(self.frames, device=chance.device) * u(0.8, 1.22, count, 1)
        step = at.floor().long()
        part = (at - step)[:, :, None]
        need = int(self.frames * 1.25) + 4
        begin = self.first[which] + chance.below(torch.zeros_like(which), self.length[which] - need, count)
        i = begin[:, None] + step
        x = self.mel[i].float() * (1 - part) + self.mel[i + 1].float() * part
        y = self.label[begin[:, None] + at.round().long()].long()
        throat = u(self.throat[which, 0], self.throat[which, 1], count)
        x = augment.augment(x, chance, x.roll(7, 0).flip(0), throat)
        # the mean may have been running over speech like this one, over this one's noise floor, or just begun
        speech = x.mean(1) + chance.normal(count, 1) * 0.5
        floor = x[:, ::5].topk(3, 1, largest=False).values[:, 2]
        mix = torch.tensor([0.0, 0.3, 0.7, 1.0], device=chance.device)[
            chance.pick(torch.tensor([0.7, 0.15, 0.1, 0.05], device=chance.device), count)][:, None]
        fresh = chance.share(count) < 0.3
        start = torch.where(fresh[:, None], self.start_mean[None], speech * (1 - mix) + floor * mix)
        augment.gate(x, y, chance)
        return subtract_mean(x, start, torch.where(fresh, 0.0, 1e4)).transpose(1, 2).contiguous(), y


def stream(mel, start_mean):
    """What the engine feeds the network for a whole stream: mel [n, 40] → [n, 40]"""
    out, m = np.empty_like(mel), start_mean.copy()
    for n in range(len(mel)):
        off = mel[n] - m
        early = max(1.0 / (n + PRIOR_FRAMES + 1), 1.0 / (MEAN_SECONDS * 100))
        m += off * (PAUSE_RATE if off.mean() < PAUSE_BELOW else early)
        out[n] = mel[n] - m
    return out


def score(net, data, start_mean, limit=30000):
    """accuracy and macro-F1 by lookahead"""
    net.eval()
    lines = []
    with torch.no_grad():
        for name, (mel, label) in data.items():
            x = torch.tensor(stream(mel[:limit].astype(np.float32), start_mean)).T[None]
            heads = net(x)
            text = []
            for head, k in zip(heads, LOOKAHEADS):
                guess = head[0].argmax(0).numpy()[k:]
                truth = label[:limit][:len(guess)]
                ok = truth != 255
                acc = (guess == truth)[ok].mean()
                f1 = []
                for v in range(15):
                    tp = ((guess == v) & (truth == v) & ok).sum()
                    n = ((guess == v) & ok).sum() + ((truth == v) & ok).sum()
                    if ((truth == v) & ok).sum() > 20:
                        f1.append(2 * tp / max(1, n))
                text.append(f"{acc:.3f}/{np.mean(f1):.3f}")
            lines.append(name + " " + " ".join(text))
    net.train()
    return "; ".join(lines)


def resumed(paths):
    """The checkpoint, or the mean of several."""
    saved = [checkpoint(path) for path in paths.split(",")]
    return mixed(saved, [1 / len(saved)] * len(saved))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("corpora")
    p.add_argument("out")
    p.add_argument("--minutes", type=float, default=70)
    p.add_argument("--steps", type=int, default=0, help="fixed step count instead of minutes (repeatable)")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--resume")
    p.add_argument("--hold", default="flite-kal")
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--watch", action="store_true", help="take in corpora that appear while training")
    p.add_argument("--bfloat16", action="store_true",
                   help="twice as fast where the processor has AVX-512, some twenty times slower where it has not")
    p.add_argument("--rows", type=int, default=BATCH, help="of a step; fewer where time is short")
    p.add_argument("--seed", type=int, default=SEED)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    data = load(a.corpora)
    hold = a.hold.split(",")
    held = {n: data.pop(n) for n in hold if n in data}
    print({n: round(len(d[0]) / 6000, 1) for n, d in data.items()}, "minutes; held out", list(held), flush=True)
    saved = resumed(a.resume) if a.resume else None
    net = network_of(saved) if saved else Network()
    if saved:
        start_mean = torch.tensor(saved["start_mean"])
    else:
        start_mean = torch.tensor(np.mean([d[0].astype(np.float32).mean(0) for d in data.values()], 0))
    print(sum(q.numel() for q in net.parameters()), "parameters", flush=True)
    # m against n, and lips on teeth: what a viewer sees first
    loss_of = torch.nn.CrossEntropyLoss(weight=class_weights(data, PP=1.25, FF=1.25, nn=1.25), ignore_index=255)
    optimiser = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=1e-2)
    batches = Batches(data, a.seed, start_mean, a.rows)
    began, step, running = time.time(), 0, 0.0
    while True:
        done = step / a.steps if a.steps else (time.time() - began) / (a.minutes * 60)
        if done >= 1:
            break
        rate = a.rate * min(1.0, (step + 1) / 300) * (0.5 + 0.5 * np.cos(np.pi * done) * 0.98)
        for g in optimiser.param_groups:
            g["lr"] = max(rate, a.rate * 0.01)
        x, y = batches()
        loss = 0
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=a.bfloat16):
            heads = net(x)
        for head, k in zip(heads, LOOKAHEADS):
            loss = loss + loss_of(head[:, :, WARM:].float(), y[:, WARM - k:WARM + SPAN - k]) / len(LOOKAHEADS)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        running += loss.item()
        step += 1
        if step % 200 == 0:
            print(f"{step} {time.time() - began:.0f}s loss {running / 200:.4f} lr {g['lr']:.5f}", flush=True)
            running = 0.0
        if step % 500 == 0:
            torch.save({"net": net.state_dict(), "start_mean": start_mean.numpy(), "step": step}, a.out)
            print("held out:", score(net, held, start_mean.numpy()), flush=True)
        if a.watch and step % 100 == 0:
            fresh = load(a.corpora)
            held = {n: fresh.pop(n) for n in hold if n in fresh}
            if len(fresh) > len(data):
                data = fresh
                batches.use(data)
                print(step, "now", list(data), flush=True)
    torch.save({"net": net.state_dict(), "start_mean": start_mean.numpy(), "step": step}, a.out)
    print("held out:", score(net, held, start_mean.numpy()), flush=True)


if __name__ == "__main__":
    main()
