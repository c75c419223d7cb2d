import { at, clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { Sex } from '../contract/head_request.ts';
import { type Cranium, craniumColumns, craniumRows, gridNormals } from './skull.ts';

const bell = (x: number, width: number): number => Math.exp(-((x / width) ** 2));

/** Relief of muscles and larynx on the round neck, by sex; metres. */
const build = {
  female: { strap: 0.0026, larynx: 0.0012, larynxWidth: 0.013, shoulder: 0.017, nape: 0.007 },
  male: { strap: 0.0042, larynx: 0.0048, larynxWidth: 0.0085, shoulder: 0.024, nape: 0.011 },
} as const;

/**
 * Shapes the round neck, in place: the sternocleidomastoid from behind the ear to the notch between the collar bones,
 * hollows beside it, larynx and windpipe. The neck widens to the shoulders; its lower edge turns in. `halfWidth` is
 * what the photo shows of its width, metres.
 */
export function shapeNeck(cranium: Cranium, sex: Sex, halfWidth?: number): void {
  const { points, neckBase, neckTop, neckRadius, columnDistance } = cranium;
  const { strap, larynx, larynxWidth, shoulder, nape } = build[sex];
  const normals = gridNormals(points);
  const wide = halfWidth ? clamp(1 + 0.6 * (halfWidth / neckRadius - 1), 0.94, 1.12) - 1 : 0;
  const edge = Float32Array.from(
    { length: craniumColumns },
    (_, k) => points[3 * (craniumRows * craniumColumns + k) + 1],
  );
  const lean = (neckBase[2] - neckTop[2]) / (neckBase[1] - neckTop[1]);
  for (let row = 1; row <= craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = row * craniumColumns + k;
      const [x, y, z] = at(points, i);
      const up = y - edge[k];
      if (up > 0.12) continue;
      const depth = z - (neckTop[2] + lean * (y - neckTop[1]));
      const around = Math.hypot(x, depth);
      const [rx, rz] = [x / around, depth / around];
      const facing = normals[3 * i] * rx + normals[3 * i + 2] * rz;
      const share =
        smoothstep(0.35, 0.8, facing) *
        smoothstep(1.5, 1.25, around / neckRadius) *
        smoothstep(0.012, 0.04, columnDistance[i]);
      if (!share) continue;
      const angle = Math.abs(Math.atan2(rx, rz));
      const rise = clamp(up / 0.1, 0, 1);
      // From the notch, some 10 mm beside the middle, round to behind the jaw.
      const path = 0.24 + 1.5 * rise ** 0.9;
      const belly = strap * (0.75 + 0.25 * Math.sin(Math.PI * rise)) * smoothstep(1.06, 0.8, rise);
      let out = belly * bell(angle - path, 0.17 + 0.08 * rise);
      out -= 0.55 * strap * bell(angle - path - 0.5, 0.22) * smoothstep(0.9, 0.3, rise);
      out -= 0.5 * strap * bell(angle - 0.55 * path, 0.2 * path) * smoothstep(0.12, 0.4, rise);
      out -= 0.0045 * bell(angle, 0.17) * bell(up, 0.011);
      out += larynx * bell(x, larynxWidth) * bell(up - 0.034, 0.0085) * Math.max(0, rz);
      out += 0.0014 * bell(x, 0.012) * bell(up - 0.016, 0.013) * Math.max(0, rz);
      // Trapezius and collar bones.
      const side = bell(angle - 1.85, 0.72);
      out += (0.002 + shoulder * side + nape * smoothstep(2, 3, angle)) * Math.exp(-up / 0.017);
      points[3 * i] = x * (1 + wide * share) + rx * out * share;
      points[3 * i + 2] = z + (depth * wide + rz * out) * share;
    }
  }
  turnEdgeIn(cranium);
}

/** Ends the neck in a rounded edge: the last row but one takes the edge's place, the last goes on inwards. */
function turnEdgeIn({ points, neckBase }: Cranium): void {
  for (let k = 0; k < craniumColumns; k++) {
    const last = craniumRows * craniumColumns + k;
    const before = last - craniumColumns;
    const p = at(points, last);
    points.set([p[0], p[1] + 0.0012, p[2]], 3 * before);
    points.set([p[0] * 0.9, p[1] + 0.0004, neckBase[2] + (p[2] - neckBase[2]) * 0.9], 3 * last);
  }
}
