import sharp from 'sharp';
import { beforeAll, expect, it, vi } from 'vitest';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import { writeGlb } from '../src/gltf/write_glb.ts';
import { makeHead, modelHead } from '../src/make_head.ts';
import { reportPhoto } from '../src/preflight/photo_report.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** The drawn head from the front and from its left. */
let plain: { front: Uint8Array; half: Uint8Array; profile: Uint8Array };
beforeAll(async () => {
  plain = {
    front: await sharedPhoto('female'),
    half: await sharedPhoto('femaleHalf'),
    profile: await sharedPhoto('femaleProfile'),
  };
});

it('no further photos give the same bytes as none', async () => {
  const empty = await makeHead({ photo: plain.front, sex: 'female', others: [] });
  const alone = await writeGlb((await sharedMadeHead('female')).model);
  expect(Buffer.compare(empty.glb, alone)).toBe(0);
  expect(empty.report.photos).toBeUndefined();
});

it('uses what it can, leaves out the rest and tells why; the same photos give the same head', async () => {
  const wall = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#8899aa' } })
    .png()
    .toBuffer();
  const blurred = await sharp(plain.half).blur(12).png().toBuffer();
  const request = {
    photo: plain.front,
    others: [
      plain.profile,
      new Uint8Array(wall),
      plain.half,
      new Uint8Array(blurred),
      Buffer.from('no photo'),
    ],
    sex: 'female',
  } as const;
  const { report, model } = await modelHead(request);
  expect(report.photos).toMatchObject([
    { index: 1, used: true, view: 'leftProfile', yaw: 90 },
    { index: 2, used: false, view: null, yaw: null },
    { index: 3, used: true, view: 'left' },
    { index: 4, used: false },
    { index: 5, used: false, view: null, yaw: null },
  ]);
  for (const { used, reason } of report.photos!) expect(reason === undefined).toBe(used);
  const reasons = report.photos!.flatMap(({ reason }) => (reason ? [reason.en, reason.zh] : []));
  expect(reasons).toHaveLength(6);
  for (const text of reasons) expect(text.length).toBeGreaterThan(5);
  expect(report.photos![2]!.yaw).toBeGreaterThan(20);
  const again = await modelHead(request);
  for (const [i, { points }] of model.surfaces.entries())
    expect(Buffer.from(again.model.surfaces[i]!.points.buffer).equals(Buffer.from(points.buffer))).toBe(true);
  expect(again.model.rasters[0]!.data).toEqual(model.rasters[0]!.data);
});

it('the check of a photo tells its turn, also of one that no head can be made of', async () => {
  expect(await reportPhoto(plain.profile, null)).toMatchObject({ yaw: 90, view: 'leftProfile' });
  expect(await reportPhoto(plain.front, null)).toMatchObject({ view: 'front', findings: expect.any(Array) });
  const { yaw, view } = await reportPhoto(plain.half, null);
  expect(view).toBe('left');
  expect(Math.abs(yaw! - 30)).toBeLessThan(10);
});
