"""The second hearing: the viseme network for sound that is there as a whole, and its training.

python3 hearing.py <corpora folder> <checkpoint out> --resume <checkpoint of the live network, or of this one>
                   (--steps 8000 | --minutes 75) [--hold …] [--rate 1.5e-3] [--bfloat16] [--seed 71] [--trunk checkpoint]

The live network is its trunk, as it is, heard 60 ms later than it speaks. On that lies a network that sees both sides:
blocks of symmetric convolutions over frames of 20 ms, and one over 10 ms that puts both together. What they add begins at
zero, so training begins where the live network ended. Twin of main/engine/speech/second_hearing_stream.ts.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import features
import train
import visemes
from network import LOOKAHEADS, Network

WIDTH, DILATIONS = 192, (1, 2, 4, 8, 16, 1, 2, 4)  # of frames of 20 ms
AHEAD = LOOKAHEADS[-1]  # frames by which the trunk is heard later
# Silence that is heard before and after a recording, frames
SILENT_EDGE = 100
SILENT_MEL = float(np.log(features.FLOOR))
# Frames of a training row that are heard only as what comes before and after
EDGE, SPAN, BATCH = 50, 400, 12
SEED = 71
# Frames' posteriors are smoothed with those around them
SMOOTHING = np.array([1, 2, 3, 2, 1]) / 9


class SecondHearing(nn.Module):
    """in [batch, 40, frames], an even number → [batch, 15, frames]"""

    def __init__(self, trunk_width=160, width=WIDTH, dilations=DILATIONS, count=15, dropout=0.1):
        super().__init__()
        self.trunk = Network(width=trunk_width)
        self.down = nn.Conv1d(trunk_width, width, 2, stride=2)
        self.down_norm = nn.BatchNorm1d(width)
        self.blocks = nn.ModuleList(nn.Conv1d(width, width, 3, dilation=d, padding=d) for d in dilations)
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in dilations)
        self.up = nn.Conv1d(width, 2 * trunk_width, 1)
        self.join = nn.Conv1d(trunk_width, trunk_width, 3, padding=1)
        self.join_norm = nn.BatchNorm1d(trunk_width)
        self.last = nn.Conv1d(trunk_width, count, 1)
        self.drop = nn.Dropout1d(dropout)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            h = self.trunk.hear(nn.functional.pad(x, (0, AHEAD)))[:, :, AHEAD:]
        z = torch.relu(self.down_norm(self.down(h)))
        for conv, norm in zip(self.blocks, self.norms):
            z = z + self.drop(torch.relu(norm(conv(z))))
        joined = torch.relu(self.join_norm(self.join(h + self.at_10_ms(z))))
        return self.trunk.heads[-1](h) + self.last(self.drop(joined))


    def at_10_ms(self, z):
        """Of blocks of 20 ms: the first half of up's rows are the even frames, the second the odd ones."""
        b, _, half = z.shape
        return self.up(z).reshape(b, 2, -1, half).permute(0, 2, 3, 1).reshape(b, -1, 2 * half)


def network_of(saved):
    net = SecondHearing(trunk_width=len(saved["net"]["trunk.first.bias"]), width=len(saved["net"]["down.bias"]))
    net.load_state_dict(saved["net"])
    return net


def begun(saved):
    """The network that goes on from a checkpoint of the live one."""
    net = SecondHearing(trunk_width=len(saved["net"]["first.bias"]))
    net.trunk.load_state_dict(saved["net"])
    return net


def posteriors(net, mel, start_mean):
    """mel [n, 40] of a whole recording → smoothed posteriors [n, 15]"""
    x = train.stream(mel, start_mean)
    edge = np.tile(SILENT_MEL - start_mean, (SILENT_EDGE, 1))
    end = np.tile(SILENT_MEL - (mel[-1] - x[-1]), (SILENT_EDGE + len(mel) % 2, 1))
    heard = torch.tensor(np.concatenate([edge, x, end]).astype(np.float32))
    net.eval()
    with torch.no_grad():
        sharp = torch.softmax(net(heard.T[None])[0], 0).T.numpy()
    net.train()
    first = SILENT_EDGE - len(SMOOTHING) // 2
    return sum(share * sharp[first + k:first + k + len(mel)] for k, share in enumerate(SMOOTHING))


class Batches(train.Batches):
    """Rows of EDGE + SPAN + EDGE frames, the mean taken from them as live does."""

    def __init__(self, data, seed, start_mean, rows=BATCH):
        super().__init__(data, seed, start_mean, rows)
        self.frames = EDGE + SPAN + EDGE

    def __call__(self):
        x, y = super().__call__()
        self.mask(x.transpose(1, 2))
        return x, y

    def mask(self, x):
        """A few frames or bands are lost (SpecAugment, arXiv 1904.08779): their surroundings must do."""
        rng = self.rng
        for row in range(len(x)):
            if rng.random() < 0.4:
                for _ in range(2):
                    at, length = rng.integers(0, self.frames - 10), rng.integers(2, 9)
                    x[row, at:at + length] = 0
            if rng.random() < 0.4:
                at, width = rng.integers(0, 38), rng.integers(1, 6)
                x[row, :, at:at + width] = 0


