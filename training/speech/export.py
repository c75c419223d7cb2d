"""Checkpoint → main/engine/speech/weights.bin (int8 rows with a float scale each, batch norm folded).

python3 export.py <checkpoint> <weights.bin> [--closure 0.45] [--lip-teeth 0.25]
"""

import argparse
import json
import struct

import numpy as np
import torch

from network import LOOKAHEADS, network_of


def folded(conv, norm):
    w, b = conv.weight.detach().numpy(), conv.bias.detach().numpy()
    if norm is not None:
        k = norm.weight.detach().numpy() / np.sqrt(norm.running_var.numpy() + norm.eps)
        b = (b - norm.running_mean.numpy()) * k + norm.bias.detach().numpy()
        w = w * k[:, None, None]
    return w.transpose(0, 2, 1).reshape(len(w), -1), b  # [outputs][taps, inputs], oldest tap first


def packed(w, b):
    scale = np.maximum(np.abs(w).max(1), 1e-9) / 127
    return (scale.astype("<f4").tobytes() + b.astype("<f4").tobytes()
            + np.clip(np.round(w / scale[:, None]), -127, 127).astype("i1").tobytes())


# The contact thresholds come from flite's kal16 while it was held out: npm run quality:speech -- --development


def main():
    p = argparse.ArgumentParser()
    p.add_argument("checkpoint")
    p.add_argument("out")
    p.add_argument("--closure", type=float, default=0.55)
    p.add_argument("--lip-teeth", type=float, default=0.3)
    a = p.parse_args()
    saved = torch.load(a.checkpoint)
    net = network_of(saved)
    shape = lambda c: {"inputs": c.in_channels, "outputs": c.out_channels, "taps": c.kernel_size[0],
                       "dilation": c.dilation[0]}
    convs = [(net.first, net.first_norm)] + list(zip(net.blocks, net.norms))
    header = json.dumps({
        "convolutions": [shape(c) for c, _ in convs],
        "heads": [shape(c) for c in net.heads],
        "lookaheads": list(LOOKAHEADS),
        "startMean": [round(float(v), 4) for v in saved["start_mean"]],
        "closureThreshold": a.closure,
        "lipTeethThreshold": a.lip_teeth,
        "step": saved["step"],
    }).encode()
    header += b" " * (-len(header) % 4)
    body = b"".join(packed(*folded(c, n)) for c, n in convs) + b"".join(packed(*folded(c, None)) for c in net.heads)
    with open(a.out, "wb") as f:
        f.write(b"LSV1" + struct.pack("<I", len(header)) + header + body)
    print(a.out, 8 + len(header) + len(body), "bytes")


if __name__ == "__main__":
    main()
