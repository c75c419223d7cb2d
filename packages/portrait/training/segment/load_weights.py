"""
Makes a network to train on of the engine's weights: the inverse of export.py. Its batch norms were folded into the convolutions; new ones
get the mean and variance of examples, so that the network computes the same and can learn on.
"""
import numpy as np
import torch
import torch.nn as nn

from net import OUTPUTS, Separable, SegmentationNet, Up


def load_weights(path, examples):
    """The network of a file of weights. examples: N × 4 × 224 × 192, as it sees them in training."""
    numbers = torch.from_numpy(np.fromfile(path, '<f2').astype('f4'))
    at = 0

    def take(*shape):
        nonlocal at
        size = int(np.prod(shape))
        at += size
        return numbers[at - size : at].view(*shape)

    net = SegmentationNet()
    norms = {}

    def read(convolution, norm, depthwise=False):
        outputs, inputs, high, wide = convolution.weight.shape
        # Written as height, width, inputs, outputs; a depthwise one as height, width, channels, 1.
        values = take(high, wide, outputs, 1).permute(2, 3, 0, 1) if depthwise else take(high, wide, inputs, outputs).permute(3, 2, 0, 1)
        convolution.weight.data = values.contiguous()
        bias = take(outputs)
        known = norms.setdefault(norm, [torch.zeros(outputs), []])
        known[0] += bias
        known[1].append(convolution)

    def separable(m):
        read(m.dw, m.n1, depthwise=True)
        read(m.pw, m.n2)

    read(net.stem[0], net.stem[1])
    for stage in (net.e2, net.e3, net.e4, net.e5):
        for m in stage:
            separable(m)
    for m in (net.d4, net.d3, net.d2, net.d1):
        read(m.a, m.n)
        read(m.b, m.n)
        separable(m.ds)
    order = [c * 4 + q for q in range(4) for c in range(OUTPUTS)]
    net.out.weight.data[order] = take(1, 1, *net.out.weight.shape[1::-1]).permute(3, 2, 0, 1)
    net.out.bias.data[order] = take(len(order))
    assert at == len(numbers)
    for norm, (bias, _) in norms.items():
        norm.bias.data = bias.clone()
        norm.running_var.fill_(1 - norm.eps)

    sums = {norm: [0, 0, 0] for norm in norms}

    def measure(norm, inputs):
        x = inputs[0].double().transpose(0, 1).flatten(1)
        sums[norm] = [s + v for s, v in zip(sums[norm], (x.sum(1), (x * x).sum(1), x.shape[1]))]

    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    net.eval()
    with torch.no_grad():
        for k in range(0, len(examples), 8):
            net(examples[k : k + 8])
    for hook in hooks:
        hook.remove()
    for norm, (bias, convolutions) in norms.items():
        total, squares, count = sums[norm]
        mean = (total / count).float()
        variance = (squares / count - (total / count) ** 2).clamp_min(0).float()
        # Weights of length one: the rate of learning is meant for such.
        length = sum((c.weight.data**2).flatten(1).sum(1) for c in convolutions).sqrt().clamp_min(1e-3)
        for c in convolutions:
            c.weight.data /= length.view(-1, 1, 1, 1)
        norm.running_mean = mean / length
        norm.running_var = variance / length**2
        norm.weight.data = torch.sqrt(norm.running_var + norm.eps) * length
        norm.bias.data = bias + mean
    return net
