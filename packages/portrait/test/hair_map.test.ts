import { describe, expect, it } from 'vitest';
import { sharedPhoto } from '../../../test/support/shared_heads.ts';
import { mapHair } from '../src/hair/hair_map.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { detectFaces, findLandmarks } from '../src/landmarks/landmarks.ts';
import { readPhoto } from '../src/photo/photo.ts';
import { prepareSilhouette } from '../src/segment/silhouette.ts';

/** Between the brows, where the forehead begins. */
const glabella = 151;

/** How much of a grey man's forehead counts as hair, 0..1, where his photo is drawn in some light. */
async function hairOnForehead(
  light: (near: number, rough: number) => readonly [number, number, number],
): Promise<number> {
  const networks = await loadFaceNetworks();
  const { data: plain, width, height } = await readPhoto(await sharedPhoto('male'));
  const find = (data: Uint8Array) => {
    const picture = { data, width, height };
    return { picture, landmarks: findLandmarks(networks, picture, detectFaces(networks, picture)[0]!) };
  };
  const { points, iod } = find(plain).landmarks;
  const [fx, fy] = [points[3 * glabella]!, points[3 * glabella + 1]!];
  const lit = plain.slice();
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const [r, g, b] = plain.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    const isSkin = r > 1.15 * g && r > 90;
    const near = Math.max(0, 1 - Math.hypot((x - fx) / (0.45 * iod), (y - fy + 0.1 * iod) / (0.22 * iod)));
    const isBackground = Math.abs(r - 150) < 12 && Math.abs(b - 168) < 12;
    if (isSkin)
      for (const [c, factor] of light(Math.min(1, 3 * near), 0.3 + 0.35 * ((7 * x + 13 * y) % 5)).entries())
        lit[3 * i + c] = Math.min(255, lit[3 * i + c]! * factor);
    else if (!isBackground && y < fy + 0.1 * iod)
      lit.fill(Math.min(255, 30 + 0.53 * (r + g + b)), 3 * i, 3 * i + 3);
  }
  const { picture, landmarks } = find(lit);
  const cut = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
  const map = mapHair(cut);
  for (const stage of [cut, map]) expect(Object.isFrozen(stage)).toBe(true);
  const { hair } = map;
  let [sum, n] = [0, 0];
  for (let down = -0.25; down < 0.1; down += 0.02)
    for (let along = -0.3; along < 0.3; along += 0.02) {
      const [x, y] = cut.toCrop(fx + along * iod, fy + down * iod).map(Math.floor) as [number, number];
      sum += hair[y * cut.width + x]!;
      n++;
    }
  return sum / n;
}

describe('what is told from hair', () => {
  it('is a grey man’s forehead in hard, warm light, as rough as hair and lighter than his skin', async () => {
    const share = await hairOnForehead((near, rough) => [
      1 + 0.17 * near * rough,
      1 + 0.17 * near * rough,
      1 + 0.02 * near * rough,
    ]);
    expect(share).toBeLessThan(0.35);
  });
});

describe('hair in parts of the face', () => {
  it('is none, cropped, or hair that stands off the head', async () => {
    const networks = await loadFaceNetworks();
    const picture = await readPhoto(await sharedPhoto('male'));
    const landmarks = findLandmarks(networks, picture, detectFaces(networks, picture)[0]!);
    const cut = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
    const face = cut.inFace.reduce((sum, value) => sum + value, 0);
    const withHair = (share: number) => {
      const hair = new Float32Array(cut.hair.length).fill(1, 0, Math.round(share * face));
      const { any, isCropped } = mapHair({ ...cut, hair });
      return { any, isCropped };
    };
    expect(withHair(0.03).any).toBe(false);
    expect(withHair(0.1)).toEqual({ any: true, isCropped: true });
    expect(withHair(0.3)).toEqual({ any: true, isCropped: false });
  });
});
