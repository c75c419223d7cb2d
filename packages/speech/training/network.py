"""The viseme network: causal convolutions over log-mel frames, one head for each lookahead.

in [batch, 40, frames] → 4 heads of [batch, 15, frames]: head k says what the mouth did LOOKAHEADS[k] frames ago.
"""

import numpy as np
import torch
from torch import nn

LOOKAHEADS = (0, 2, 4, 6)  # frames of 10 ms
DILATIONS = (1, 2, 4, 8, 1, 2, 4, 8)  # of the blocks; a network may have fewer of them


class Causal(nn.Conv1d):
    def forward(self, x):
        return super().forward(nn.functional.pad(x, ((self.kernel_size[0] - 1) * self.dilation[0], 0)))


class Network(nn.Module):
    def __init__(self, bands=40, width=96, dilations=DILATIONS[:7], visemes=15, dropout=0.1):
        super().__init__()
        self.first = Causal(bands, width, 5)
        self.first_norm = nn.BatchNorm1d(width)
        self.blocks = nn.ModuleList(Causal(width, width, 3, dilation=d) for d in dilations)
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in dilations)
        self.drop = nn.Dropout1d(dropout)  # whole channels: as good, and far cheaper on a CPU
        self.heads = nn.ModuleList(nn.Conv1d(width, visemes, 1) for _ in LOOKAHEADS)

    def hear(self, x):
        """What the heads read: [batch, width, frames]"""
        x = torch.relu(self.first_norm(self.first(x)))
        for conv, norm in zip(self.blocks, self.norms):
            x = x + self.drop(torch.relu(norm(conv(x))))
        return x

    def forward(self, x):
        x = self.hear(x)
        return [head(x) for head in self.heads]


def checkpoint(path):
    """What was saved, brought to the processor; it is our own, so it may hold more than tensors."""
    saved = torch.load(path, map_location="cpu", weights_only=False)
    return {**saved, "start_mean": np.asarray(saved["start_mean"], np.float32)}


def size_of(state, within=""):
    """Width and dilations of the network whose weights these are."""
    blocks = sum(name.startswith(within + "blocks.") and name.endswith(".bias") for name in state)
    return {"width": len(state[within + "first.bias"]), "dilations": DILATIONS[:blocks]}


def network_of(saved):
    """The network of a checkpoint, as wide and deep as it was trained, with its weights."""
    net = Network(**size_of(saved["net"]))
    net.load_state_dict(saved["net"])
    return net
