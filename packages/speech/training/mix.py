"""Two checkpoints → one between them: weights and batch norm, `share` of the way from the first to the second.

python3 mix.py <first> <second> <share> <checkpoint out> [kept]      the second must have grown from the first

Of a second hearing's, only the share `kept` of what it adds to the live network's answers may be kept.
"""

import sys

import torch

from network import checkpoint


def mixed(checkpoints, shares):
    """The mean of checkpoints that have grown from the same one, by shares that make 1; the rest as the last has it."""
    nets = [saved["net"] for saved in checkpoints]
    net = {k: sum(share * n[k] for share, n in zip(shares, nets)) if v.is_floating_point() else v
           for k, v in nets[-1].items()}
    return {**checkpoints[-1], "net": net}


if __name__ == "__main__":
    first, second, share, out, *kept = sys.argv[1:]
    between = mixed([checkpoint(first), checkpoint(second)], [1 - float(share), float(share)])
    for name in ("last.weight", "last.bias") if kept else ():
        between["net"][name] = between["net"][name] * float(kept[0])
    torch.save(between, out)
