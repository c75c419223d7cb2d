import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedHead } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { type FaceNetworks, loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { readPhoto } from '../src/photo/photo.ts';
import { checkFace } from '../src/preflight/portrait_check.ts';
import { cropHead } from '../src/segment/head_crop.ts';
import { segment } from '../src/segment/segment.ts';
import { prepareSilhouette } from '../src/segment/silhouette.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const size = 640;
const drawn = (model: HeadModel, background: readonly [number, number, number]): Uint8Array =>
  renderHead(model, { size, height: 0.4, middle: 0.15, unlit: true, background }).data;

const photograph = async (model: HeadModel, background: readonly [number, number, number]) =>
  readPhoto(
    new Uint8Array(
      await sharp(drawn(model, background), { raw: { width: size, height: size, channels: 4 } })
        .removeAlpha()
        .png()
        .toBuffer(),
    ),
  );

/** What lies above the chin of the outline that is found, and of the head that was drawn. */
async function outlines(
  networks: FaceNetworks,
  model: HeadModel,
  background: readonly [number, number, number],
): Promise<{ both: number; either: number; score: number }> {
  const picture = await photograph(model, background);
  // What differs from a background of no head's colour is the head.
  const keyed = drawn(model, [0, 255, 0]);
  const { landmarks } = checkFace(networks, picture, true);
  const cut = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
  let [both, either] = [0, 0];
  for (let y = 0; y < cut.height; y++) {
    for (let x = 0; x < cut.width; x++) {
      if (cut.faceFrame(x + 0.5, y + 0.5)[1] < 0.05) continue;
      const { a, b, tx, ty } = cut.map;
      const px = Math.floor(a * (x + 0.5) - b * (y + 0.5) + tx);
      const py = Math.floor(b * (x + 0.5) + a * (y + 0.5) + ty);
      if (px < 0 || py < 0 || px >= size || py >= size) continue;
      const i = 4 * (py * size + px);
      const isHead = keyed[i]! !== 0 || keyed[i + 1]! !== 255 || keyed[i + 2]! !== 0;
      const isFound = cut.mask[y * cut.width + x]! > 127;
      if (isHead && isFound) both++;
      if (isHead || isFound) either++;
    }
  }
  return { both, either, score: cut.score };
}

describe('the outline of a head', () => {
  let networks: FaceNetworks;
  let model: HeadModel;
  beforeAll(async () => {
    networks = await loadFaceNetworks();
    model = await sharedHead('female');
  });

  it('is found before a wall as dark as its hair', async () => {
    const { both, either, score } = await outlines(networks, model, [62, 44, 33]);
    expect(both / either).toBeGreaterThan(0.93);
    expect(score).toBeGreaterThan(0.9);
  });

  it('leaves hair as far out as the network tells it', async () => {
    const picture = await photograph(model, [150, 170, 190]);
    const { landmarks } = checkFace(networks, picture, true);
    const seen = segment(networks.segmentation, cropHead(picture, landmarks)).hair;
    const { hair } = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
    const lost = hair.reduce((sum, share, i) => sum + Number(seen[i]! > 0.5 && share <= 0.5), 0);
    expect(lost).toBeLessThan(0.005 * seen.reduce((sum, share) => sum + Number(share > 0.5), 0));
  });

  it('is not sure where the network is not', async () => {
    const { segmentation } = networks;
    // Of what is beside the person half may be of it.
    const torn = {
      ...networks,
      segmentation: {
        run: (input: Float32Array) =>
          segmentation
            .run(input)
            .map((seen, i) => (i % 3 === 2 && Math.floor(i / 3) % 192 < 82 ? Math.max(seen, 0.45) : seen)),
      },
    };
    const { score } = await outlines(torn, model, [62, 44, 33]);
    expect(score).toBeLessThan(0.9);
  });
});
