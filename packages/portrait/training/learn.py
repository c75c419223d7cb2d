"""Learns depth from drawn heads: python3 learn.py <mesh.json> <drawn.jsonl>... > depth_weights.ts

A drawn head has what the detector found of it (x and y of landmarks, in the frame that the engine lays a face in) and its
true shape. Both are taken as normally distributed, with the shape's own numbers, its pitch and its distance as what they
share: the part of each that these explain is fitted by ridge regression, what is left is the detector's noise, whose
covariance is measured. From there the depth that is to be expected of what is seen is one matrix, which is brought down
to a few ways of differing and written as the engine's table. Needs numpy and ../shared/shapes.
"""

import json
import os
import sys

import numpy as np

SHAPES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../shared/shapes")
# Landmarks whose positions are read of any face: corners of the eyes, nose, outline, forehead, chin, lips' middle. Brows, lids and
# corners of the mouth are left out: paint and expression move them, and drawn ones lie elsewhere than real ones.
READ = [33, 133, 168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 129, 102, 48, 64, 98, 97, 49, 151, 9, 8, 199, 200, 18, 0, 17]
READ += [10, 109, 67, 103, 54, 21, 162, 127, 234, 93, 132, 58, 172, 136, 150, 149, 176, 148, 152]
# Of a mouth at rest all are read but these, brows, and lids, whose places are the eye network's.
BROW = [70, 63, 105, 66, 107, 55, 65, 52, 53, 46]
EYE_CORNERS = [33, 133]
COMPONENTS = 12
# Of the 7 landmarks by which the mean faces are laid on each other first, the face mesh's vertices.
MARKS = {
    "rightEyeOuter": 33,
    "rightEyeInner": 133,
    "leftEyeInner": 362,
    "leftEyeOuter": 263,
    "subnasale": 2,
    "rightMouthCorner": 61,
    "leftMouthCorner": 291,
}
SPREAD_OF_DRAWN_PITCH = np.radians(3.5)  # as draw_heads.ts draws it
SPREAD_OF_PITCH = np.radians(5)  # people's, over what the detector reads
RIDGE = 8.0
EXTRA_NOISE = 0.5  # mm, for what drawn heads don't have
STEEP = 0.45  # cosine to the line of sight under which a surface's depth isn't read at another place


def read_shapes():
    info = json.load(open(f"{SHAPES}/heads.json"))
    mean = np.fromfile(f"{SHAPES}/truth/mean.bin", "<f4").reshape(-1, 3).astype(float)
    modes = json.load(open(f"{SHAPES}/basis/modes.json"))
    basis = np.fromfile(f"{SHAPES}/basis/modes.i16", "<i2").reshape(modes["modes"], -1, 3)
    basis = basis.astype(float) * np.array(modes["scale"])[:, None, None]
    raw = open(f"{SHAPES}/topology.bin", "rb").read()
    triangles = np.frombuffer(raw[: 6 * info["triangles"]], "<u2").reshape(-1, 3).astype(int)
    regions = np.frombuffer(raw[6 * info["triangles"] :], "u1")
    return info, mean, basis, triangles[: info["faceTriangles"]], regions


def similarity(a, b):
    """Scale, turn and shift that take a to b with least squares (Umeyama)."""
    ca, cb = a.mean(0), b.mean(0)
    u, s, vt = np.linalg.svd((a - ca).T @ (b - cb))
    d = np.diag([1, 1, np.sign(np.linalg.det(vt.T @ u.T))])
    turn = vt.T @ d @ u.T
    scale = (s * np.diag(d)).sum() / ((a - ca) ** 2).sum()
    return scale, turn, cb - scale * turn @ ca


