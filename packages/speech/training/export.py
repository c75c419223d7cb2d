"""Checkpoint → packages/speech/src/weights.bin or second_hearing.bin (int8 rows with a float scale each, batch norm
folded).

python3 export.py <checkpoint> <file> [--closure 0.45] [--lip-teeth 0.25]
"""

import argparse
import json
import struct

import numpy as np
import torch

import hearing
from network import LOOKAHEADS, checkpoint, network_of


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


def shape(conv):
    return {"inputs": conv.in_channels, "outputs": conv.out_channels, "taps": conv.kernel_size[0],
            "dilation": conv.dilation[0]}


def live(saved):
    """→ the file's first letters, what its header says, and its layers in order"""
    net = network_of(saved)
    convs = [(net.first, net.first_norm), *zip(net.blocks, net.norms)]
    header = {"convolutions": [shape(c) for c, _ in convs], "heads": [shape(c) for c in net.heads],
              "lookaheads": list(LOOKAHEADS)}
    return b"LSV1", header, [*convs, *((head, None) for head in net.heads)]


def layers_of(net):
    """Of the second hearing: each convolution and its norm, in the file's order"""
    trunk = [(net.trunk.first, net.trunk.first_norm), *zip(net.trunk.blocks, net.trunk.norms)]
    return [*trunk, (net.trunk.heads[-1], None), (net.down, net.down_norm), *zip(net.blocks, net.norms),
            (net.up, None), (net.join, net.join_norm), (net.last, None)]


def second(saved):
    net = hearing.network_of(saved)
    header = {"trunk": [shape(c) for c in (net.trunk.first, *net.trunk.blocks)], "head": shape(net.trunk.heads[-1]),
              "down": shape(net.down), "blocks": [shape(c) for c in net.blocks], "up": shape(net.up),
              "join": shape(net.join), "last": shape(net.last), "ahead": net.ahead}
    return b"LSH1", header, layers_of(net)


# The contact thresholds come from voices that the weights have not heard: npm run quality -- speech --development


def main():
    p = argparse.ArgumentParser()
    p.add_argument("checkpoint")
    p.add_argument("out")
    p.add_argument("--closure", type=float, default=0.5)
    p.add_argument("--lip-teeth", type=float, default=0.4)
    a = p.parse_args()
    saved = checkpoint(a.checkpoint)
    magic, header, layers = second(saved) if "down.bias" in saved["net"] else live(saved)
    header = json.dumps({
        **header,
        "startMean": [round(float(v), 4) for v in saved["start_mean"]],
        "closureThreshold": a.closure,
        "lipTeethThreshold": a.lip_teeth,
        "step": saved["step"],
    }).encode()
    header += b" " * (-len(header) % 4)
    body = b"".join(packed(*folded(conv, norm)) for conv, norm in layers)
    with open(a.out, "wb") as f:
        f.write(magic + struct.pack("<I", len(header)) + header + body)
    print(a.out, 8 + len(header) + len(body), "bytes")


if __name__ == "__main__":
    main()
