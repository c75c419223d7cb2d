import { vertexNormals } from '@likeness/geometry/vector.ts';
import type { Surface } from '../contract/head_model.ts';
import type { Expression, Side } from '../expressions/expression.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { buildCornea, buildEyeball, type EyeSurface } from '../parts/eyeballs.ts';
import { withVisemes } from './displacements.ts';
import { material } from './head_materials.ts';

/** Eyeball and cornea of one side, about the eye's centre. */
export function eyeSurfaces(fit: FaceFit, side: Side, expressions: readonly Expression[]): Surface[] {
  const isLeft = side === 'left';
  const { irisRadius } = isLeft ? fit.leftEye : fit.rightEye;
  const surface = (name: string, shape: EyeSurface, materialIndex: number): Surface => ({
    name: `${isLeft ? 'Left' : 'Right'}${name}`,
    material: materialIndex,
    node: isLeft ? 'LeftEye' : 'RightEye',
    points: shape.points,
    normals: vertexNormals(shape.points, shape.triangles),
    uv: shape.uv,
    triangles: shape.triangles,
    morphs: withVisemes(expressions.map((expression) => gazeDelta(shape, expression, side))),
  });
  return [
    surface('Eyeball', buildEyeball(irisRadius), material(isLeft ? 'EyeLeft' : 'EyeRight')),
    surface('Cornea', buildCornea(irisRadius), material('Cornea')),
  ];
}

/** An eyeball's displacement when it turns about its centre. */
function gazeDelta(surface: EyeSurface, expression: Expression, side: Side): Float32Array | undefined {
  const gaze = expression.gaze;
  if (gaze?.side !== side) return undefined;
  const delta = new Float32Array(surface.points.length);
  const cx = Math.cos(gaze.down);
  const sx = Math.sin(gaze.down);
  const cy = Math.cos(gaze.left);
  const sy = Math.sin(gaze.left);
  for (let i = 0; i < delta.length; i += 3) {
    const [x, y, z] = [surface.points[i], surface.points[i + 1], surface.points[i + 2]];
    const y1 = y * cx - z * sx;
    const z1 = y * sx + z * cx;
    delta[i] = x * cy + z1 * sy - x;
    delta[i + 1] = y1 - y;
    delta[i + 2] = -x * sy + z1 * cy - z;
  }
  return delta;
}
