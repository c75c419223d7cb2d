"""From which posterior lips touch, by the second hearing or live at 40 ms: hits and made-up contacts of voices that it
has not heard.

python3 thresholds.py <checkpoint> <corpora folder> <corpus> …

The rules are the engine's: posteriors smoothed 1 2 1, of the second hearing the surer of it and its trunk, a contact where two
frames together reach the threshold, until one falls below .6 of it, live 40 ms at least (mouth.ts), the second hearing 20; hit where
its middle lies within 60 ms of a real one, one to one (test/bench/speech_figures.ts). F1 is over all corpora together.
"""

import os
import sys

import numpy as np
import torch

import hearing
import network
import train
import visemes

TOLERANCE, RELEASE = 6, 0.6  # frames; share
LEAST_LIVE, LEAST_SECOND = 4, 2  # frames


def smoothed(column):
    padded = np.concatenate([column[:1], column, column[-1:]])
    return (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4


def stretches(on):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(np.int8), [0]])))
    return edges.reshape(-1, 2)


def contacts(sure, threshold, least):
    on, held, last, now = np.zeros(len(sure), bool), 0, 0.0, False
    for i, p in enumerate(sure):
        if now:
            held += 1
            now = not (held >= least and p < threshold * RELEASE)
        elif min(p, last) >= threshold:
            now, held = True, 0
        last = p
        on[i] = now
    return stretches(on)


def hits(made, real):
    pairs = sorted((max(start - (a + b) / 2, (a + b) / 2 - end), i, j) for i, (start, end) in enumerate(real)
                   for j, (a, b) in enumerate(made) if start - 90 < b and a < end + 90)
    of_real, of_made = set(), set()
    for off, i, j in pairs:
        if off <= TOLERANCE and i not in of_real and j not in of_made:
            of_real.add(i), of_made.add(j)
    return len(of_real)


LIVE = 2  # of the heads: 40 ms


def live_posteriors(net, mel, start):
    ahead = network.LOOKAHEADS[LIVE]
    x = train.stream(np.concatenate([mel, mel[-1:].repeat(ahead, 0)]), start)
    net.eval()
    with torch.no_grad():
        return torch.softmax(net(torch.tensor(x).T[None])[LIVE][0], 0).T.numpy()[ahead:]


def main():
    saved = network.checkpoint(sys.argv[1])
    is_second = "down.bias" in saved["net"]
    net, start = (hearing if is_second else network).network_of(saved), saved["start_mean"]
    posteriors = hearing.posteriors if is_second else live_posteriors
    heard = []
    for name in sys.argv[3:]:
        if not os.path.exists(f"{sys.argv[2]}/{name}.npz"):
            print(f"{name}: nothing of it fits its words")
            continue
        z = np.load(f"{sys.argv[2]}/{name}.npz")
        mel, label = z["mel"][:60000].astype(np.float32), z["label"][:60000]
        p = posteriors(net, mel, start)
        sure = hearing.sureness(net, mel, start) if is_second else np.apply_along_axis(smoothed, 0, p)
        ok = label != 255
        right = p.argmax(1) == label
        print(f"{name}: accuracy {right[ok].mean():.3f} ({right[ok & (label != 0)].mean():.3f})")
        heard.append((name, sure, label))
    for viseme in ("PP", "FF"):
        v = visemes.INDEX[viseme]
        for threshold in np.arange(0.15, 0.9, 0.05):
            total, rows = np.zeros(3), []
            for name, sure, label in heard:
                real = stretches(label == v)
                made = contacts(sure[:, v], threshold, LEAST_SECOND if is_second else LEAST_LIVE)
                hit = hits(made, real)
                total += (hit, len(made), len(real))
                rows.append(f"{name} {hit / max(1, len(real)):.2f} ({(len(made) - hit) / (len(label) / 6000):.1f})")
            f1 = 2 * total[0] / (total[1] + total[2])
            print(f"{viseme} from {threshold:.2f}: F1 {f1:.3f}  hit (false a minute) " + ", ".join(rows))


if __name__ == "__main__":
    main()
