"""main/engine/speech/weights.bin → a checkpoint that training can go on from, when the trained one is gone.

python3 unfold.py <weights.bin> <corpora folder> <checkpoint out>
python3 unfold.py <second_hearing.bin> <corpora folder> <checkpoint out> <checkpoint of the live network below it>

The file has its batch norm folded in and its weights rounded to int8 rows. Each layer gets a norm again that changes
nothing: mean and variance are those of the layer's own output over augmented batches, scale and shift undo them.
"""

import json
import struct
import sys

import numpy as np
import torch

import hearing
import train
from network import Network

BATCHES = 12


def layers_in(header):
    if "trunk" not in header:
        return header["convolutions"] + header["heads"]
    return [*header["trunk"], *(header[k] for k in ("head", "down")), *header["blocks"],
            *(header[k] for k in ("up", "join", "last"))]


def read(path):
    """→ header, [(weight [outputs, inputs, taps], bias [outputs])] as export.py wrote them"""
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[4:8])[0]
    header, at, layers = json.loads(data[8:8 + size]), 8 + size, []
    for layer in layers_in(header):
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
            undo(norm, y)
            x = torch.relu(y) + (0 if conv is net.first else x)
    return {"net": net.state_dict(), "start_mean": start_mean, "step": header["step"]}


def undo(norm, y):
    """Gives the norm of a layer that says y what changes nothing."""
    norm.running_mean.copy_(y.mean((0, 2)))
    norm.running_var.copy_(y.var((0, 2)))
    norm.weight.copy_((norm.running_var + norm.eps).sqrt())
    norm.bias.copy_(norm.running_mean)


def unfold_second(path, corpora, live):
    """The second hearing's own layers; below them the live network as its checkpoint has it."""
    header, layers = read(path)
    net = hearing.begun(live)
    start_mean = np.array(header["startMean"], np.float32)
    own = layers[len(header["trunk"]):]
    with torch.no_grad():
        for conv, (w, b) in zip([net.trunk.heads[-1], net.down, *net.blocks, net.up, net.join, net.last], own):
            conv.weight.copy_(w)
            conv.bias.copy_(b)
        net.eval()
        batches = hearing.Batches(train.load(corpora), train.SEED, torch.tensor(start_mean))
        x = torch.cat([batches()[0] for _ in range(BATCHES // 2)])
        h = net.trunk.hear(torch.nn.functional.pad(x, (0, hearing.AHEAD)))[:, :, hearing.AHEAD:]
        y = net.down(h)
        undo(net.down_norm, y)
        z = torch.relu(y)
        for conv, norm in zip(net.blocks, net.norms):
            y = conv(z)
            undo(norm, y)
            z = z + torch.relu(y)
        undo(net.join_norm, net.join(h + net.at_10_ms(z)))
    return {"net": net.state_dict(), "start_mean": start_mean, "step": header["step"]}


if __name__ == "__main__":
    torch.manual_seed(0)
    path, corpora, out, *live = sys.argv[1:]
    torch.save(unfold_second(path, corpora, torch.load(live[0])) if live else unfold(path, corpora), out)
