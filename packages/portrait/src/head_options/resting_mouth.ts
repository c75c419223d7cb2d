import { vertexNormals } from '@likeness/geometry/vector.ts';
import type { HeadModel, Surface } from '../contract/head_model.ts';

/**
 * Lets the mouth rest as it was photographed, wholly or in part: the shapes that bring the photo's mouth back
 * become part of the face at rest. All targets move it from there as they did before.
 *
 * @param share - 0..1.
 */
export function withPhotoMouth(model: HeadModel, share: number): HeadModel {
  const weights = Object.entries(model.photoExpression ?? {}).map(
    ([name, weight]) => [model.targetNames.indexOf(name), weight * share] as const,
  );
  if (weights.length === 0) return model;
  const photoExpression = Object.fromEntries(
    Object.entries(model.photoExpression ?? {})
      .map(([name, weight]) => [name, Math.round(weight * (1 - share) * 100) / 100] as const)
      .filter(([, weight]) => weight > 0),
  );
  return { ...model, surfaces: model.surfaces.map((one) => moved(one, weights)), photoExpression };
}

function moved(surface: Surface, weights: readonly (readonly [number, number])[]): Surface {
  const points = Float32Array.from(surface.points);
  let max = 0;
  for (const [target, weight] of weights) {
    const move = surface.morphs?.[target];
    if (!move) continue;
    for (let i = 0; i < points.length; i++) {
      points[i] += weight * move[i];
      max = Math.max(max, Math.abs(weight * move[i]));
    }
  }
  if (max === 0) return surface;
  return { ...surface, points, normals: turned(surface, points) };
}

/** Normals turned as far as the surface turns: some (lashes, hair) aren't those of the triangles alone. */
function turned({ points: before, normals, triangles }: Surface, after: Float32Array): Float32Array {
  const was = vertexNormals(before, triangles);
  const is = vertexNormals(after, triangles);
  const out = normals.map((value, i) => value + is[i] - was[i]);
  for (let i = 0; i < out.length; i += 3) {
    const length = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    for (let c = 0; c < 3; c++) out[i + c] /= length;
  }
  return out;
}
