/** HEIF as phones and cameras write it: tiles, turns, several images, transparency, ten bits, AV1, damaged files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heifBox, heifExif, heifFile, heifGrid, heifItems } from '../../../test/support/heif_file.ts';
import { type Picture, readPhoto } from '../src/photo/photo.ts';

const fixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/photos', name));

/** Red, green, blue and white, 64 × 64 each. */
const tiles = heifItems(fixture('four_tiles.heic')).map((tile) => ({ ...tile, isHidden: true }));
const grid = heifGrid(2, 2, 128, 128);
const ofTiles = { type: 'dimg', from: 5, to: [1, 2, 3, 4] };

/** The four tiles as one image, with properties more. */
const tiled = (...more: readonly Buffer[]): Buffer =>
  heifFile({
    items: [...tiles, { ...grid, properties: [...grid.properties, ...more] }],
    references: [ofTiles],
    primary: 5,
  });
const turned = (quarters: number): Buffer => heifBox('irot', Buffer.of(quarters));
const mirrored = (axis: number): Buffer => heifBox('imir', Buffer.of(axis));

/** Four tiles of AV1. */
function ofAv1(brand: string): Buffer {
  const [tile] = heifItems(fixture('red.avif'));
  return heifFile({
    brands: [brand],
    items: [{ ...tile!, isHidden: true }, { ...tile!, isHidden: true }, grid],
    references: [{ type: 'dimg', from: 3, to: [1, 1, 1, 2] }],
    primary: 3,
  });
}

const names: Readonly<Record<string, string>> = {
  '100': 'red',
  '010': 'green',
  '001': 'blue',
  '111': 'white',
};

/** The colours of a picture's four quarters, row by row. */
function quarters({ data, width, height }: Picture): string[] {
  return [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = 3 * (Math.floor(y * height) * width + Math.floor(x * width));
      const key = [...data.subarray(at, at + 3)].map((value) => Math.round(value / 255)).join('');
      return names[key] ?? key;
    }),
  );
}

// As libheif's own `heif-convert` shows them.
it.each([
  ['tiles alone', [], ['red', 'green', 'blue', 'white']],
  ['a quarter turn', [turned(1)], ['green', 'white', 'red', 'blue']],
  ['a half turn', [turned(2)], ['white', 'blue', 'green', 'red']],
  ['three quarter turns', [turned(3)], ['blue', 'red', 'white', 'green']],
  ['top and bottom swapped', [mirrored(0)], ['blue', 'white', 'red', 'green']],
  ['left and right swapped', [mirrored(1)], ['green', 'red', 'white', 'blue']],
  ['a turn, then a mirror', [turned(1), mirrored(0)], ['red', 'blue', 'green', 'white']],
  ['a mirror, then a turn', [mirrored(0), turned(1)], ['white', 'green', 'blue', 'red']],
])('a HEIC photo of tiles is read as it is to be shown: %s', async (_, more, expected) => {
  const picture = await readPhoto(tiled(...more));
  expect([picture.width, picture.height]).toEqual([128, 128]);
  expect(quarters(picture)).toEqual(expected);
});

it('a turn swaps width and height, and the last tiles are cut where the image ends', async () => {
  const cut = heifGrid(2, 2, 120, 100);
  const items = [...tiles, { ...cut, properties: [...cut.properties, turned(1)] }];
  const picture = await readPhoto(heifFile({ items, references: [ofTiles], primary: 5 }));
  expect([picture.width, picture.height]).toEqual([100, 120]);
  expect(quarters(picture)).toEqual(['green', 'white', 'red', 'blue']);
});

it.each([
  ['says the same as the turn', [turned(3)], ['blue', 'red', 'white', 'green']],
  ['stands alone', [], ['red', 'green', 'blue', 'white']],
])('EXIF’s orientation turns nothing in HEIC, where it %s', async (_, more, expected) => {
  const file = heifFile({
    items: [...tiles, { ...grid, properties: [...grid.properties, ...more] }, heifExif(6)],
    references: [ofTiles, { type: 'cdsc', from: 6, to: [5] }],
    primary: 5,
  });
  expect(quarters(await readPhoto(file))).toEqual(expected);
});

it('the image that a burst shows is taken, whichever it is', async () => {
  const upsideDown = { ...grid, properties: [...grid.properties, turned(2)] };
  const burst = (primary: number): Buffer =>
    heifFile({
      items: [...tiles, grid, upsideDown],
      references: [ofTiles, { ...ofTiles, from: 6 }],
      primary,
    });
  expect(quarters(await readPhoto(burst(5)))).toEqual(['red', 'green', 'blue', 'white']);
  expect(quarters(await readPhoto(burst(6)))).toEqual(['white', 'blue', 'green', 'red']);
});

it('transparency is filled with grey', async () => {
  const { data } = await readPhoto(fixture('fading.heic'));
  const middleRow = data.subarray(3 * 128 * 64);
  expect([...middleRow.subarray(0, 3)]).toEqual([252, 2, 2].map((value) => expect.closeTo(value, -1)));
  expect([...middleRow.subarray(3 * 127, 3 * 128)]).toEqual(
    [128, 128, 128].map((value) => expect.closeTo(value, -1)),
  );
});

it('ten bits a sample become eight', async () => {
  const { data } = await readPhoto(fixture('ten_bits.heic'));
  const greys = [16, 64, 112].map((x) => data[3 * (128 * 64 + x)]);
  expect(greys).toEqual([32, 128, 224].map((value) => expect.closeTo(value, -1)));
});

it.each([
  ['AV1', 'avif'],
  ['what may be HEVC too', 'mif1'],
  ['HEVC by mistake', 'heic'],
])('AV1 is read where the file’s brand says %s', async (_, brand) => {
  expect(quarters(await readPhoto(ofAv1(brand)))).toEqual(['red', 'red', 'red', 'red']);
});

it('a photo of AV1 tiles that was cut off is damaged', async () => {
  const whole = ofAv1('avif');
  await expect(readPhoto(whole.subarray(0, whole.length - 20))).rejects.toMatchObject({
    code: 'damaged_image',
  });
});

describe('a HEIC photo of tiles is damaged', () => {
  const whole = tiled();
  it.each([1, 30, 60, 100])('where its last %i bytes are missing', async (count) => {
    const photo = whole.subarray(0, whole.length - count);
    await expect(readPhoto(photo)).rejects.toMatchObject({ code: 'damaged_image' });
  });

  it.each([0, 0x55])('where a tile has bytes of %i alone', async (byte) => {
    const bad = tiles.map((tile, at) =>
      at === 2 ? { ...tile, data: Buffer.alloc(tile.data.length, byte) } : tile,
    );
    const file = heifFile({ items: [...bad, grid], references: [ofTiles], primary: 5 });
    await expect(readPhoto(file)).rejects.toMatchObject({ code: 'damaged_image' });
  });
});

it('a film in a HEIF file is no photo', async () => {
  const film = heifFile({ brands: ['msf1', 'hevc'], items: [] });
  await expect(readPhoto(film)).rejects.toMatchObject({ code: 'not_an_image' });
});
