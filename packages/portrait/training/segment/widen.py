"""Starts a wider network from a narrower one's exported weights, so that both say the same at first."""
import json

import numpy as np
import torch


def widen(net, folder, crops):
    """
    Copies folder/student.json and .bin (batch norms folded in) into the first channels. New channels start at random
    and weigh nothing in old ones. Each batch norm is set by what passes it, so that it changes nothing at first.
    """
    layers = json.load(open(f'{folder}/student.json'))['layers']
    numbers = torch.from_numpy(np.fromfile(f'{folder}/student.bin', '<f2').astype('f4'))
    at = 0

    def take(shape):
        nonlocal at
        size = int(np.prod(shape))
        values = numbers[at : at + size].view(*shape)
        at += size
        return values

    old = {}
    for layer in layers:
        shape, dw = layer['shape'], layer['dw']
        w = take(shape)
        w = w.permute(2, 3, 0, 1) if dw else w.permute(3, 2, 0, 1)
        old[layer['name']] = (w, take([shape[2] if dw else shape[3]]))
    modules = dict(net.named_modules())
    norms = {}

    def put(conv, name):
        w, b = old[name]
        target = modules[conv].weight.data
        o, i = w.shape[:2]
        target[:o, i:] = 0
        target[:o, :i] = w
        return b

    norms['stem.1'] = put('stem.0', 'stem')
    for name in old:
        if name.endswith('.dw'):
            norms[name[:-2] + 'n1'] = put(name, name)
        elif name.endswith('.pw'):
            norms[name[:-2] + 'n2'] = put(name, name)
        elif name[0] == 'd' and name.endswith('.a'):
            put(name, name)
        elif name[0] == 'd' and name.endswith('.b'):
            norms[name[:-1] + 'n'] = put(name, name)
    w, b = old['out']
    outputs = len(b) // 4
    order = [c * 4 + q for q in range(4) for c in range(outputs)]
    net.out.weight.data.zero_()
    net.out.weight.data[order, : w.shape[1]] = w
    net.out.bias.data[order] = b

    def settle(bias):
        def hook(norm, inputs):
            x = inputs[0].detach()
            mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            n = len(bias)
            norm.weight.data[:n] = torch.sqrt(var[:n] + norm.eps)
            norm.bias.data[:n] = bias + mean[:n]

        return hook

    hooks = [modules[name].register_forward_pre_hook(settle(bias)) for name, bias in norms.items()]
    net.eval()
    with torch.no_grad():
        net(crops)
    for h in hooks:
        h.remove()
    net.train()
