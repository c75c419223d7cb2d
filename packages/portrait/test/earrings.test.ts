import { describe, expect, it } from 'vitest';
import { findEarrings } from '../src/hair/colour/earrings.ts';
import type { Silhouette } from '../src/matte/silhouette.ts';

type Colour = readonly [number, number, number];
const [width, height] = [192, 228];
/** Pixels to half the face's width, and to its height. */
const [half, tall] = [26, 66];
const brown: Colour = [80, 50, 32];
const golden: Colour = [150, 108, 60];
const skin: Colour = [210, 150, 120];

/** A head with hair on both sides of the face, and on it patches: by their middles in the face's coordinates and their half sizes, pixels. */
function spotsOn(
  hair: Colour,
  patches: readonly { a: number; b: number; w: number; h: number; colour: Colour }[],
) {
  const crop = new Float32Array(3 * width * height);
  const map = { hair: new Float32Array(width * height) };
  const inFace = new Uint8Array(width * height);
  const mask = new Uint8Array(width * height).fill(255);
  const faceFrame = (x: number, y: number): [number, number] => [(x - width / 2) / half, (150 - y) / tall];
  for (let i = 0; i < inFace.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const [a] = faceFrame(x + 0.5, y + 0.5);
    inFace[i] = Number(Math.abs(a) < 0.88);
    let colour = inFace[i] ? skin : hair;
    map.hair[i] = inFace[i] ? 0 : 0.93;
    for (const patch of patches) {
      const [px, py] = [width / 2 + patch.a * half, 150 - patch.b * tall];
      if (inFace[i] || Math.abs(x + 0.5 - px) > patch.w || Math.abs(y + 0.5 - py) > patch.h) continue;
      colour = patch.colour;
      map.hair[i] = colour === skin ? 0.05 : 0.9;
    }
    crop.set(colour, 3 * i);
  }
  const cut = { width, height, crop, inFace, mask, faceFrame } as Partial<Silhouette> as Silhouette;
  const spots = findEarrings(cut, map);
  return (a: number, b: number): number =>
    spots[Math.floor(150 - b * tall) * width + Math.floor(width / 2 + a * half)]!;
}

describe('earrings amid hair', () => {
  it('are found by their light, their tint, or as skin', () => {
    const white = spotsOn(brown, [{ a: 1.05, b: 0.35, w: 2, h: 4, colour: [200, 190, 180] }]);
    expect([white(1.05, 0.35), white(1.05, 0.1), white(-1.05, 0.35)]).toEqual([1, 0, 0]);
    const grey = spotsOn(golden, [{ a: -1.05, b: 0.3, w: 2, h: 4, colour: [115, 112, 108] }]);
    expect(grey(-1.05, 0.3)).toBe(1);
    const lobe = spotsOn(brown, [{ a: 1, b: 0.4, w: 3, h: 4, colour: skin }]);
    expect(lobe(1, 0.4)).toBe(1);
  });

  it('are neither ears, light locks nor studs', () => {
    const stud = spotsOn(brown, [{ a: 1.05, b: 0.35, w: 2, h: 2, colour: [200, 190, 180] }]);
    expect(stud(1.05, 0.35)).toBe(0);
    const ear = spotsOn(brown, [{ a: 1, b: 0.45, w: 3, h: 13, colour: skin }]);
    expect(ear(1, 0.45)).toBe(0);
    const lock = spotsOn(brown, [{ a: 1.1, b: 0.25, w: 2, h: 20, colour: [170, 130, 90] }]);
    expect(lock(1.1, 0.25)).toBe(0);
  });
});
