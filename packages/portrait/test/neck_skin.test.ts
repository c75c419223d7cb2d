import { expect, it } from 'vitest';
import type { AssembledSkin } from '../src/appearance/appearance.ts';
import { paintNeck } from '../src/appearance/neck_skin.ts';
import type { FaceFit } from '../src/fit/face_fit.ts';
import { craniumVertex, skinPatches } from '../src/skull/skin_patches.ts';
import { type Cranium, craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { blankCanvas } from '../src/texture/texture_fill.ts';
import { fineFace } from '../src/topology/fine_face.ts';

/** Rings about the middle of the layout, the face's oval at a radius of .2 and the last row at .45. */
function rings(): AssembledSkin {
  const count = fineFace.count + craniumRows * craniumColumns;
  const uv = new Float32Array(count * 2).fill(0.5);
  for (let row = 0; row <= craniumRows; row++)
    for (let k = 0; k < craniumColumns; k++) {
      const angle = (2 * Math.PI * k) / craniumColumns;
      const radius = 0.2 + (0.25 * row) / craniumRows;
      uv.set([0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)], 2 * craniumVertex(row, k));
    }
  return {
    points: new Float32Array(count * 3),
    normals: new Float32Array(count * 3),
    uv,
    photo: new Float32Array(count * 2),
    trust: new Float32Array(count),
    triangles: Uint32Array.from(skinPatches.list.flatMap((patch) => patch.triangles)),
    headShare: new Float32Array(count),
    deltas: [],
    light: new Float32Array(count),
    earTriangles: [0, 0],
  };
}

it('paints a neck without holes: every second triangle of it was stripes', () => {
  const size = 256;
  const canvas = blankCanvas(size);
  const cranium = {
    columnDistance: new Float32Array((craniumRows + 1) * craniumColumns).fill(0.1),
  } as Partial<Cranium> as Cranium;
  const fit = { neutral: new Float32Array(3 * 468) } as Partial<FaceFit> as FaceFit;
  paintNeck(canvas, rings(), cranium, fit, [200, 150, 130]);
  for (let i = 0; i < size * size; i++) {
    const far = Math.hypot((i % size) - 127.5, Math.floor(i / size) - 127.5) / size;
    if (far < 0.22 || far > 0.44) continue;
    expect(canvas.weight[i], `pixel ${i}`).toBeGreaterThan(0.05);
  }
});
