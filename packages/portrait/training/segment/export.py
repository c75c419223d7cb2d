"""
Writes the weights for the engine, batch norms folded into convolutions: export.py STATE.pt OUT.bin [CHECK]

float16, in the order of segmentation_network.ts; a convolution is height, width, inputs, outputs, then its biases.
CHECK.in.f32 and CHECK.out.f32 get a random crop and what PyTorch makes of it, to compare the engine with.
"""
import sys

import numpy as np
import torch

from net import HEIGHT, OUTPUTS, WIDTH, SegmentationNet

state, out = sys.argv[1:3]
net = SegmentationNet()
net.load_state_dict(torch.load(state)['mean'])
net.eval()
parts = []


def put(weight, bias, depthwise=False):
    w = weight.detach().numpy()
    w = w.transpose(2, 3, 0, 1) if depthwise else w.transpose(2, 3, 1, 0)
    for values in (w, bias.detach().numpy()):
        parts.append(np.ascontiguousarray(values, 'f4').astype('<f2').ravel())


def folded(weight, norm):
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return weight * scale.view(-1, 1, 1, 1), norm.bias - norm.running_mean * scale


def separable(m):
    put(*folded(m.dw.weight, m.n1), depthwise=True)
    put(*folded(m.pw.weight, m.n2))


put(*folded(net.stem[0].weight, net.stem[1]))
for stage in (net.e2, net.e3, net.e4, net.e5):
    for m in stage:
        separable(m)
for m in (net.d4, net.d3, net.d2, net.d1):
    a, _ = folded(m.a.weight, m.n)
    put(a, torch.zeros(len(a)))
    put(*folded(m.b.weight, m.n))
    separable(m.ds)
# PyTorch's pixel shuffle has the channel first; here the place in the block of 2 × 2 comes first.
order = [c * 4 + q for q in range(4) for c in range(OUTPUTS)]
put(net.out.weight[order], net.out.bias[order])
numbers = np.concatenate(parts)
numbers.tofile(out)
print('%d numbers, %.0f KiB' % (len(numbers), numbers.nbytes / 1024))
if len(sys.argv) > 3:
    x = torch.rand(1, 4, HEIGHT, WIDTH, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        y = torch.sigmoid(net(x))
    x[0].permute(1, 2, 0).contiguous().numpy().tofile(sys.argv[3] + '.in.f32')
    y[0].permute(1, 2, 0).contiguous().numpy().tofile(sys.argv[3] + '.out.f32')
