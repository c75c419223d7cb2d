"""The light network, its inputs, and its weights as light_weights.ts holds them."""
import base64
import re

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

N = 64  # cells a side of the face's layout
INPUTS = 13
AXIS = (torch.arange(N) + 0.5) / N * 2 - 1
Y, X = torch.meshgrid(AXIS, AXIS, indexing="ij")


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.a = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.b = nn.Conv2d(outputs, outputs, 3, padding=1)

    def forward(self, x):
        return F.leaky_relu(self.b(F.leaky_relu(self.a(x), 0.1)), 0.1)


class LightNetwork(nn.Module):
    """Fields of 64 x 64 cells to ln of the gain that removes the light, 3 channels; works on cells of 2 x 2."""

    def __init__(self, wide=32, middle=40, deep=64):
        super().__init__()
        self.e2, self.e3, self.e4 = Block(4 * INPUTS, wide), Block(wide, middle), Block(middle, deep)
        self.g1, self.g2 = nn.Linear(deep + middle, 64), nn.Linear(64, deep)
        self.u3, self.u2 = Block(deep + middle, middle), Block(middle + wide, wide)
        self.out = nn.Conv2d(wide, 12, 3, padding=1)
        self.tone = nn.Linear(deep, 3)

    def forward(self, x):
        mask = x[:, -1:]
        mean = lambda v, k: (v * F.avg_pool2d(mask, k)).sum((2, 3)) / (F.avg_pool2d(mask, k).sum((2, 3)) + 1e-3)
        double = lambda v: F.interpolate(v, scale_factor=2, mode="bilinear", align_corners=False)
        fine = self.e2(F.pixel_unshuffle(x, 2))
        coarse = self.e3(F.avg_pool2d(fine, 2))
        deepest = self.e4(F.avg_pool2d(coarse, 2))
        seen = torch.cat([mean(deepest, 8), mean(coarse, 4)], 1)
        whole = F.leaky_relu(self.g2(F.leaky_relu(self.g1(seen), 0.1)), 0.1)
        up = self.u3(torch.cat([double(deepest + whole[:, :, None, None]), coarse], 1))
        up = self.u2(torch.cat([double(up), fine], 1))
        return F.pixel_shuffle(self.out(up), 2) + self.tone(whole)[:, :, None, None]


def inputs(logs, normals, mask):
    """The fields that the network reads (`fillFields` of light_estimate.ts): logs, ln of linear colours; mask, 0 or 1."""
    z = ((logs + 1.5) * mask).clamp(-3.5, 2)
    mean = (logs.mean(1, keepdim=True) * mask).sum((2, 3), keepdim=True) / mask.sum((2, 3), keepdim=True).clamp(min=1)
    grey = z.mean(1, keepdim=True)
    own = torch.cat([grey - (mean + 1.5) * mask, 2 * (z[:, :1] - grey), 2 * (z[:, 2:] - grey)], 1)
    where = torch.cat([X.expand_as(mask) * mask.flip(3), Y.expand_as(mask) * mask], 1)
    level = (mean + 1.5) * torch.ones_like(mask) * 0.7
    return torch.cat([own, own.flip(3), normals * mask, where, level, mask], 1)


def both_ways(network, logs, normals, mask):
    """Mean of the gains of a picture and of its mirror image."""
    mirrored = normals.flip(3).clone()
    mirrored[:, 0] *= -1
    there = network(inputs(logs, normals, mask))
    back = network(inputs(logs.flip(3), mirrored, mask.flip(3)))
    return (there + back.flip(3)) / 2


HEAD = '''/**
 * Weights of the light network (light_network.ts): half-precision floats, base64; written by
 * packages/portrait/training/light/train.py. MODEL_CARD.md says what they were learnt from.
 */
export const lightWeights = `
'''


def write_weights(network, path):
    values = np.concatenate([v.detach().numpy().ravel() for v in network.state_dict().values()]).astype("<f2")
    text = base64.b64encode(values.tobytes()).decode()
    lines = [text[i : i + 118] for i in range(0, len(text), 118)]
    with open(path, "w") as file:
        file.write(HEAD + "\n".join(lines) + "\n`;\n")


def read_weights(path):
    network = LightNetwork()
    if path.endswith(".ts"):
        text = re.search("`([^`]+)`;", open(path).read()[len(HEAD) - 2 :]).group(1)
        values = torch.from_numpy(np.frombuffer(base64.b64decode(text), "<f2").astype(np.float32).copy())
        state, at = {}, 0
        for name, value in network.state_dict().items():
            state[name] = values[at : at + value.numel()].view(value.shape)
            at += value.numel()
        assert at == len(values)
    else:
        state = torch.load(path)["mean"]
    network.load_state_dict(state)
    return network.eval()