def nearest(points, vertices, triangles):
    """Triangle and barycentric place nearest to each point."""
    faces, places = [], []
    middles = vertices[triangles].mean(1)
    for q in points:
        near = np.argsort(((middles - q) ** 2).sum(1))[:80]
        a, b, c = (vertices[triangles[near, k]] for k in range(3))
        ab, ac, ap = b - a, c - a, q - a
        d00, d01, d11 = (ab * ab).sum(1), (ab * ac).sum(1), (ac * ac).sum(1)
        d20, d21 = (ap * ab).sum(1), (ap * ac).sum(1)
        den = d00 * d11 - d01 * d01 + 1e-12
        v, w = (d11 * d20 - d01 * d21) / den, (d00 * d21 - d01 * d20) / den
        inside = np.stack([1 - v - w, v, w], 1)
        tries = [(np.where((inside >= 0).all(1), 0, 1e9), inside)]
        for i, j, p, r in ((0, 1, a, b), (1, 2, b, c), (0, 2, a, c)):
            t = np.clip(((q - p) * (r - p)).sum(1) / (((r - p) ** 2).sum(1) + 1e-12), 0, 1)
            edge = np.zeros((len(near), 3))
            edge[:, i], edge[:, j] = 1 - t, t
            tries.append((np.zeros(len(near)), edge))
        least, best = np.inf, None
        for off, bary in tries:
            d = off + ((bary[:, :1] * a + bary[:, 1:2] * b + bary[:, 2:] * c - q) ** 2).sum(1)
            k = d.argmin()
            if d[k] < least:
                least, best = d[k], (near[k], bary[k])
        faces.append(best[0])
        places.append(best[1])
    return np.array(faces), np.array(places)


def at(vertices, triangles, faces, places):
    return np.einsum("nkc,nk->nc", vertices[triangles[faces]], places)


def normals_of(vertices, triangles):
    n = np.cross(vertices[triangles[:, 1]] - vertices[triangles[:, 0]], vertices[triangles[:, 2]] - vertices[triangles[:, 0]])
    out = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(out, triangles[:, k], n)
    return out / np.maximum(1e-9, np.linalg.norm(out, axis=1))[:, None]


class Mesh:
    """The face mesh: its mean face (mm), its mirror points, its eyes' rims and its subdivision at the landmarks."""

    def __init__(self, path):
        data = json.load(open(path))
        self.mean = np.array(data["mean"]).reshape(-1, 3) * 1000
        self.mirror = np.array(data["mirror"])
        self.rims = np.array(data["rims"])
        self.refine = np.zeros((468, 468))
        for i, j, w in data["refine"]:
            self.refine[i, j] = w
        self.half = [i for i in range(468) if self.mean[i, 0] < 0.5]

    def both(self, p):
        return (p + p[self.mirror] * [-1, 1, 1]) / 2


def correspond(mesh, info, mean, triangles, regions):
    """Where on the shapes' mean head each landmark lies: the mean faces laid on each other, bent to the marks, nearest."""
    outer = triangles[(regions[triangles] > 0).all(1)]
    face = mesh.refine @ mesh.mean
    numbers = list(MARKS.values())
    scale, turn, shift = similarity(face[numbers], np.array([mean[info["landmarks"][k]] for k in MARKS]))
    middles = mean[outer].mean(1)
    flat = np.cross(mean[outer[:, 1]] - mean[outer[:, 0]], mean[outer[:, 2]] - mean[outer[:, 0]])
    flat /= np.linalg.norm(flat, axis=1)[:, None]
    for _ in range(30):
        laid = scale * face @ turn.T + shift
        d = ((laid[:, None] - middles[None]) ** 2).sum(2)
        i = d.argmin(1)
        ok = d[np.arange(468), i] < 64
        onto = laid - ((laid - middles[i]) * flat[i]).sum(1)[:, None] * flat[i]
        scale, turn, shift = similarity(face[ok], onto[ok])
    head = ((mean - shift) @ turn) / scale
    marks = np.array([head[info["landmarks"][k]] for k in MARKS])

    def kernel(x):
        return np.exp(-((x[:, None] - face[numbers][None]) ** 2).sum(2) / (2 * 25.0**2))

    bend = np.linalg.solve(kernel(face[numbers]) + 1e-3 * np.eye(7), marks - face[numbers])
    return outer, *nearest(face + kernel(face) @ bend, head, outer)


