"""Corpora made small, to take them to a machine with a GPU: some 3 bits a value of log-mel instead of 16.

python3 packed.py pack <corpora folder> <packed folder> [--parts 4] [--hold stamps-en,…]
python3 packed.py unpack <corpora folder out> <part folder> …

Log-mel is rounded to steps of .4 (synthetic voices: .5), coded by differences from frame to frame and compressed; a band's power
trembles by more from one frame to the next, and noise that augment.py adds hides the rest. Unpacked, it is spread evenly over its
step again. Voices that weigh little in training are taken along in part, from all over. What is held out is kept finely.
"""

import argparse
import bz2
import fnmatch
import glob
import multiprocessing
import os
import zlib

import numpy as np

BOTTOM = float(np.log(1e-7))  # features.FLOOR; digital silence stays what it is
STEP, SYNTHETIC_STEP, HELD_STEP = 0.4, 0.5, 0.1
PEOPLE = "real-*", "stamps-*", "readers"
# Minutes of a corpus that are taken along; all of those that fit nothing here
MINUTES = (("espeak-zh", 36), ("espeak-en", 36), ("ru-nsh", 48), ("festival-ked*", 26), ("flite-awb", 32), ("flite-awb-woman", 26),
           ("*-fish", 28), ("ca-ona", 12), ("cs-dita", 12))
BLOCK = 2000  # frames that stay together


def first_fit(name, pairs, otherwise):
    return next((value for pattern, value in pairs if fnmatch.fnmatchcase(name, pattern)), otherwise)


def blocks_of(frames, minutes):
    """Frames' indices: all, or blocks from all over."""
    wanted = int(minutes * 6000)
    if wanted >= frames:
        return np.arange(frames)
    count = max(1, wanted // BLOCK)
    starts = np.linspace(0, frames - BLOCK, count).astype(int)
    return np.concatenate([np.arange(s, s + BLOCK) for s in starts])


def pack(job):
    path, to, held = job
    name = os.path.basename(path)[:-4]
    z = np.load(path)
    if "label" not in z:
        return name, 0
    people = any(fnmatch.fnmatchcase(name, p) for p in PEOPLE)
    step = HELD_STEP if held else STEP if people else SYNTHETIC_STEP
    kept = blocks_of(len(z["label"]), 1e9 if held else first_fit(name, MINUTES, 1e9))
    mel = z["mel"][kept].astype(np.float32)
    code = np.where(mel <= BOTTOM + 0.01, 0, np.clip(1 + np.round((mel - BOTTOM) / step), 1, 255)).astype(np.uint8)
    change = np.diff(code, axis=0, prepend=np.zeros((1, code.shape[1]), np.uint8))
    np.savez(to + name + ".npz", step=step, frames=len(kept), change=np.frombuffer(bz2.compress(change.tobytes()), np.uint8),
             label=np.frombuffer(zlib.compress(z["label"][kept].astype(np.uint8).tobytes(), 9), np.uint8))
    return name, os.path.getsize(to + name + ".npz")


def unpack(job):
    path, to = job
    z = np.load(path)
    step, frames = float(z["step"]), int(z["frames"])
    change = np.frombuffer(bz2.decompress(z["change"].tobytes()), np.uint8).reshape(frames, -1)
    code = np.cumsum(change, axis=0, dtype=np.uint8)
    rng = np.random.default_rng(frames)
    spread = rng.random(code.shape, np.float32) - 0.5
    mel = np.where(code == 0, BOTTOM, np.maximum(BOTTOM, BOTTOM + (code.astype(np.float32) - 1 + spread) * step))
    label = np.frombuffer(zlib.decompress(z["label"].tobytes()), np.uint8)
    np.savez(os.path.join(to, os.path.basename(path)), mel=mel.astype(np.float16), label=label)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=("pack", "unpack"))
    p.add_argument("first", help="corpora folder to pack, or to unpack to")
    p.add_argument("others", nargs="+", help="packed folder, or the parts to unpack")
    p.add_argument("--parts", type=int, default=4)
    p.add_argument("--hold", default="")
    p.add_argument("--processes", type=int, default=os.cpu_count())
    a = p.parse_args()
    with multiprocessing.Pool(a.processes) as pool:
        if a.what == "unpack":
            os.makedirs(a.first, exist_ok=True)
            paths = sorted((q for folder in a.others for q in glob.glob(folder + "/*.npz")), key=os.path.getsize, reverse=True)
            for _ in pool.imap_unordered(unpack, [(q, a.first) for q in paths]):
                pass
            return
        out, hold = a.others[0], a.hold.split(",")
        os.makedirs(out, exist_ok=True)
        jobs = [(q, out + "/", os.path.basename(q)[:-4] in hold) for q in sorted(glob.glob(a.first + "/*.npz"))]
        sizes = dict(pool.imap_unordered(pack, jobs))
    held = [0] * a.parts
    for name in sorted((n for n in sizes if sizes[n]), key=sizes.get, reverse=True):
        part = held.index(min(held))
        os.makedirs(f"{out}/{part}", exist_ok=True)
        os.replace(f"{out}/{name}.npz", f"{out}/{part}/{name}.npz")
        held[part] += sizes[name]
    print([f"{size / 1e6:.1f} MB" for size in held])


if __name__ == "__main__":
    main()
