"""Two checkpoints → one between them: weights and batch norm, `share` of the way from the first to the second.

python3 mix.py <first> <second> <share> <checkpoint out>      the second must have grown from the first
"""

import sys

import torch


def mixed(first, second, share):
    net = {k: (1 - share) * v + share * second["net"][k] if v.is_floating_point() else v
           for k, v in first["net"].items()}
    return {**second, "net": net}


if __name__ == "__main__":
    first, second, share, out = sys.argv[1:]
    torch.save(mixed(torch.load(first), torch.load(second), float(share)), out)
