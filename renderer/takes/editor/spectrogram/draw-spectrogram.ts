/** Paints a spectrogram's tiles into a picture, one pixel after the other. */
import type { Ink } from '../timeline/curve-raster.ts';
import type { Spectrogram } from './spectrogram.ts';
import { columnSeconds, levelFor, tileColumns, tileRows } from './spectrogram-tiles.ts';

/** Levels coarser than the wanted one that stand in for it until it is there. */
const standIns = 6;

/** @param edges seconds of the recording at the columns' edges @param bounds device pixels */
export function drawSpectrogram(
  image: ImageData,
  spectrogram: Spectrogram,
  edges: Float64Array,
  bounds: { readonly top: number; readonly bottom: number },
  inks: readonly [least: Ink, middle: Ink, most: Ink],
): void {
  const { width } = image;
  const [from, to] = [edges[0]!, edges[width]!];
  const perPixel = (to - from) / width;
  spectrogram.want(from, to, perPixel);
  const colours = colourTable(inks);
  const pixels = new Uint32Array(image.data.buffer);
  const height = bounds.bottom - bounds.top;
  for (let x = 0; x < width; x++) {
    const column = columnAt(spectrogram, edges[x]!, levelFor(perPixel));
    if (!column) continue;
    for (let y = 0; y < height; y++) {
      const row = Math.floor(((height - 1 - y + 0.5) / height) * tileRows);
      pixels[(bounds.top + y) * width + x] = colours[column.values[column.start + row]!]!;
    }
  }
}

function columnAt(
  spectrogram: Spectrogram,
  time: number,
  wanted: number,
): { values: Uint8Array; start: number } | null {
  for (let level = wanted; level <= wanted + standIns; level++) {
    const column = Math.floor(time / columnSeconds(level));
    const index = Math.floor(column / tileColumns);
    const values = spectrogram.tile({ scale: spectrogram.scale, level, index });
    if (values) return { values, start: (column - index * tileColumns) * tileRows };
  }
  return null;
}

/** Where the middle colour lies, of 255. */
const middleAt = 150;

let known: { key: string; table: Uint32Array } | null = null;
function colourTable(inks: readonly [Ink, Ink, Ink]): Uint32Array {
  const key = inks.join();
  if (known?.key === key) return known.table;
  const [min, middle, max] = inks;
  const mixed = (a: Ink, b: Ink, share: number): number => {
    const [red, green, blue] = a.map((value, at) => Math.round(value + (b[at]! - value) * share)) as [
      number,
      number,
      number,
    ];
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
  };
  const table = Uint32Array.from({ length: 256 }, (_, value) =>
    value < middleAt
      ? mixed(min, middle, (value / middleAt) ** 1.5)
      : mixed(middle, max, (value - middleAt) / (255 - middleAt)),
  );
  known = { key, table };
  return table;
}
