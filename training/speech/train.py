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
from network import LOOKAHEADS, Network, network_of

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
    ("real-en*", 2.2), ("real-zh*", 1.8), ("stamps*", 1.2), ("*-fish", 0.8), ("real*", 0.5), ("espeak*", 0.55), ("*", 0.8),
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


# In pauses (frames this far below the mean, ln power) the mean all but holds still
PAUSE_BELOW, PAUSE_RATE = -2.2, 1.0 / 2000


def subtract_mean(x, start, age):
    """Causal running mean taken from x [batch, frames, 40]; start [batch, 40]; age [batch] frames heard before.
    NumPy: three hundred small steps cost PyTorch more than the network does."""
    mean, out = start.copy(), np.empty_like(x)
    for n in range(x.shape[1]):
        frame = x[:, n]
        off = frame - mean
        rate = np.maximum(1.0 / (age + (n + PRIOR_FRAMES + 1)), 1.0 / (MEAN_SECONDS * 100))
        rate[off.mean(1) < PAUSE_BELOW] = PAUSE_RATE
        mean += off * rate[:, None]
        np.subtract(frame, mean, out=out[:, n])
    return out


class Batches:
    def __init__(self, data, seed, start_mean, rows=BATCH):
        self.rng = np.random.default_rng(seed)
        self.use(data)
        self.frames, self.rows = WARM + SPAN, rows
        self.start_mean = start_mean

    def use(self, data):
        self.data = list(data.values())
        self.throat = [throat_of(n) for n in data]
        w = np.array([weight_of(n, len(d[0])) for n, d in data.items()])
        self.share = w / w.sum()

    def __call__(self):
        rng = self.rng
        need = int(self.frames * 1.25) + 4
        xs, ys, throat = [], [], []
        for k in rng.choice(len(self.data), self.rows, p=self.share):
            mel, label = self.data[k]
            at = rng.integers(0, len(mel) - need)
            x, y = augment.speed(mel[at:at + need].astype(np.float32), label[at:at + need], rng, self.frames)
            throat.append(rng.uniform(*self.throat[k]))
            xs.append(x)
            ys.append(y)
        x = torch.tensor(np.stack(xs))
        y = torch.tensor(np.stack(ys).astype(np.int64))
        x = augment.augment(x, rng, x.roll(7, 0).flip(0), torch.tensor(throat, dtype=torch.float32))
        # the mean may have been running over speech like this one, over this one's noise floor, or just begun
        speech = x.mean(1) + torch.tensor(rng.normal(0, 0.5, (self.rows, 1)), dtype=torch.float32)
        floor = x[:, ::5].topk(3, 1, largest=False).values[:, 2]
        mix = torch.tensor(rng.choice([0.0, 0.3, 0.7, 1.0], (self.rows, 1), p=[0.7, 0.15, 0.1, 0.05]), dtype=torch.float32)
        fresh = torch.tensor(rng.random(self.rows) < 0.3)
        start = torch.where(fresh[:, None], self.start_mean[None], speech * (1 - mix) + floor * mix)
        age = np.where(fresh.numpy(), np.float32(0), np.float32(1e4))
        augment.gate(x, y, rng)
        return torch.from_numpy(subtract_mean(x.numpy(), start.numpy(), age)).transpose(1, 2), y


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
    saved = [torch.load(path) for path in paths.split(",")]
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
    counts = sum(np.bincount(d[1][d[1] < 15], minlength=15) * w for d, w in
                 zip(data.values(), [weight_of(n, len(d[0])) / len(d[0]) for n, d in data.items()]))
    weight = torch.tensor((counts / counts.mean()) ** -0.25, dtype=torch.float32)
    # m against n, and lips on teeth: what a viewer sees first
    weight[[visemes.INDEX[v] for v in ("PP", "FF", "nn")]] *= 1.25
    loss_of = torch.nn.CrossEntropyLoss(weight=weight, ignore_index=255)
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
