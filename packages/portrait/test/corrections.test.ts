import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { modelHead } from '../src/make_head.ts';
import { prepareOutline } from '../src/preflight/outline.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('corrections of the outline', () => {
  const crownOf = (head: HeadModel): number => {
    const { points } = head.surfaces.find((surface) => surface.name === 'Hair')!;
    return points.reduce((max, v, i) => (i % 3 === 1 ? Math.max(max, v) : max), 0);
  };
  let photo: Uint8Array;
  let plain: number;
  beforeAll(async () => {
    photo = await sharedPhoto('female');
    plain = crownOf((await sharedMadeHead('female')).model);
  });

  it('takes away hair that a stroke marks as background', async () => {
    const strokes = [0.19, 0.21, 0.23].map((y) => ({
      kind: 'background' as const,
      points: [0.28, y, 0.72, y],
      radius: 0.02,
    }));
    const { model } = await modelHead({ photo, sex: 'female', corrections: { strokes } });
    expect(crownOf(model)).toBeLessThan(plain - 0.003);
  });

  it('shows the same in the outline: a stroke and the crown move its top, and only there', async () => {
    const draw = await prepareOutline(photo);
    const extent = (corrections?: Partial<HeadCorrections>): { top: number; left: number } => {
      const ys: number[] = [];
      const xs: number[] = [];
      for (const ring of draw(corrections ?? null).rings)
        for (const [i, value] of ring.entries()) (i % 2 ? ys : xs).push(value);
      return { top: Math.min(...ys), left: Math.min(...xs) };
    };
    const found = extent();
    expect(draw(null).score).toBeGreaterThan(0.9);
    const stroke = { kind: 'background' as const, points: [0.25, 0.2, 0.75, 0.2], radius: 0.03 };
    expect(extent({ strokes: [stroke] }).top).toBeGreaterThan(found.top + 0.01);
    const raised = extent({ crown: 0.1 });
    expect(raised.top).toBeLessThan(found.top - 0.02);
    expect(raised.left).toBeCloseTo(found.left, 1);
  });

  it('raises the top by what the crown asks', async () => {
    const { model } = await modelHead({ photo, sex: 'female', corrections: { crown: 0.1 } });
    expect(crownOf(model)).toBeGreaterThan(plain + 0.008);
    expect(crownOf(model)).toBeLessThan(plain + 0.025);
  });
});
