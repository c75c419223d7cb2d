"""main/engine/speech/weights.bin → a checkpoint that training can go on from, when the trained one is gone.

python3 unfold.py <weights.bin> <corpora folder> <checkpoint out>

The file has its batch norm folded in and its weights rounded to int8 rows. Each layer gets a norm again that changes
nothing: mean and variance are those of the layer's own output over augmented batches, scale and shift undo them.
"""

import json
import struct
import sys

import numpy as np
import torch

import train
from network import Network

BATCHES = 12


def read(path):
    """→ header, [(weight [outputs, inputs, taps], bias [outputs])] as export.py wrote them"""
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[4:8])[0]
    header, at, layers = json.loads(data[8:8 + size]), 8 + size, []
    for layer in header["convolutions"] + header["heads"]:
        out, row = layer["outputs"], layer["taps"] * layer["inputs"]
        scale, bias = np.frombuffer(data, "<f4", 2 * out, at).reshape(2, out)
        w = np.frombuffer(data, "i1", out * row, at + 8 * out).reshape(out, row) * scale[:, None]
        at += 8 * out + out * row
        w = w.reshape(out, layer["taps"], layer["inputs"]).transpose(0, 2, 1)
        layers.append((torch.tensor(w.copy()), torch.tensor(bias.copy())))
    return header, layers


def unfold(path, corpora):
    header, layers = read(path)
    net = Network(width=len(layers[0][1]))
    start_mean = np.array(header["startMean"], np.float32)
    convs = [net.first, *net.blocks, *net.heads]
    norms = [net.first_norm, *net.norms]
    with torch.no_grad():
        for conv, (w, b) in zip(convs, layers):
            conv.weight.copy_(w)
            conv.bias.copy_(b)
        # one layer after another: what a norm sees depends on those before it
        batches = train.Batches(train.load(corpora), train.SEED, torch.tensor(start_mean))
        x = torch.cat([batches()[0] for _ in range(BATCHES)])
        for conv, norm in zip([net.first, *net.blocks], norms):
            y = conv(x)
            norm.running_mean.copy_(y.mean((0, 2)))
            norm.running_var.copy_(y.var((0, 2)))
            norm.weight.copy_((norm.running_var + norm.eps).sqrt())
            norm.bias.copy_(norm.running_mean)
            x = torch.relu(y) + (0 if conv is net.first else x)
    return {"net": net.state_dict(), "start_mean": start_mean, "step": header["step"]}


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.save(unfold(sys.argv[1], sys.argv[2]), sys.argv[3])
