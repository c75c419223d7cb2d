import { at, mix, scale, smoothstep, type Vector, vertexNormals } from '@likeness/geometry/vector.ts';
import type { Surface } from '../contract/head_model.ts';
import type { Expression } from '../expressions/expression.ts';
import { jawDisplacement, jawHinge } from '../expressions/jaw.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { buildMouthBag } from '../parts/mouth_bag.ts';
import { buildMouthInside, type MouthFrame, type MouthPart } from '../parts/mouth_parts.ts';
import { landmark } from '../topology/landmark.ts';
import { type Displacements, withVisemes } from './displacements.ts';
import { type MaterialName, material } from './head_materials.ts';

/**
 * Teeth, gums, tongue and the bag behind the lips.
 *
 * @param toBase - From the face frame to the neck base.
 * @param enamel - The teeth's colour, linear RGB.
 * @param mouthRoom - Half-width of the mouth's inside behind the cheeks, metres.
 */
export function mouthSurfaces(
  fit: FaceFit,
  fine: Float32Array,
  fineDeltas: readonly (Float32Array | undefined)[],
  expressions: readonly Expression[],
  toBase: (points: Float32Array) => Float32Array,
  enamel: Vector,
  mouthRoom: number,
): Surface[] {
  const mouth = mouthFrame(fit);
  const inside = buildMouthInside(mouth, enamel);
  const hinge = jawHinge(fit.neutral);
  const withJaw = (part: MouthPart, tongue: boolean): Displacements =>
    expressions.map((expression) => partDelta(part, expression, hinge, tongue, mouth));
  const bag = buildMouthBag(fine, mouth, fineDeltas, expressions, hinge, mouthRoom);
  return [
    partSurface('Teeth', 'Teeth', inside.teeth, withJaw(inside.teeth, false), toBase),
    partSurface('Gums', 'Gums', inside.gums, withJaw(inside.gums, false), toBase),
    partSurface('Tongue', 'Tongue', inside.tongue, withJaw(inside.tongue, true), toBase),
    partSurface('MouthBag', 'MouthInside', bag.part, bag.deltas, toBase),
  ];
}

/** A part of the head that stands on its joint, from the face frame; its normals are its triangles' unless it has some. */
export function partSurface(
  name: string,
  materialName: MaterialName,
  part: Pick<Surface, 'points' | 'triangles'> & Partial<Surface>,
  deltas: Displacements,
  toBase: (points: Float32Array) => Float32Array,
): Surface {
  const { points, triangles, normals = vertexNormals(points, triangles), uv, colours, patches } = part;
  return {
    name,
    material: material(materialName),
    node: 'Head',
    points: toBase(points),
    normals,
    ...(uv ? { uv } : {}),
    ...(colours ? { colours } : {}),
    triangles,
    ...(patches ? { patches } : {}),
    morphs: withVisemes(deltas),
  };
}

function mouthFrame(fit: FaceFit): MouthFrame {
  const face = fit.neutral;
  const { upperLipInner, lowerLipInner, leftMouthCornerInner: left, rightMouthCornerInner: right } = landmark;
  const middle = mix(at(face, upperLipInner), at(face, lowerLipInner), 0.5);
  return {
    middle: [0, middle[1], middle[2]],
    halfWidth: (face[3 * left] - face[3 * right]) / 2,
    cornerDepth: middle[2] - (face[3 * left + 2] + face[3 * right + 2]) / 2,
  };
}

/** Moves teeth, gums and tongue with the jaw; the tongue can come out. */
function partDelta(
  part: MouthPart,
  expression: Expression,
  hinge: Vector,
  tongue: boolean,
  mouth: MouthFrame,
): Float32Array | undefined {
  if (!expression.jaw && !(tongue && expression.tongueOut)) return undefined;
  const delta = new Float32Array(part.points.length);
  for (let i = 0; i < part.jaw.length; i++) {
    const p = at(part.points, i);
    if (expression.jaw && part.jaw[i] > 0) {
      delta.set(scale(jawDisplacement(p, hinge, expression.jaw), part.jaw[i]), 3 * i);
    }
    if (tongue && expression.tongueOut) {
      // Over the lower teeth, early enough for the tip to show between the teeth at the weight of a "th".
      const t = smoothstep(mouth.middle[2] - 0.058, mouth.middle[2] - 0.008, p[2]);
      delta.set([0.04 * (p[0] - mouth.middle[0]) * t, 0.0675 * t ** 2 * (1 - t), 0.033 * t], 3 * i);
    }
  }
  return delta;
}
