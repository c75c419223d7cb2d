"""Two checkpoints → one between them: weights and batch norm, `share` of the way from the first to the second.

python3 mix.py <first> <second> <share> <checkpoint out>      the second must have grown from the first
"""

import sys

import torch


def mixed(checkpoints, shares):
    """The mean of checkpoints that have grown from the same one, by shares that make 1; the rest as the last has it."""
    nets = [checkpoint["net"] for checkpoint in checkpoints]
    net = {k: sum(share * n[k] for share, n in zip(shares, nets)) if v.is_floating_point() else v
           for k, v in nets[-1].items()}
    return {**checkpoints[-1], "net": net}


if __name__ == "__main__":
    first, second, share, out = sys.argv[1:]
    torch.save(mixed([torch.load(first), torch.load(second)], [1 - float(share), float(share)]), out)
