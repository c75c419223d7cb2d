"""The faces of photos (read_faces.ts): how light from each direction reaches them, and their skin without its light.

usage: python3 faces.py FACES WEIGHTS.ts OUT.npz
"""
import glob
import os
import sys

import numpy as np
import torch

from network import N, both_ways, read_weights

DIRECTIONS = 256
PLANES = 12


def sphere(count):
    """Directions alike in all places, y up."""
    i = np.arange(count) + 0.5
    z = 1 - 2 * i / count
    a = np.pi * (1 + 5**0.5) * i
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(a), z, r * np.sin(a)], 1).astype(np.float32)


def load(path):
    f = np.fromfile(path, np.float32).reshape(PLANES, N, N)
    return dict(logs=f[:3], normals=f[3:6], points=f[6:9], mask=f[9], skin=f[10], facing=f[11])


def reach(face):
    """How much light of each direction arrives at each cell: cosine, and what nose, brow and chin hide. [directions, cells]"""
    cell, side = 0.002, 128
    on = np.abs(face["normals"]).sum(0) > 0.5
    points = face["points"].reshape(3, -1).T[on.ravel()]
    normals = face["normals"].reshape(3, -1).T[on.ravel()]
    middle = points[:, 1].mean()
    height = np.full((side, side), -1.0, np.float32)
    at = lambda p: (
        (p[..., 0] / cell + side / 2).astype(int),
        ((p[..., 1] - middle) / cell + side / 2).astype(int),
    )
    x, y = at(points)
    np.maximum.at(height, (y.clip(0, side - 1), x.clip(0, side - 1)), points[:, 2])
    for _ in range(4):  # cells that no point fell into
        padded = np.pad(height, 1, constant_values=-1)
        about = np.stack([padded[1 + a : side + 1 + a, 1 + b : side + 1 + b] for a in (-1, 0, 1) for b in (-1, 0, 1)])
        hole = (height < -0.9) & ((about > -0.9).sum(0) >= 4)
        height = np.where(hole, about.max(0) - 0.001, height)
    steps = np.geomspace(0.004, 0.13, 20).astype(np.float32)
    out = np.zeros((DIRECTIONS, N * N), np.float32)
    start = points + normals * 0.002
    index = np.flatnonzero(on.ravel())
    for k, direction in enumerate(sphere(DIRECTIONS)):
        cosine = normals @ direction
        lit = cosine > 0
        if not lit.any():
            continue
        ray = start[lit][:, None] + steps[None, :, None] * direction
        x, y = at(ray)
        inside = (x >= 0) & (x < side) & (y >= 0) & (y < side)
        surface = np.where(inside, height[y.clip(0, side - 1), x.clip(0, side - 1)], -1)
        over = ((surface - ray[..., 2]) / steps).max(1)
        out[k, index[lit]] = cosine[lit] * (1 - np.clip(0.5 + over / 0.06, 0, 1))
    return out * (4 / DIRECTIONS)


def blur(x, radius):
    """Mean over a square, along the last two axes."""
    for axis in (-2, -1):
        pad = [(0, 0)] * x.ndim
        pad[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(x, pad, mode="edge"), axis=axis, dtype=np.float64)
        far, near = [slice(None)] * x.ndim, [slice(None)] * x.ndim
        far[axis], near[axis] = slice(2 * radius + 1, None), slice(0, -2 * radius - 1)
        x = (total[tuple(far)] - total[tuple(near)]) / (2 * radius + 1)
    return x


def broad(values, mask, radius):
    weight = blur(blur(mask.astype(np.float64), radius), radius)
    return blur(blur(values * mask, radius), radius) / np.maximum(weight, 1e-6)


def bare_skin(face, network):
    """ln of the skin without the photo's light and tone, alike on both sides in what is broad; None where too little shows."""
    tensor = lambda x: torch.from_numpy(np.ascontiguousarray(x))[None].float()
    mask = face["mask"]
    weight = mask * np.clip((face["skin"] - 0.3) / 0.4, 0, 1) * np.clip((face["facing"] - 0.1) / 0.3, 0, 1)
    if (weight > 0.3).sum() < 700:
        return None
    with torch.no_grad():
        gain = both_ways(network, tensor(face["logs"]), tensor(face["normals"]), tensor(mask[None]))[0].numpy()
    mean = lambda x: (x * weight).sum((1, 2), keepdims=True) / weight.sum()
    logs = face["logs"] + gain
    logs = logs - mean(logs)
    skin = weight > 0.2
    low = broad(logs, skin, 4)
    even = blur((skin & skin[:, ::-1]).astype(float), 2)
    logs = np.clip(logs + (low[:, :, ::-1] - low) / 2 * even, -3, 1.2)
    return (logs * mask).astype(np.float32), mean(face["logs"]).ravel(), mean(face["logs"] + gain).ravel()


def main(folder, weights, out):
    network = read_weights(weights)
    names, skins, masks, tones, plain, normals, reaches = [], [], [], [], [], [], []
    for path in sorted(glob.glob(folder + "/*.f32")):
        face = load(path)
        found = bare_skin(face, network)
        if found is None:
            continue
        names.append(os.path.basename(path)[:-4])
        skins.append(found[0])
        masks.append(face["mask"])
        tones.append(found[1])
        plain.append(found[2])
        normals.append(face["normals"])
        reaches.append(reach(face).astype(np.float16))
        if len(names) % 50 == 0:
            print(len(names), "faces", flush=True)
    stacks = dict(skins=skins, masks=masks, tones=tones, plain=plain, normals=normals, reaches=reaches)
    np.savez(out, names=names, **{key: np.stack(value) for key, value in stacks.items()})
    print(len(names), "faces")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(*sys.argv[1:])
