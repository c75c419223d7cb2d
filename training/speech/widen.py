"""A checkpoint → a wider network that answers exactly as it does, to train on.

python3 widen.py <checkpoint> <width> <checkpoint out>

New channels hear with random weights and are heard with none: their own output is learnt first, then what they listen
to. (Doubling channels, as in Net2Net, arXiv 1511.05641, would keep the pairs nearly alike for long.)
"""

import sys

import torch

from network import Network, network_of


def widened(saved, width):
    old, new = network_of(saved), Network(width=width)
    was = saved["net"]
    with torch.no_grad():
        state = new.state_dict()
        for name, to in state.items():
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
        assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(old(x), new(x)))
    return {**saved, "net": new.state_dict()}


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.save(widened(torch.load(sys.argv[1]), int(sys.argv[2])), sys.argv[3])
