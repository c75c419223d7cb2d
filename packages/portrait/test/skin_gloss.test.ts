import { expect, it } from 'vitest';
import type { Raster } from '../src/contract/head_model.ts';
import { maxRoughness, skinRoughness } from '../src/texture/skin_gloss.ts';
import { type SkinLight, skinLight } from '../src/texture/skin_light.ts';
import { layout } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { landmark } from '../src/topology/landmark.ts';

const side = 1024;
/** The face lies in the middle of the skin's picture. */
const inSkin = (v: number): number => 0.5 + 0.64 * (v - 0.5);
const uv = fineFace.refine(layout, 2).map(inSkin);

const greySkin = (paint: (x: number, y: number) => number): SkinLight => {
  const data = new Uint8Array(side * side * 3);
  for (let i = 0; i < side * side; i++) data.fill(paint(i % side, Math.floor(i / side)), 3 * i, 3 * i + 3);
  return skinLight({ name: 'Skin', width: side, height: side, channels: 3, data });
};

/** Roughness at a place of the layout, 0..1. */
const roughAt = ({ data, width, height }: Raster, u: number, v: number): number =>
  (maxRoughness * data[3 * (Math.floor(v * height) * width + Math.floor(u * width)) + 1]!) / 255;

it('makes lips and the nose shine more than cheeks, and those more than brows', () => {
  const map = skinRoughness(
    greySkin(() => 170),
    uv,
  );
  const at = (point: number): number =>
    roughAt(map, inSkin(layout[2 * point]!), inSkin(layout[2 * point + 1]!));
  const cheek = at(187);
  expect(at(landmark.upperLipInner)).toBeLessThan(cheek - 0.05);
  expect(at(landmark.noseTip)).toBeLessThan(cheek - 0.05);
  expect(at(landmark.foreheadMiddle)).toBeLessThan(cheek - 0.04);
  expect(at(landmark.leftBrowPeak)).toBeGreaterThan(cheek + 0.04);
});

it('makes folds rough and leaves slow shading as it is', () => {
  const map = skinRoughness(
    greySkin((x, y) => (y > 940 && y < 946 ? 150 : 170) + (x >> 7)),
    uv,
  );
  const even = roughAt(map, 0.5, 0.85);
  expect(roughAt(map, 0.5, 943 / side)).toBeGreaterThan(even * 1.05);
  expect(Math.abs(roughAt(map, 0.1, 0.85) - even)).toBeLessThan(0.01);
});

it('makes skin beside a spectacle frame no rougher than a deep fold', () => {
  const map = skinRoughness(
    greySkin((_, y) => (y > 930 ? 30 : 180)),
    uv,
  );
  const even = roughAt(map, 0.5, 0.85);
  const near = Array.from({ length: 15 }, (_, k) => roughAt(map, 0.5, (914 + k) / side));
  expect(Math.max(...near)).toBeLessThan(even * 1.17);
  expect(Math.min(...near)).toBeGreaterThan(even * 0.83);
});

it('makes hair that is painted on a forehead as matt as hair', () => {
  const top = inSkin(layout[2 * landmark.foreheadMiddle + 1]!);
  const map = skinRoughness(
    greySkin((_, y) => (y < (top + 0.03) * side ? 40 : 170)),
    uv,
  );
  expect(roughAt(map, 0.5, top)).toBeGreaterThan(0.85);
});
