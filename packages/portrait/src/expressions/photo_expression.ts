import { type ArkitBlendshapeName, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { leftCheek, lowerLip, rightCheek, upperLip } from '../topology/face_topology.ts';
import type { Expression } from './expression.ts';

/** The shapes that can undo what closing a mouth did. */
const mouthShapes: readonly ArkitBlendshapeName[] = [
  'jawOpen',
  'mouthUpperUpLeft',
  'mouthUpperUpRight',
  'mouthLowerDownLeft',
  'mouthLowerDownRight',
  'mouthFunnel',
  'mouthShrugUpper',
  'mouthRollLower',
  'mouthRollUpper',
  'mouthSmileLeft',
  'mouthSmileRight',
  'mouthStretchLeft',
  'mouthStretchRight',
];

/** Landmarks that tell whether the shapes bring the photo's mouth back, and by how much each counts. */
const watched: readonly (readonly [number, number])[] = [
  ...[...upperLip, ...lowerLip].flatMap((row, k) => row.map((i) => [i, k % 4 === 3 ? 2 : 1] as const)),
  // What the closing left where it was has to stay there.
  ...[152, 148, 377, 176, 400, 149, 378, 199, 175, rightCheek, leftCheek].map((i) => [i, 0.5] as const),
];

/**
 * The ARKit weights (0..1) that bring the photo's own mouth back on a head whose mouth was closed: least
 * squares over the lips' landmarks by coordinate descent. Empty when the mouth was closed in the photo.
 */
export function photoExpression(
  fit: FaceFit,
  expressions: readonly Expression[],
): Partial<Record<ArkitBlendshapeName, number>> {
  const length = watched.length * 3;
  const rest = new Float64Array(length);
  const read = (values: Float32Array, out: Float64Array, sign: number): void => {
    for (const [n, [i, share]] of watched.entries())
      for (let c = 0; c < 3; c++) out[3 * n + c] = sign * Math.sqrt(share) * values[3 * i + c];
  };
  read(fit.closing, rest, -1);
  const shapes = mouthShapes.flatMap((name) => {
    const skin = expressions[arkitBlendshapeNames.indexOf(name)]?.skin;
    if (!skin) return [];
    const moves = new Float64Array(length);
    read(skin, moves, 1);
    return [{ name, moves, size: moves.reduce((sum, v) => sum + v * v, 0), weight: 0 }];
  });
  for (let round = 0; round < 40; round++) {
    for (const shape of shapes) {
      const weight = Math.min(1, Math.max(0, shape.weight + product(shape.moves, rest) / shape.size));
      const change = weight - shape.weight;
      if (change === 0) continue;
      shape.weight = weight;
      subtractShare(rest, shape.moves, change);
    }
  }
  return Object.fromEntries(
    shapes
      .map(({ name, weight }) => [name, Math.round(weight * 100) / 100] as const)
      .filter(([, weight]) => weight >= 0.02),
  );
}

// Functions of their own: V8 keeps the code of what is called often.
function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function subtractShare(from: Float64Array, values: Float64Array, share: number): void {
  for (let i = 0; i < from.length; i++) from[i] -= share * values[i];
}
