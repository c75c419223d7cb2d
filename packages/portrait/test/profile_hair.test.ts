import { expect, it, vi } from 'vitest';
import { photograph } from '../../../test/support/drawn_photo.ts';
import { sharedHead } from '../../../test/support/shared_heads.ts';
import type { HeadModel, Raster } from '../src/contract/head_model.ts';
import { modelHead } from '../src/make_head.ts';
import { walkTriangles } from '../src/texture/texture_fill.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const hairOf = (model: HeadModel): Raster => model.rasters.find(({ name }) => name === 'Hair')!;

/** Visits the picture's pixels of hair that lies behind the ears, by how far forward it lies (metres), and by its side. */
function behindEars(
  model: HeadModel,
  [from, to]: readonly [number, number],
  visit: (pixel: number, left: boolean) => void,
): void {
  const { points, uv, triangles } = model.surfaces.find(({ name }) => name === 'Hair')!;
  const { width, height } = hairOf(model);
  const layout = uv!.map((share, i) => (i % 2 ? (share * height) / width : share));
  const back = triangles.filter((_, i) => {
    const corners = [0, 1, 2].map((k) => triangles[3 * Math.floor(i / 3) + k]!);
    const z = corners.reduce((sum, v) => sum + points[3 * v + 2]! / 3, 0);
    const y = corners.reduce((sum, v) => sum + points[3 * v + 1]! / 3, 0);
    return z < from && z > to && y > 0.15;
  });
  walkTriangles(width, layout, back, (pixel, a) => visit(pixel, points[3 * a]! > 0));
}

/** The drawn head with red hair behind its ears, which no photo from the front shows. */
function withRedBack(model: HeadModel): HeadModel {
  const hair = hairOf(model);
  const data = Uint8Array.from(hair.data);
  behindEars(model, [-0.01, -1], (pixel) => {
    data[3 * pixel] = Math.min(255, 1.8 * hair.data[3 * pixel]!);
  });
  return { ...model, rasters: model.rasters.map((raster) => (raster === hair ? { ...hair, data } : raster)) };
}

/** Share of the hair behind each ear that is red rather than brown. */
function redShare(model: HeadModel): { left: number; right: number } {
  const { data } = hairOf(model);
  const [count, red] = [
    [0, 0],
    [0, 0],
  ];
  behindEars(model, [-0.03, -0.05], (pixel, left) => {
    const side = left ? 0 : 1;
    count[side]!++;
    if (data[3 * pixel]! > 2.4 * data[3 * pixel + 2]!) red[side]!++;
  });
  return { left: red[0]! / count[0]!, right: red[1]! / count[1]! };
}

it('hair that only a photo from the side shows is painted as it shows it, on the other side too', async () => {
  const model = withRedBack(await sharedHead('female'));
  const photo = (await photograph(model, { yaw: 0 })).png;
  const profile = (await photograph(model, { yaw: 90 })).png;
  const alone = await modelHead({ photo, sex: 'female' });
  const made = await modelHead({ photo, others: [profile], sex: 'female' });
  expect(made.report.photos).toMatchObject([{ used: true, view: 'leftProfile' }]);
  expect(redShare(alone.model)).toEqual({ left: 0, right: 0 });
  // The photo with its nose to the right shows the subject's right side.
  const { left, right } = redShare(made.model);
  expect(right).toBeGreaterThan(0.4);
  expect(left).toBeGreaterThan(0.3);
});
