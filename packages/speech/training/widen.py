"""A checkpoint → a wider network that answers exactly as it does, to train on; with more blocks, nearly so.

python3 widen.py <checkpoint> <width> <checkpoint out> [<blocks>]

New channels hear with random weights and are heard with none: their own output is learnt first, then what they listen
to. (Doubling channels, as in Net2Net, arXiv 1511.05641, would keep the pairs nearly alike for long.)
"""

import sys

import torch

from network import DILATIONS, Network, checkpoint, network_of

# How loud a new block speaks: something must come through, for it to learn
HARDLY = 0.01


def widened(saved, width, blocks=None):
    old = network_of(saved)
    count = blocks or len(old.blocks)
    new = Network(width=width, dilations=DILATIONS[:count])
    was = saved["net"]
    with torch.no_grad():
        state = new.state_dict()
        for name, to in state.items():
            if name not in was:
                if name.startswith("norms.") and name.endswith(".weight"):
                    to.fill_(HARDLY)
                continue
            own = was[name]
            if own.shape == to.shape:
                to.copy_(own)
                continue
            grown = tuple(slice(n) for n in own.shape)
            if to.dim() > 1 and own.shape[1] != to.shape[1]:
                to[:own.shape[0], own.shape[1]:] = 0  # what was there before doesn't hear the new
            to[grown] = own
        new.load_state_dict(state)
        old.eval(), new.eval()
        x = torch.randn(2, 40, 200)
        assert all(torch.allclose(a, b, atol=1e-4 if count == len(old.blocks) else 1) for a, b in zip(old(x), new(x)))
    return {**saved, "net": new.state_dict()}


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.save(widened(checkpoint(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[4:])), sys.argv[3])
