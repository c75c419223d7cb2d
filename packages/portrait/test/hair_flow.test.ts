import { describe, expect, it } from 'vitest';
import type { FaceFit } from '../src/fit/face_fit.ts';
import { findFlow } from '../src/hair/hair_flow.ts';
import type { Silhouette } from '../src/matte/silhouette.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';

const side = 200;

/** Half a ball of 10 cm from the face, row 0, to the back; columns go round from the chin. */
const points = (() => {
  const out = new Float32Array(3 * (craniumRows + 1) * craniumColumns);
  for (let i = 0; i < out.length / 3; i++) {
    const round = (2 * Math.PI * ((i % craniumColumns) + craniumColumns / 2)) / craniumColumns;
    const back = Math.PI * (0.15 + 0.8 * (Math.floor(i / craniumColumns) / craniumRows));
    const r = 0.1 * Math.sin(back);
    out.set([r * Math.sin(round), r * Math.cos(round), 0.1 * Math.cos(back)], 3 * i);
  }
  return out;
})();

/** A camera straight in front: the ball fills the picture. */
const pose = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], scale: 1000, tx: 100, ty: 100, distance: 1e9 };

/** The flow where the picture shows strands at an angle (from the upright, radians) by pixel; none where it is NaN. */
function flowFrom(angleAt: (x: number, y: number) => number): Float32Array {
  const orientation = {
    x: new Float32Array(side * side),
    y: new Float32Array(side * side),
    sure: new Float32Array(side * side),
  };
  for (let i = 0; i < side * side; i++) {
    const angle = angleAt(i % side, Math.floor(i / side));
    if (Number.isNaN(angle)) continue;
    orientation.x[i] = Math.sin(angle);
    orientation.y[i] = Math.cos(angle);
    orientation.sure[i] = 1;
  }
  const cut = {
    width: side,
    height: side,
    toCrop: (x: number, y: number) => [x, y],
  } as unknown as Silhouette;
  const fit = { pose } as unknown as FaceFit;
  return findFlow(points, () => 1, { fit, cut, orientation }).along;
}

/** The largest turn, degrees, between neighbours round the head at its sides, where hair falls. */
function sharpestTurn(along: Float32Array): number {
  let min = 1;
  for (let row = 4; row < craniumRows - 4; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = row * craniumColumns + k;
      const j = row * craniumColumns + ((k + 1) % craniumColumns);
      if (Math.abs(points[3 * i]!) < 0.04 || points[3 * i + 1]! > 0.05) continue;
      let cosine = 0;
      for (let c = 0; c < 3; c++) cosine += along[3 * i + c]! * along[3 * j + c]!;
      min = Math.min(min, cosine);
    }
  }
  return (180 / Math.PI) * Math.acos(min);
}

describe('the way of the hair', () => {
  const leaning = (): number => 0.5;

  it('is the photo’s where strands are seen', () => {
    const along = flowFrom(leaning);
    // Beside the face, in front: strands that lean to one side in the picture do so on the head.
    const i = 8 * craniumColumns + craniumColumns / 4;
    const lean = Math.abs(Math.atan2(along[3 * i]!, along[3 * i + 1]!));
    expect(Math.min(lean, Math.PI - lean)).toBeGreaterThan(0.25);
  });

  it('has no whorl about a patch that shows strands lying across all others', () => {
    const across = (x: number, y: number): number =>
      (x - 160) ** 2 + (y - 110) ** 2 < 18 ** 2 ? 1.9 : leaning();
    // Believed as they are, they turn the hair by 40° within a cell.
    expect(sharpestTurn(flowFrom(across))).toBeLessThan(20);
  });
});
