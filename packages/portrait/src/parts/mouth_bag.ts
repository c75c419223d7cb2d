import { at, mix, scale, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import { type Patch, pairOfCells } from '../contract/patches.ts';
import type { Expression } from '../expressions/expression.ts';
import { jawDisplacement } from '../expressions/jaw.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { MouthFrame, MouthPart } from './mouth_parts.ts';
import shape from './mouth_shape.json' with { type: 'json' };

/** Rows of the bag behind the lips: mm behind the rim, share of the throat's shape, light. */
const rows: readonly (readonly number[])[] = shape.bagRows;

/**
 * The inside of cheeks and lips as a bag that hangs on the mouth's rim and closes in the throat; `room` is
 * half its width, metres.
 */
export function buildMouthBag(
  fine: Float32Array,
  mouth: MouthFrame,
  fineDeltas: readonly (Float32Array | undefined)[],
  expressions: readonly Expression[],
  hinge: Vector,
  room: number,
): { part: MouthPart; deltas: (Float32Array | undefined)[] } {
  const ring = fineFace.mouthRim;
  const n = ring.length;
  const count = rows.length * n;
  const points = new Float32Array(count * 3);
  const colours = new Float32Array(count * 3);
  const jaw = new Float32Array(count);
  const lower = new Float32Array(n);
  const reach = Math.min(room, mouth.halfWidth + 0.002);
  for (let r = 0; r < rows.length; r++) {
    const [depth, share, light] = rows[r];
    for (let k = 0; k < n; k++) {
      const rim = at(fine, ring[k]);
      // k runs from the right corner over the upper lip to the left one and back below.
      const angle = Math.PI - (2 * Math.PI * k) / n;
      lower[k] = smoothstep(0.15, -0.25, Math.sin(angle));
      // Lips and cheeks curve back around the teeth, so the bag has to stay behind them.
      const wide: Vector = [
        mouth.middle[0] + Math.cos(angle) * reach,
        mouth.middle[1] + Math.sin(angle) * (Math.sin(angle) > 0 ? 0.02 : 0.024),
        mouth.middle[2] - 0.006 - (0.004 + 0.9 * mouth.cornerDepth) * Math.cos(angle) ** 2,
      ];
      const p = mix(rim, wide, share);
      p[2] -= depth * 0.001;
      const i = r * n + k;
      points.set(p, 3 * i);
      // The palate is paler than cheeks and floor, and light from before falls on it.
      const roof = (1 - lower[k]) * smoothstep(4, 12, depth) * smoothstep(50, 34, depth);
      const lit = light * (1 + 0.45 * roof);
      colours.set(
        [(0.36 + 0.05 * roof) * lit, (0.1 + 0.045 * roof) * lit, (0.09 + 0.035 * roof) * lit],
        3 * i,
      );
      jaw[i] = lower[k];
    }
  }
  const list: Patch[] = [];
  for (let r = 0; r + 1 < rows.length; r++) {
    for (let k = 0; k < n; k += 2) {
      const upper = [k, k + 1, (k + 2) % n].map((column) => r * n + column);
      list.push(
        pairOfCells(
          upper,
          upper.map((vertex) => vertex + n),
        ),
      );
    }
  }
  const triangles = list.flatMap((patch) => patch.triangles);
  const last = (rows.length - 1) * n;
  for (let k = 1; k + 1 < n; k++) triangles.push(last, last + k + 1, last + k);
  const deltas = expressions.map((expression, e) => {
    const skin = fineDeltas[e];
    if (!skin && !expression.jaw) return undefined;
    const delta = new Float32Array(count * 3);
    for (let r = 0; r < rows.length; r++) {
      for (let k = 0; k < n; k++) {
        // Cheeks lie against the teeth however far the lips are drawn over them.
        const t = smoothstep(0, 26 - 15 * Math.cos((2 * Math.PI * k) / n) ** 2, rows[r][0]);
        const i = r * n + k;
        const throat = smoothstep(60, 25, rows[r][0]);
        const inner: Vector = expression.jaw
          ? scale(jawDisplacement(at(points, i), hinge, expression.jaw), lower[k] * throat)
          : [0, 0, 0];
        for (let c = 0; c < 3; c++) {
          const rim = skin ? skin[3 * ring[k] + c] : 0;
          delta[3 * i + c] = rim * (1 - t) + inner[c] * t;
        }
      }
    }
    return delta;
  });
  // The rim is the skin's, and the throat's end is closed with all of its ring.
  const rims = new Set(Array.from({ length: n }, (_, k) => [k, last + k]).flat());
  return {
    part: { points, colours, jaw, triangles: Uint32Array.from(triangles), patches: { list, rims } },
    deltas,
  };
}
