"""packages/speech/src/weights.bin or second_hearing.bin → a checkpoint that training can go on from, when the trained one is gone.

python3 unfold.py <weights.bin or second_hearing.bin> <corpora folder> <checkpoint out>

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
from network import DILATIONS, Network

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


def size_in(convolutions):
    return {"width": convolutions[0]["outputs"], "dilations": DILATIONS[:len(convolutions) - 1]}


def unfold(path, corpora):
    header, layers = read(path)
    net = Network(**size_in(header["convolutions"]))
    start_mean = np.array(header["startMean"], np.float32)
    with torch.no_grad():
        batches = train.Batches(train.load(corpora), train.SEED, torch.tensor(start_mean))
        fill([net.first, *net.blocks], [net.first_norm, *net.norms], layers, torch.cat([batches()[0] for _ in range(BATCHES)]))
        for head, (w, b) in zip(net.heads, layers[1 + len(net.blocks):]):
            head.weight.copy_(w)
            head.bias.copy_(b)
    return {"net": net.state_dict(), "start_mean": start_mean, "step": header["step"]}


def fill(convs, norms, layers, x):
    """A causal network's layers, one after another: what a norm sees depends on those before it. → what the last says of x"""
    for conv, norm, (w, b) in zip(convs, norms, layers):
        conv.weight.copy_(w)
        conv.bias.copy_(b)
        y = conv(x)
        undo(norm, y)
        x = torch.relu(y) + (0 if conv is convs[0] else x)
    return x


def undo(norm, y):
    """Gives the norm of a layer that says y what changes nothing."""
    norm.running_mean.copy_(y.mean((0, 2)))
    norm.running_var.copy_(y.var((0, 2)))
    norm.weight.copy_((norm.running_var + norm.eps).sqrt())
    norm.bias.copy_(norm.running_mean)


def unfold_second(path, corpora):
    header, layers = read(path)
    net = hearing.SecondHearing(size_in(header["trunk"]), header["ahead"], header["down"]["outputs"])
    start_mean = np.array(header["startMean"], np.float32)
    own = layers[len(header["trunk"]):]
    with torch.no_grad():
        for conv, (w, b) in zip([net.trunk.heads[-1], net.down, *net.blocks, net.up, net.join, net.last], own):
            conv.weight.copy_(w)
            conv.bias.copy_(b)
        net.eval()
        batches = hearing.Batches(train.load(corpora), train.SEED, torch.tensor(start_mean))
        x = torch.nn.functional.pad(torch.cat([batches()[0] for _ in range(BATCHES // 2)]), (0, net.ahead))
        h = fill([net.trunk.first, *net.trunk.blocks], [net.trunk.first_norm, *net.trunk.norms], layers, x)[:, :, net.ahead:]
        y = net.down(h)
        undo(net.down_norm, y)
        z = torch.relu(y)
        for conv, norm in zip(net.blocks, net.norms):
            y = conv(z)
            undo(norm, y)
            z = z + torch.relu(y)
        undo(net.join_norm, net.join(h + net.at_10_ms(z)))
    return {"net": net.state_dict(), "ahead": net.ahead, "start_mean": start_mean, "step": header["step"]}


if __name__ == "__main__":
    torch.manual_seed(0)
    path, corpora, out = sys.argv[1:]
    is_second = open(path, "rb").read(4) == b"LSH1"
    torch.save((unfold_second if is_second else unfold)(path, corpora), out)
