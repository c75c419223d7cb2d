/** Makes tiles of a spectrogram: log magnitude by short-time Fourier transforms, on a mel or a linear scale. */
import { hannWindow, hertzOf, melOf, RealSpectrum } from '@likeness/proto/real_spectrum.ts';
import {
  columnSeconds,
  type SpectrogramScale,
  type TileName,
  tileColumns,
  tileRows,
} from './spectrogram-tiles.ts';

/** Window length, seconds: it resolves formants and single glottal pulses. */
const windowSeconds = 0.025;
/** Windows that a column is the mean of, at most; and where columns are so wide, seconds, that what lies between is left out. */
const maxWindows = 4;
const sparseFrom = 2;
/** Hertz of the highest row, where the sound has them. */
const highest = 10_000;
/** Decibels below full scale that are nothing. */
const floor = -90;

/** Samples from a place on; what lies outside of the sound is silence. */
export type SoundReader = (from: number, count: number) => Promise<Float32Array>;

export class TileMaker {
  readonly #rate: number;
  readonly #read: SoundReader;
  readonly #hann: Float64Array;
  readonly #spectrum: RealSpectrum;
  readonly #windowed: Float64Array;
  readonly #power: Float64Array;
  readonly #rows: Readonly<Record<SpectrogramScale, readonly RowBins[]>>;

  /** @param rate hertz */
  constructor(rate: number, read: SoundReader) {
    this.#rate = rate;
    this.#read = read;
    const length = Math.round(windowSeconds * rate);
    const size = 2 ** Math.ceil(Math.log2(length));
    this.#hann = hannWindow(length);
    this.#spectrum = new RealSpectrum(size);
    this.#windowed = new Float64Array(size);
    this.#power = new Float64Array(size / 2);
    this.#rows = { mel: rowBins('mel', rate, size), linear: rowBins('linear', rate, size) };
  }

  /** Values 0 … 255 by decibels, column by column, each from the lowest row to the highest. */
  async tile({ scale, level, index }: TileName): Promise<Uint8Array<ArrayBuffer>> {
    const values = new Uint8Array(tileColumns * tileRows);
    const width = columnSeconds(level) * this.#rate;
    const first = index * tileColumns * width;
    const isSparse = columnSeconds(level) > sparseFrom;
    const windows = isSparse
      ? 1
      : Math.max(1, Math.min(maxWindows, Math.round(width / (this.#hann.length / 2))));
    // About a megabyte of sound at a time.
    const group = isSparse ? 1 : Math.max(1, Math.min(tileColumns, Math.floor(250_000 / width)));
    const sums = new Float64Array(tileRows);
    for (let column = 0; column < tileColumns; column += group) {
      const from = Math.floor(first + column * width - this.#hann.length / 2);
      const count = isSparse
        ? Math.ceil(width / 2) + 2 * this.#hann.length
        : Math.ceil(group * width) + 2 * this.#hann.length;
      const start = isSparse ? from + Math.floor(width / 2) : from;
      const samples = await this.#read(start, isSparse ? 2 * this.#hann.length : count);
      for (let at = column; at < Math.min(tileColumns, column + group); at++) {
        sums.fill(0);
        for (let part = 0; part < windows; part++) {
          const centre = first + (at + (part + 0.5) / windows) * width;
          this.#add(samples, Math.round(centre - this.#hann.length / 2) - start, this.#rows[scale], sums);
        }
        this.#write(values, at, sums, windows);
      }
    }
    return values;
  }

  /** Adds the power of one window, row by row. */
  #add(samples: Float32Array, at: number, rows: readonly RowBins[], sums: Float64Array): void {
    for (let i = 0; i < this.#hann.length; i++) this.#windowed[i] = (samples[at + i] ?? 0) * this.#hann[i]!;
    this.#spectrum.power(this.#windowed, this.#power);
    for (let row = 0; row < rows.length; row++) {
      const { first, last, share } = rows[row]!;
      let power = 0;
      if (first === last) {
        power = this.#power[first]! * (1 - share) + (this.#power[first + 1] ?? 0) * share;
      } else for (let bin = first; bin <= last; bin++) power = Math.max(power, this.#power[bin]!);
      sums[row] = sums[row]! + power;
    }
  }

  #write(values: Uint8Array, column: number, sums: Float64Array, windows: number): void {
    // A sine of full scale has this power in its bin.
    const full = (this.#hann.length / 4) ** 2 * windows;
    for (let row = 0; row < tileRows; row++) {
      const decibels = 10 * Math.log10(sums[row]! / full + 1e-12);
      values[column * tileRows + row] = Math.round(255 * Math.max(0, Math.min(1, 1 - decibels / floor)));
    }
  }
}

/** Bins of a row: the strongest of several, or between two where rows are narrower than bins. */
interface RowBins {
  readonly first: number;
  readonly last: number;
  readonly share: number;
}

function rowBins(scale: SpectrogramScale, rate: number, size: number): RowBins[] {
  const top = Math.min(rate / 2, highest);
  const edge = (row: number): number =>
    scale === 'mel' ? hertzOf((melOf(top) * row) / tileRows) : (top * row) / tileRows;
  const perBin = rate / size;
  return Array.from({ length: tileRows }, (_, row) => {
    const [low, high] = [edge(row) / perBin, edge(row + 1) / perBin];
    const [first, last] = [Math.ceil(low), Math.min(size / 2 - 1, Math.ceil(high) - 1)];
    if (last > first) return { first, last, share: 0 };
    const middle = Math.min(size / 2 - 1, (low + high) / 2);
    return { first: Math.floor(middle), last: Math.floor(middle), share: middle % 1 };
  });
}
