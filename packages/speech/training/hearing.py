"""The second hearing: the viseme network for sound that is there as a whole, and its training.

python3 hearing.py <corpora folder> <checkpoint out> --resume <checkpoint of the live network, or of this one>
                   (--steps 8000 | --minutes 75) [--hold …] [--rate 1.5e-3] [--bfloat16] [--seed 71] [--trunk checkpoint]

Its trunk is a causal network like live's, heard some frames later than it speaks: live's own, as it is, at 60 ms, or (together.py)
one that learns along. On that lies a network that sees both sides: blocks of symmetric convolutions over frames of 20 ms, and one
over 10 ms that puts both together. What they add begins at zero, so training begins where the live network ended. Twin of
packages/speech/src/full_pass_stream.ts.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import augment
import features
import train
from network import LOOKAHEADS, Network, checkpoint, size_of

WIDTH, DILATIONS = 192, (1, 2, 4, 8, 16, 1, 2, 4)  # of frames of 20 ms
AHEAD = LOOKAHEADS[-1]  # frames by which the trunk is heard later
# Silence that is heard before and after a recording, frames
SILENT_EDGE = 100
SILENT_MEL = float(np.log(features.FLOOR))
# Frames of a training row that are heard only as what comes before and after
EDGE, SPAN, BATCH = 56, 400, 12
SEED = 71
# Frames' posteriors are smoothed with those around them
SMOOTHING = np.array([1, 2, 3, 2, 1]) / 9
CONTACT_SMOOTHING = np.array([1, 2, 1]) / 4


class SecondHearing(nn.Module):
    """in [batch, 40, frames], an even number → [batch, 15, frames]

    :param trunk: width and dilations
    :param ahead: frames by which the trunk is heard later
    :param learns: the trunk does, too
    """

    def __init__(self, trunk, ahead=AHEAD, width=WIDTH, dilations=DILATIONS, count=15, dropout=0.1, learns=False):
        super().__init__()
        self.ahead, self.learns = ahead, learns
        self.trunk = Network(**trunk, dropout=dropout)
        trunk_width = trunk["width"]
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
        self.trunk.train(mode and self.learns)
        return self

    def both(self, x):
        """What the trunk says alone, and both together."""
        with torch.set_grad_enabled(self.learns and torch.is_grad_enabled()):
            h = self.trunk.hear(nn.functional.pad(x, (0, self.ahead)))[:, :, self.ahead:]
        z = torch.relu(self.down_norm(self.down(h)))
        for conv, norm in zip(self.blocks, self.norms):
            z = z + self.drop(torch.relu(norm(conv(z))))
        joined = torch.relu(self.join_norm(self.join(h + self.at_10_ms(z))))
        alone = self.trunk.heads[-1](h)
        return alone, alone + self.last(self.drop(joined))

    def forward(self, x):
        return self.both(x)[1]

    def at_10_ms(self, z):
        """Of blocks of 20 ms: the first half of up's rows are the even frames, the second the odd ones."""
        b, _, half = z.shape
        return self.up(z).reshape(b, 2, -1, half).permute(0, 2, 3, 1).reshape(b, -1, 2 * half)


def network_of(saved):
    state = saved["net"]
    net = SecondHearing(size_of(state, "trunk."), saved.get("ahead", AHEAD), len(state["down.bias"]))
    net.load_state_dict(state)
    return net


def begun(saved):
    """The network that goes on from a checkpoint of the live one."""
    net = SecondHearing(size_of(saved["net"]))
    net.trunk.load_state_dict(saved["net"])
    return net


def posteriors(net, mel, start_mean, x=None):
    """mel [n, 40] of a whole recording, and x, it less its running mean, where that is known → smoothed posteriors [n, 15]"""
    return smooth(said_by(net, mel, start_mean, x)[1], SMOOTHING, len(mel))


def sureness(net, mel, start_mean):
    """The same of contacts: the surer of both networks, smoothed less."""
    return smooth(np.maximum(*said_by(net, mel, start_mean)), CONTACT_SMOOTHING, len(mel))


def said_by(net, mel, start_mean, x=None):
    """Posteriors of the trunk alone and of both together, with what is heard of the silence around the recording"""
    x = train.stream(mel, start_mean) if x is None else x
    edge = np.tile(SILENT_MEL - start_mean, (SILENT_EDGE, 1))
    end = np.tile(SILENT_MEL - (mel[-1] - x[-1]), (SILENT_EDGE + len(mel) % 2, 1))
    heard = torch.tensor(np.concatenate([edge, x, end]).astype(np.float32), device=net.last.weight.device)
    net.eval()
    with torch.no_grad():
        said = [torch.softmax(logits[0], 0).T.cpu().numpy() for logits in net.both(heard.T[None])]
    net.train()
    return said


def smooth(sharp, kernel, count):
    first = SILENT_EDGE - len(kernel) // 2
    return sum(share * sharp[first + k:first + k + count] for k, share in enumerate(kernel))


class Batches(train.Batches):
    """Rows of EDGE + SPAN + EDGE frames, the mean taken from them as live does; some frames and bands are lost."""

    def __init__(self, data, seed, start_mean, rows=BATCH, device="cpu", at_once=8):
        super().__init__(data, seed, start_mean, rows, EDGE + SPAN + EDGE, device, at_once)

    def __call__(self):
        x, y = super().__call__()
        return augment.lose(x, self.chance), y


def score(net, data, start_mean, limit=18000):
    return told({name: (posteriors(net, mel[:limit].astype(np.float32), start_mean), label[:limit])
                 for name, (mel, label) in data.items()})


def told(heard):
    """accuracy (speech frames) / macro-F1, and p/b/m and f/v frames' F1, of each held-out corpus and in the mean

    :param heard: by name, posteriors and labels
    """
    if not heard:
        return "none"
    lines, means = [], []
    for name, (out, label) in heard.items():
        guess, truth = out.argmax(1), label[:len(out)]
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
    saved = checkpoint(a.resume)
    net = network_of(saved) if "down.bias" in saved["net"] else begun(saved)
    start_mean = torch.tensor(saved["start_mean"])
    print(sum(q.numel() for q in net.parameters()), "parameters", flush=True)
    loss_of = nn.CrossEntropyLoss(weight=train.class_weights(data, PP=1.4, FF=1.4, nn=1.25), ignore_index=255)
    net.trunk.requires_grad_(False)
    optimiser = torch.optim.AdamW([q for q in net.parameters() if q.requires_grad], lr=a.rate, weight_decay=1e-2)
    batches = Batches(data, a.seed, start_mean, a.rows)
    print("held out:", score(net, held, start_mean.numpy()), flush=True)
    began, step, running = time.time(), 0, 0.0

    def save():
        torch.save({"net": net.state_dict(), "ahead": net.ahead, "start_mean": start_mean.numpy(), "step": step}, a.out)

    while True:
        done = step / a.steps if a.steps else (time.time() - began) / (a.minutes * 60)
        if done >= 1:
            break
        rate = a.rate * max(0.005, min(1.0, (step + 1) / 300) * (0.5 + 0.5 * np.cos(np.pi * done)))
        for g in optimiser.param_groups:
            g["lr"] = rate
        if a.trunk and step % 50 == 0:
            net.trunk.load_state_dict(checkpoint(a.trunk)["net"])
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
