"""Learns what a profile tells of a face: python3 learn_profile.py <mesh.json> <profiles.jsonl>... > profile_weights.ts

A drawn head has the depth that the engine tells of its front, how much further forward its middle line lies in a profile
(draw_profiles.ts), and its true depth. What the first lacks of the last is told by the second: ridge regression about
nothing, so that a face in which the profile shows what its front told stays as it is. Needs numpy and ../shared/shapes.
"""

import json
import sys

import numpy as np

from learn import Mesh, correspond, depth_of, in_frame, read_shapes, table

COMPONENTS = 16
NOISE = 0.5  # mm, of a point of the middle line, for what drawn profiles don't have
# The middle line from the hairline to the chin: `middleLine` of profile_line.ts.
MIDDLE = [10, 151, 9, 8, 168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 164, 0, 11, 12, 13, 14, 15, 16, 17, 18, 200, 199, 175, 152]
MOST_RESIDUAL = 0.0008  # m, above which the engine takes no outline for the face's


def level(off, mesh):
    """Without the lean of the middle line: it can't be told from how the head is held."""
    height = mesh.mean[:, 1] - mesh.mean[mesh.rims, 1].mean()
    lean = np.polyfit(height[MIDDLE], off[MIDDLE], 1)[0]
    return off - lean * height


def read(paths, mesh):
    """By drawn head: how much further forward its profile shows the middle line, and how much its points lie, mm."""
    info, mean, basis, triangles, regions = read_shapes()
    outer, faces, places = correspond(mesh, info, mean, triangles, regions)
    seen, lacking = [], []
    for path in paths:
        for line in open(path):
            head = json.loads(line)
            if head["forward"] is None or head["residual"] > MOST_RESIDUAL:
                continue
            predicted = np.array(head["predicted"]).reshape(-1, 3) * 1000
            true = in_frame(head, mean + np.tensordot(head["coefficients"], basis, 1))
            surface = mesh.refine @ mesh.both(predicted)[:, 2]
            off = depth_of(mesh, predicted, true, triangles, outer, faces, places) - (surface - surface[mesh.rims].mean())
            seen.append(np.array(head["forward"]) * 1000)
            lacking.append(level(off, mesh)[mesh.half])
    return np.array(seen), np.array(lacking)


def fit(seen, lacking):
    return np.linalg.solve(seen.T @ seen + len(seen) * NOISE**2 * np.eye(seen.shape[1]), seen.T @ lacking)


def main():
    mesh = Mesh(sys.argv[1])
    seen, lacking = read(sys.argv[2:], mesh)
    guess = np.zeros_like(lacking)
    for part in range(5):
        is_out = np.arange(len(seen)) % 5 == part
        guess[is_out] = seen[is_out] @ fit(seen[~is_out], lacking[~is_out])
    off, before = np.sqrt(((guess - lacking) ** 2).mean()), np.sqrt((lacking**2).mean())
    print(f"{len(seen)} heads; off by {off:.2f} mm, from the front alone by {before:.2f}", file=sys.stderr)

    weights = fit(seen, lacking)
    _, _, components = np.linalg.svd(seen @ weights, full_matrices=False)
    decoder = components[:COMPONENTS]
    encoder = weights @ decoder.T
    size = np.abs(encoder).max(0)
    decoder *= size[:, None]
    encoder /= size
    print(f"""import {{ type LowRankRegression, numbers }} from '../fit/low_rank_regression.ts';

/**
 * Weights of the learnt profile (profile_shape.ts), written by packages/portrait/training/learn_profile.py;
 * fit/MODEL_CARD.md names the training data.
 */
/** Encoder: points of the middle line × components, 1/1000. */
const encoderText = `
{table(encoder, 1000)}
`;

/** Decoder: components × landmarks, 1/1000. */
const decoderText = `
{table(decoder, 1000)}
`;

export const profileRegression: LowRankRegression = {{
  encoder: numbers(encoderText, 1e-3),
  decoder: numbers(decoderText, 1e-3),
}};""")



if __name__ == "__main__":
    main()
