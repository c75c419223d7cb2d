import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { hairStyles } from '@likeness/proto/heads/hair_style.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { photograph } from '../../../test/support/drawn_photo.ts';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { outputChannels } from '../src/landmarks/segmentation_network.ts';
import { modelHead } from '../src/make_head.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const hasHair = ({ surfaces }: HeadModel): boolean => surfaces.some(({ name }) => name === 'Hair');

/** How light the back of the head is, well above the ears, 0..255. */
function backOf(model: HeadModel): number {
  const { data, width, height } = renderHead(model, { yaw: 180, size: 200, unlit: true });
  let sum = 0;
  let n = 0;
  for (let y = Math.round(0.25 * height); y < 0.4 * height; y++) {
    for (let x = Math.round(0.44 * width); x < 0.56 * width; x++) {
      const i = 4 * (y * width + x);
      sum += (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
      n++;
    }
  }
  return sum / n;
}

describe('the hair that was asked for', () => {
  const made: Record<string, HeadModel> = {};
  beforeAll(async () => {
    made.seen = (await sharedMadeHead('male')).model;
    const photo = await sharedPhoto('male');
    for (const hair of ['bald', 'shaved'] as const)
      made[hair] = (await modelHead({ photo, sex: 'male', hair })).model;
  });

  it('is its own surface, which a bald and a shaved head have not', () => {
    expect(hasHair(made.seen!)).toBe(true);
    expect(hasHair(made.bald!)).toBe(false);
    expect(hasHair(made.shaved!)).toBe(false);
    expect(made.shaved!.extras).toMatchObject({ hair: 'shaved' });
    expect(made.seen!.extras).not.toHaveProperty('hair');
  });

  it('leaves skin on a bald head, and stubble between skin and hair on a shaved one', () => {
    const [seen, bald, shaved] = hairStyles.map((style) => backOf(made[style]!)) as [number, number, number];
    expect(shaved).toBeLessThan(bald - 15);
    expect(shaved).toBeGreaterThan(seen + 15);
  });

  it('is none where the photo shows a bald head, and nobody need look at the outline', async () => {
    const { png } = await photograph(made.bald!);
    const { model, report } = await modelHead({ photo: png, sex: 'male' });
    expect(hasHair(model)).toBe(false);
    expect(report.warnings).not.toContain('uncertain_outline');
    expect(report.warnings).not.toContain('uncertain_hair');
    expect(model.extras).not.toHaveProperty('uncertain');
  });

  it('is named in the file as uncertain where the engine is unsure, until a person has corrected the outline', async () => {
    const { segmentation } = await loadFaceNetworks();
    const run = segmentation.run.bind(segmentation);
    const thin = vi
      .spyOn(segmentation, 'run')
      .mockImplementation((input) =>
        run(input).map((share, i) => (i % outputChannels ? share : 0.4 * share)),
      );
    const order = { photo: await sharedPhoto('male'), sex: 'male' as const };
    try {
      expect((await modelHead(order)).model.extras).toMatchObject({ uncertain: ['hair', 'outline'] });
      const corrected = await modelHead({ ...order, corrections: { strokes: [], crown: 0.1 } });
      expect(corrected.model.extras).not.toHaveProperty('uncertain');
    } finally {
      thin.mockRestore();
    }
  });
});
