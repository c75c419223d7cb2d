import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Raster } from '../src/contract/head_model.ts';
import { encodeRaster } from '../src/gltf/head_document.ts';
import { layoutMetric } from '../src/texture/layout_metric.ts';
import { skinLight } from '../src/texture/skin_light.ts';
import { skinNormals } from '../src/texture/skin_normals.ts';
import { layout } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { landmark } from '../src/topology/landmark.ts';
import { meanFace } from '../src/topology/mean_face.ts';

const side = 1024;
/** The face lies in the middle of the skin's picture. */
const inSkin = (v: number): number => 0.5 + 0.64 * (v - 0.5);
const uv = fineFace.refine(layout, 2).map(inSkin);
const { triangles } = fineFace;
const face = { points: fineFace.refine(meanFace, 3), uv, triangles };
const place = (point: number): [number, number] => [
  inSkin(layout[2 * point]!),
  inSkin(layout[2 * point + 1]!),
];

const normalsOf = (paint: (u: number, v: number) => number, skin = face): Raster => {
  const data = new Uint8Array(side * side * 3);
  for (let i = 0; i < side * side; i++)
    data.fill(paint(((i % side) + 0.5) / side, (Math.floor(i / side) + 0.5) / side), 3 * i, 3 * i + 3);
  return skinNormals(skinLight({ name: 'Skin', width: side, height: side, channels: 3, data }), skin);
};
const even = normalsOf(() => 170);

/** The picture's numbers at a place, from −1 to 1; those of the grown pores taken off. */
const shownAt = ({ data, width }: Raster, u: number, v: number): [number, number] => {
  const o = 3 * (Math.floor(v * width) * width + Math.floor(u * width));
  return [0, 1].map((c) => (data[o + c]! - even.data[o + c]!) / 127.5) as [number, number];
};
const cheek = landmark.leftCheek;
/** Its mirror image, and a point of the lower lip's red. */
const [otherCheek, lip] = [205, 15];

/** A dark dot of a millimetre about a landmark. */
const withDot = (point: number, skin = face): Raster => {
  const [u0, v0] = place(point);
  return normalsOf((u, v) => (Math.hypot(u - u0, v - v0) < 1.4 / 512 ? 135 : 170), skin);
};

describe('a dark dot', () => {
  it.each([
    ['left', cheek],
    ['right', otherCheek],
  ] as const)('on the %s cheek is a pit: its sides look towards its middle', (_, point) => {
    const map = withDot(point);
    const [u, v] = place(point);
    const step = 2 / 512;
    expect(shownAt(map, u + step, v)[0]).toBeLessThan(-0.02);
    expect(shownAt(map, u - step, v)[0]).toBeGreaterThan(0.02);
    // Green is up in the picture.
    expect(shownAt(map, u, v - step)[1]).toBeLessThan(-0.02);
    expect(shownAt(map, u, v + step)[1]).toBeGreaterThan(0.02);
  });

  it('is as steep on the surface where the layout is drawn out: half as far across, twice as steep', () => {
    const narrow = { ...face, points: face.points.map((v, i) => (i % 3 === 2 ? 0 : i % 3 ? v : v / 2)) };
    const flat = { ...face, points: face.points.map((v, i) => (i % 3 === 2 ? 0 : v)) };
    const [u, v] = place(cheek);
    const slopes = [flat, narrow].map((skin) => {
      // Pores lie elsewhere on another surface: means over dots' both sides.
      const { data, width } = withDot(cheek, skin);
      const at = (du: number): number => {
        const o = 3 * (Math.floor(v * width) * width + Math.floor((u + du / 512) * width));
        return (data[o]! - 127.5) / (data[o + 2]! - 127.5);
      };
      return at(-2) - at(2);
    });
    expect(slopes[1]! / slopes[0]!).toBeGreaterThan(1.5);
    expect(slopes[1]! / slopes[0]!).toBeLessThan(2.5);
  });
});

it('is flat where there is no skin, and where hair is painted', () => {
  const isFlat = ({ data, width }: Raster, u: number, v: number): boolean => {
    const o = 3 * (Math.floor(v * width) * width + Math.floor(u * width));
    return [127.5, 127.5, 255].every((flat, c) => Math.abs(data[o + c]! - flat) <= 1);
  };
  expect(isFlat(even, 0.02, 0.5)).toBe(true);
  const [u] = place(landmark.leftEyeOuter);
  expect(isFlat(even, (u + place(landmark.leftEyeInner)[0]) / 2, place(landmark.leftEyeOuter)[1])).toBe(true);
  const [x, top] = place(landmark.foreheadMiddle);
  const haired = normalsOf((_, v) => (v < top + 0.03 ? 40 : 170));
  for (let k = -4; k <= 4; k++) expect(isFlat(haired, x + k / 100, top)).toBe(true);
});

it('shows no slow shading, and no frame of spectacles as a step', () => {
  const [u, v] = place(cheek);
  const shaded = normalsOf((x) => 120 + 90 * x);
  const framed = normalsOf((_, y) => (y < v ? 30 : 170));
  for (let k = 0; k < 12; k++) {
    expect(Math.hypot(...shownAt(shaded, u + k / 512, v + k / 512))).toBeLessThan(0.03);
    expect(Math.abs(shownAt(framed, u, v + (k + 0.5) / 512)[1])).toBeLessThan(0.12);
  }
});

it('has slopes as pores have, and grooves along the lips', () => {
  const deviation = (point: number): [number, number] => {
    const [u, v] = place(point);
    const sums = [0, 0];
    for (let n = 0; n < 63; n++) {
      const o = 3 * (Math.floor(v * 512 - 1 + n / 21) * 512 + Math.floor(u * 512) - 10 + (n % 21));
      for (const c of [0, 1]) sums[c]! += ((even.data[o + c]! - 127.5) / 127.5) ** 2 / 63;
    }
    return sums.map(Math.sqrt) as [number, number];
  };
  for (const slope of deviation(cheek)) {
    expect(slope).toBeGreaterThan(0.01);
    expect(slope).toBeLessThan(0.08);
  }
  const [across, along] = deviation(lip);
  expect(across).toBeGreaterThan(1.2 * along);
});

it('takes few bytes, and as JPEG keeps its directions', async () => {
  const { bytes, mimeType } = await encodeRaster(even);
  expect(mimeType).toBe('image/jpeg');
  expect(bytes.byteLength).toBeLessThan(60_000);
  const read = await sharp(bytes).raw().toBuffer();
  let off = 0;
  for (let i = 0; i < read.length; i++) off += (read[i]! - even.data[i]!) ** 2 / read.length;
  expect(Math.sqrt(off)).toBeLessThan(2);
});

it('measures a layout in millimetres of its surface', () => {
  const square = {
    points: Float32Array.of(0, 0, 0, 0.1, 0, 0, 0.02, -0.2, 0),
    uv: Float32Array.of(0, 0, 1, 0, 0, 1),
  };
  const { right, aside, down } = layoutMetric(square.points, square.uv, [0, 2, 1], 100);
  expect([right[0], aside[0], down[0]].map((v) => Math.round(1000 * v!))).toEqual([1000, 200, 2000]);
});
