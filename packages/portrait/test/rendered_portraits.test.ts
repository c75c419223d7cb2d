/**
 * Portraits of nobody that Blender's Cycles rendered (`test/fixtures/portraits/render.py`), so that a fault that the
 * engine's rasteriser shares with what reads photos does not cancel. Turns are those of the scene; edges and colours
 * were measured in the pictures.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rendering } from '@likeness/head-renderer/rasteriser.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { renderInPhotoPose } from '../../../scripts/quality/likeness.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import type { FaceLandmarks } from '../src/landmarks/landmarks.ts';
import { modelHead } from '../src/make_head.ts';
import { toLab } from '../src/photo/lab_colour.ts';
import { readPhoto } from '../src/photo/photo.ts';
import { prepareOutline } from '../src/preflight/outline.ts';
import { checkFace, findFaces } from '../src/preflight/portrait_check.ts';
import { landmarkCount } from '../src/topology/face_topology.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = join(import.meta.dirname, '../../../test/fixtures/portraits');
const photoOf = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(join(folder, `${name}.jpg`)));

interface Portrait {
  readonly head: 'default' | 'man' | 'stylised';
  /** Degrees, as the scene turns the head: to its own left, and up. */
  readonly yaw: number;
  readonly pitch: number;
  /** Where head and hair end above and at both sides, in parts of the picture. */
  readonly top: number;
  readonly left: number;
  readonly right: number;
}

const portraits: readonly Portrait[] = [
  { head: 'default', yaw: 0, pitch: 0, top: 0.195, left: 0.297, right: 0.708 },
  { head: 'default', yaw: 14, pitch: 0, top: 0.195, left: 0.309, right: 0.73 },
  { head: 'default', yaw: -14, pitch: 0, top: 0.195, left: 0.27, right: 0.691 },
  { head: 'default', yaw: 0, pitch: 9, top: 0.18, left: 0.299, right: 0.708 },
  { head: 'man', yaw: 0, pitch: 0, top: 0.176, left: 0.305, right: 0.695 },
  { head: 'man', yaw: 12, pitch: 0, top: 0.176, left: 0.314, right: 0.699 },
  { head: 'man', yaw: -16, pitch: 4, top: 0.172, left: 0.293, right: 0.682 },
  { head: 'man', yaw: 0, pitch: -7, top: 0.184, left: 0.305, right: 0.695 },
  { head: 'stylised', yaw: 0, pitch: 0, top: 0.199, left: 0.283, right: 0.721 },
  { head: 'stylised', yaw: 15, pitch: 0, top: 0.199, left: 0.295, right: 0.744 },
  { head: 'stylised', yaw: -10, pitch: 0, top: 0.199, left: 0.264, right: 0.708 },
  { head: 'stylised', yaw: 4, pitch: 7, top: 0.186, left: 0.287, right: 0.721 },
];
const nameOf = ({ head, yaw, pitch }: Portrait): string => `${head}_${yaw}_${pitch}`;

describe('a portrait of nobody that another renderer made', () => {
  /** How far each head seems to look up in the picture from its front. */
  const level = new Map<string, number>();
  beforeAll(async () => {
    const networks = await loadFaceNetworks();
    for (const portrait of portraits.filter(({ yaw, pitch }) => yaw === 0 && pitch === 0)) {
      const picture = await readPhoto(await photoOf(nameOf(portrait)));
      level.set(portrait.head, checkFace(networks, picture).fit.pose.pitch);
    }
  });

  it.each(portraits.map((portrait) => [nameOf(portrait), portrait] as const))(
    'tells how the head is turned and where it ends: %s',
    async (name, { head, yaw, pitch, top, left, right }) => {
      const photo = await photoOf(name);
      const { pose } = checkFace(await loadFaceNetworks(), await readPhoto(photo)).fit;
      // The network sees too little of a turn, by up to a fifth.
      expect(Math.abs(pose.yaw - 0.9 * yaw), `yaw ${pose.yaw}`).toBeLessThan(2 + 0.1 * Math.abs(yaw));
      const looksUp = pose.pitch - level.get(head)!;
      expect(Math.abs(looksUp - pitch), `pitch ${looksUp}`).toBeLessThan(4);
      expect(Math.abs(pose.roll)).toBeLessThan(2);

      const points = (await prepareOutline(photo))(null).rings.flat();
      const xs = points.filter((_, i) => i % 2 === 0 && points[i + 1]! < 0.66);
      const found = {
        top: Math.min(...points.filter((_, i) => i % 2 === 1)),
        left: Math.min(...xs),
        right: Math.max(...xs),
      };
      for (const [edge, wanted] of Object.entries({ top, left, right }))
        expect(Math.abs(found[edge as keyof typeof found] - wanted), edge).toBeLessThan(0.02);
    },
  );
});