def in_frame(head, points):
    """A drawn head's true points in the frame and scale that the engine laid its face in, mm (draw_heads.ts: place)."""
    cy, sy, cp, sp, cr, sr = (f(head[k]) for k in ("yaw", "pitch", "roll") for f in (np.cos, np.sin))
    x, y, z = points[:, 0], points[:, 1] - 10, points[:, 2] - 40
    x1, z1 = cy * x + sy * z, -sy * x + cy * z
    y2, z2 = cp * y + sp * z1, -sp * y + cp * z1
    f = head["distance"] / (head["distance"] - z2)
    px = head["side"] / 2 + head["s"] * (cr * x1 - sr * y2) * f / 1000
    py = head["side"] / 2 - head["s"] * (sr * x1 + cr * y2) * f / 1000
    pose = head["pose"]
    seen = [(px - pose["tx"]) * 1000, -(py - pose["ty"]) * 1000, z2 * head["s"]]
    return np.stack(seen, 1) / pose["scale"] @ np.array([pose["x"], pose["y"], pose["z"]]).T


def depth_of(mesh, found, true, triangles, outer, faces, places):
    """Depth of the true surface, mm before the eyes' rims, where the landmarks were found."""
    mark = at(true, outer, faces, places)
    normal = at(normals_of(true, triangles), outer, faces, places)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    aside = np.clip((mesh.refine @ mesh.both(found))[:, :2] - mark[:, :2], -6, 6)
    level = mark[:, 2] - (normal[:, :2] * aside).sum(1) / np.maximum(normal[:, 2], 0.3)
    z = np.where(normal[:, 2] < STEEP, mark[:, 2], level)
    z = (z + z[mesh.mirror]) / 2
    return z - z[mesh.rims].mean()


def learn(seen, depth, shared):
    """The map of what is seen (N × places) to depth (N × points), both beside their means."""
    both = np.c_[seen, depth]
    told = np.linalg.solve(shared.T @ shared + RIDGE * np.eye(shared.shape[1]), shared.T @ both)
    rest = both - shared @ told
    noise = rest.T @ rest / (len(both) - 0.7 * shared.shape[1])
    variance = np.ones(shared.shape[1])
    variance[-2] = (SPREAD_OF_PITCH / SPREAD_OF_DRAWN_PITCH) ** 2
    return told.T @ (variance[:, None] * told) + noise


def main():
    mesh = Mesh(sys.argv[1])
    info, mean, basis, triangles, regions = read_shapes()
    outer, faces, places = correspond(mesh, info, mean, triangles, regions)
    seen, depth, shared = [], [], []
    for path in sys.argv[2:]:
        for line in open(path):
            head = json.loads(line)
            found = np.array(head["neutral"]).reshape(-1, 3) * 1000
            true = in_frame(head, mean + np.tensordot(head["coefficients"], basis, 1))
            beside = mesh.both(found) - mesh.mean
            seen.append(beside)
            depth.append(depth_of(mesh, found, true, triangles, outer, faces, places)[mesh.half])
            shared.append([*head["coefficients"], head["pitch"] / SPREAD_OF_DRAWN_PITCH, 1000 / head["distance"]])
    seen, depth, shared = np.array(seen), np.array(depth), np.array(shared)
    shared[:, -1] /= shared[:, -1].std()
    mean_depth = depth.mean(0)
    depth, shared = depth - mean_depth, shared - shared.mean(0)
    lids = set(mesh.rims.tolist()) - set(EYE_CORNERS)
    resting = [i for i in mesh.half if i not in lids and i not in BROW]
    readers = [reader(mesh, landmarks, seen, depth, shared) for landmarks in (READ, resting)]
    write(mean_depth, readers)


