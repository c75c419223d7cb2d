import { scale, vertexNormals } from '@likeness/geometry/vector.ts';
import type { HeadModel, Surface } from '../contract/head_model.ts';
import type { PhotoPlane } from '../fit/photo_plane.ts';

/** A head of another size, with all that is on it; `factor` 1 leaves it. */
export function resizedHead(model: HeadModel, factor: number): HeadModel {
  const sized = (values: Float32Array): Float32Array => values.map((value) => value * factor);
  const { neckBase } = model;
  return {
    ...model,
    surfaces: model.surfaces.map((surface) => ({
      ...surface,
      points: sized(surface.points),
      ...(surface.morphs ? { morphs: surface.morphs.map((one) => one && sized(one)) } : {}),
    })),
    headPivot: scale(model.headPivot, factor),
    leftEye: scale(model.leftEye, factor),
    rightEye: scale(model.rightEye, factor),
    ...(neckBase ? { neckBase: scale(neckBase, factor) } : {}),
  };
}

/** A wider or slimmer neck: what bends with it moves from or to its axis; the head above stays. */
export const withNeck = (model: HeadModel, factor: number): HeadModel => ({
  ...model,
  surfaces: model.surfaces.map((surface) => (surface.headShare ? widened(surface, factor) : surface)),
});

function widened(surface: Surface, factor: number): Surface {
  const share = surface.headShare!;
  const points = Float32Array.from(surface.points);
  for (let i = 0; i < share.length; i++) {
    const grow = 1 + (factor - 1) * (1 - share[i]);
    points[3 * i] *= grow;
    points[3 * i + 2] *= grow;
  }
  return {
    ...surface,
    points,
    normals: surface.name === 'Skin' ? vertexNormals(points, surface.triangles) : surface.normals,
  };
}

/** A photo behind a head of another size. */
export const resizedPlane = (plane: PhotoPlane, factor: number): PhotoPlane => ({
  ...plane,
  middle: [plane.middle[0] * factor, plane.middle[1] * factor],
  width: plane.width * factor,
  height: plane.height * factor,
});