/** Mean Lab of 17 × 17 pixels about a place. */
function labAbout({ data, width }: Rendering, [cx, cy]: readonly [number, number]): number[] {
  const sum = [0, 0, 0];
  for (let y = cy - 8; y <= cy + 8; y++)
    for (let x = cx - 8; x <= cx + 8; x++) {
      const at = 4 * (y * width + x);
      const lab = toLab(Float32Array.from(data.subarray(at, at + 3)));
      for (const [c, value] of [lab[0]! / 2.55, lab[1]! - 128, lab[2]! - 128].entries())
        sum[c]! += value / 17 ** 2;
    }
  return sum;
}

/** Lab of the pictures from the front about three places: both cheeks, and the hair above the forehead. */
const places = { rightCheek: [200, 290], leftCheek: [310, 290], hair: [255, 130] } as const;
const colours = [
  { head: 'default', sex: 'female', rightCheek: [68, 17, 19], leftCheek: [69, 15, 18], hair: [38, 10, 15] },
  { head: 'man', sex: 'male', rightCheek: [61, 18, 22], leftCheek: [62, 16, 20], hair: [22, 3, 5] },
  { head: 'stylised', sex: 'female', rightCheek: [71, 21, 22], leftCheek: [71, 21, 21], hair: [44, 26, 26] },
] as const;

describe('the head made of it', () => {
  it.each(colours)('has the skin and the hair of the picture: $head', async ({ head, sex, ...wanted }) => {
    const { model, fit, picture } = await modelHead({
      photo: await photoOf(`${head}_0_0`),
      sex,
      options: { light: 1 },
    });
    const drawn = renderInPhotoPose(model, fit, picture, true);
    for (const part of ['rightCheek', 'leftCheek', 'hair'] as const) {
      const found = labAbout(drawn, places[part]);
      const [l, a, b] = found.map((value, c) => Math.abs(value - wanted[part][c]!)) as [
        number,
        number,
        number,
      ];
      // Locks may lie a little elsewhere.
      expect(l, `${part} ${found}`).toBeLessThan(6);
      expect(Math.max(a, b), `${part} ${found}`).toBeLessThan(4);
    }
  });
});

it.each([-60, 60, 180])('a photo that is turned by %d° has the same landmarks', async (degrees) => {
  const networks = await loadFaceNetworks();
  const upright = await photoOf('default_0_0');
  const turned = await sharp(upright).rotate(degrees, { background: '#808080' }).png().toBuffer();
  const pictures = [await readPhoto(upright), await readPhoto(turned)] as const;
  const [before, after] = pictures.map((picture) => findFaces(networks, picture)[0]!) as [
    FaceLandmarks,
    FaceLandmarks,
  ];
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  let apart = 0;
  for (let i = 0; i < landmarkCount; i++) {
    const [x, y] = [
      before.points[3 * i]! - pictures[0].width / 2,
      before.points[3 * i + 1]! - pictures[0].height / 2,
    ];
    apart += Math.hypot(
      c * x - s * y + pictures[1].width / 2 - after.points[3 * i]!,
      s * x + c * y + pictures[1].height / 2 - after.points[3 * i + 1]!,
    );
  }
  // In parts of the distance of the eyes; 0.35 where the mesh network is not shown the face upright.
  expect(apart / landmarkCount / before.iod).toBeLessThan(0.02);
});