def reader(mesh, landmarks, seen, depth, shared):
    """What is read of these landmarks, and how: coordinates, their means, encoder, decoder."""
    coordinates = [(i, c) for i in landmarks for c in (0, 1) if c == 1 or abs(mesh.mean[i, 0]) > 1]
    seen = np.array([[beside[i, c] for i, c in coordinates] for beside in seen])
    mean_seen = seen.mean(0)
    seen = seen - mean_seen

    def fit(s, d, l):
        cov = learn(s, d, l)
        n = s.shape[1]
        # Real faces differ from drawn ones at the mean too (they smile): that way of differing says nothing.
        says = cov[:n, :n] + EXTRA_NOISE**2 * np.eye(n) + np.outer(mean_seen, mean_seen)
        return np.linalg.solve(says, cov[:n, n:])

    def whole(values):
        full = np.zeros(468)
        full[mesh.half] = values
        full[mesh.mirror[mesh.half]] = values
        return full

    guess = np.zeros_like(depth)
    for part in range(5):
        is_out = np.arange(len(seen)) % 5 == part
        guess[is_out] = seen[is_out] @ fit(seen[~is_out], depth[~is_out], shared[~is_out])
    print(f"{len(seen)} heads, {len(coordinates)} coordinates", file=sys.stderr)
    named = {"nose's tip": 4, "subnasale": 2, "nasion": 168, "lip": 0, "chin": 199, "cheek": 50, "jaw": 172}
    for name, i in named.items():
        k = mesh.half.index(i)
        print(f"{name}: r {np.corrcoef(guess[:, k], depth[:, k])[0, 1]:.2f}", file=sys.stderr)
    off = np.sqrt(((guess - depth) ** 2).mean())
    print(f"off by {off:.2f} mm, the mean by {depth.std():.2f}", file=sys.stderr)

    weights = fit(seen, depth, shared)
    weights -= np.array([whole(row)[mesh.rims].mean() for row in weights])[:, None]
    _, _, components = np.linalg.svd(seen @ weights, full_matrices=False)
    decoder = components[:COMPONENTS]
    encoder = weights @ decoder.T
    size = np.abs(encoder).max(0)
    return coordinates, mean_seen, encoder / size, decoder * size[:, None]


def table(values, scale):
    """Whole numbers in lines, as the engine's tables have them."""
    numbers = [str(int(v)) for v in np.round(np.ravel(values) * scale)]
    lines, line = [], ""
    for number in numbers:
        if len(line) + len(number) > 118:
            lines.append(line)
            line = ""
        line += (" " if line else "") + number
    return "\n".join([*lines, line])


def write(mean_depth, readers):
    tables = [
        ("depthText", "Mean depth of `predictedLandmarks` before the eyes' rims, 0.01 mm.", mean_depth, 100),
    ]
    for name, (coordinates, mean_seen, encoder, decoder) in zip(("any", "resting"), readers):
        places = [2 * i + c for i, c in coordinates]
        tables += [
            (f"{name}InputText", f"Input coordinates for {'any' if name == 'any' else 'a resting'} mouth: twice the landmark, and one more for y.", places, 1),
            (f"{name}MeanText", "Mean of each input over the drawn heads, beside the mean face, 0.01 mm.", mean_seen, 100),
            (f"{name}EncoderText", "Encoder: inputs × components, 1/10000.", encoder, 10000),
            (f"{name}DecoderText", "Decoder: components × landmarks, 1/10000.", decoder, 10000),
        ]
    print("import { type LowRankRegression, numbers } from './low_rank_regression.ts';\n")
    print("/**\n * Weights of the learnt depth (learnt_depth.ts), written by packages/portrait/training/learn.py; MODEL_CARD.md beside them says")
    print(" * what they were learnt from.\n */")
    for name, what, values, scale in tables:
        print(f"/** {what} */\nconst {name} = `\n{table(values, scale)}\n`;\n")
    print("""/** By point of `predictedLandmarks`: metres before the eyes' rims at the mean. */
export const meanDepth = numbers(depthText, 1e-5);

/** A regression from coordinates seen from the front. */
export interface DepthRegression extends LowRankRegression {
  /** Input coordinates, in order. */
  readonly inputs: readonly number[];
  /** By coordinate: metres beside the mean face at the training's mean. */
  readonly mean: Float64Array;
}

/** For any face, by landmarks that a mouth hardly moves. */
export const anyMouth: DepthRegression = {
  inputs: [...numbers(anyInputText, 1)],
  mean: numbers(anyMeanText, 1e-5),
  encoder: numbers(anyEncoderText, 1e-4),
  decoder: numbers(anyDecoderText, 1e-4),
};

/** For a mouth at rest, as the drawn heads' are. */
export const restingMouth: DepthRegression = {
  inputs: [...numbers(restingInputText, 1)],
  mean: numbers(restingMeanText, 1e-5),
  encoder: numbers(restingEncoderText, 1e-4),
  decoder: numbers(restingDecoderText, 1e-4),
};""")


if __name__ == "__main__":
    main()