def score(net, data, start_mean, limit=18000):
    """accuracy (speech frames) / macro-F1, and p/b/m and f/v frames' F1, of each held-out corpus and in the mean"""
    if not data:
        return "none"
    lines, means = [], []
    for name, (mel, label) in data.items():
        out = posteriors(net, mel[:limit].astype(np.float32), start_mean)
        guess, truth = out.argmax(1), label[:limit][:len(out)]
        ok = truth != 255
        f1 = {}
        for v in range(15):
            both = ((guess == v) & (truth == v) & ok).sum()
            n = ((guess == v) & ok).sum() + ((truth == v) & ok).sum()
            if ((truth == v) & ok).sum() > 20:
                f1[v] = 2 * both / max(1, n)
        right = guess == truth
        row = (right[ok].mean(), right[ok & (truth != 0)].mean(), np.mean(list(f1.values())), f1.get(1, np.nan),
               f1.get(2, np.nan))
        means.append(row)
        lines.append(f"{name} {row[0]:.3f} ({row[1]:.3f}) {row[2]:.3f} PP {row[3]:.2f} FF {row[4]:.2f}")
    mean = np.nanmean(means, 0)
    return f"mean {mean[0]:.4f} ({mean[1]:.4f}) {mean[2]:.4f} PP {mean[3]:.3f} FF {mean[4]:.3f}; " + "; ".join(lines)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("corpora")
    p.add_argument("out")
    p.add_argument("--resume", required=True)
    p.add_argument("--steps", type=int, default=0)
    p.add_argument("--minutes", type=float, default=75)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--hold", default="")
    p.add_argument("--rate", type=float, default=1.5e-3)
    p.add_argument("--watch", action="store_true", help="take in corpora that appear while training")
    p.add_argument("--bfloat16", action="store_true",
                   help="twice as fast where the processor has AVX-512, some twenty times slower where it has not")
    p.add_argument("--trunk", help="the live network's checkpoint, taken anew while that is trained at the same time")
    p.add_argument("--rows", type=int, default=BATCH, help="of a step; fewer where time is short")
    p.add_argument("--seed", type=int, default=SEED)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    hold = a.hold.split(",")
    loaded = train.load(a.corpora)
    held = {n: loaded.pop(n) for n in hold if n in loaded}
    data = loaded
    print({n: round(len(d[0]) / 6000, 1) for n, d in data.items()}, "minutes; held out", list(held), flush=True)
    saved = torch.load(a.resume)
    net = network_of(saved) if "down.bias" in saved["net"] else begun(saved)
    start_mean = torch.tensor(saved["start_mean"])
    print(sum(q.numel() for q in net.parameters()), "parameters", flush=True)
    counts = sum(np.bincount(d[1][d[1] < 15], minlength=15) * w for d, w in
                 zip(data.values(), [train.weight_of(n, len(d[0])) / len(d[0]) for n, d in data.items()]))
    weight = torch.tensor((counts / counts.mean()) ** -0.25, dtype=torch.float32)
    weight[[visemes.INDEX[v] for v in ("PP", "FF")]] *= 1.4
    weight[visemes.INDEX["nn"]] *= 1.25
    loss_of = nn.CrossEntropyLoss(weight=weight, ignore_index=255)
    net.trunk.requires_grad_(False)
    optimiser = torch.optim.AdamW([q for q in net.parameters() if q.requires_grad], lr=a.rate, weight_decay=1e-2)
    batches = Batches(data, a.seed, start_mean, a.rows)
    print("held out:", score(net, held, start_mean.numpy()), flush=True)
    began, step, running = time.time(), 0, 0.0

    def save():
        torch.save({"net": net.state_dict(), "start_mean": start_mean.numpy(), "step": step}, a.out)

    while True:
        done = step / a.steps if a.steps else (time.time() - began) / (a.minutes * 60)
        if done >= 1:
            break
        rate = a.rate * max(0.005, min(1.0, (step + 1) / 300) * (0.5 + 0.5 * np.cos(np.pi * done)))
        for g in optimiser.param_groups:
            g["lr"] = rate
        if a.trunk and step % 50 == 0:
            net.trunk.load_state_dict(torch.load(a.trunk)["net"])
        x, y = batches()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=a.bfloat16):
            out = net(x)
        loss = loss_of(out[:, :, EDGE:EDGE + SPAN].float(), y[:, EDGE:EDGE + SPAN])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        running += loss.item()
        step += 1
        if step % 200 == 0:
            print(f"{step} {time.time() - began:.0f}s loss {running / 200:.4f} lr {rate:.5f}", flush=True)
            running = 0.0
        if step % 1000 == 0:
            save()
            print("held out:", score(net, held, start_mean.numpy()), flush=True)
            if a.watch:
                fresh = train.load(a.corpora)
                held = {n: fresh.pop(n) for n in hold if n in fresh}
                if len(fresh) > len(data):
                    data = fresh
                    batches.use(data)
                    print("now", list(data), flush=True)
    save()
    print("held out:", score(net, held, start_mean.numpy()), flush=True)


if __name__ == "__main__":
    main()
