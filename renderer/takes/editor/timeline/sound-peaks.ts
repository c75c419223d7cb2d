import {
  emptyPeaks,
  extent,
  fullPeak,
  isPeaksFile,
  peakSamples,
  peaksFileHead,
  writePeaks,
} from '@likeness/proto/sound_peaks.ts';
import { frameBytes, mixToMono, readWavHead, type WavHead } from '@likeness/proto/wav.ts';
import { createStore } from '../../../base/store.ts';
import { bytesBetween, piecesOf } from '../../fetched-bytes.ts';
import { MinMaxPyramid } from './min-max-pyramid.ts';
import type { TimeRange } from './time-window.ts';

/** Peaks under one leaf, and between two pictures while they come. */
const leafPeaks = 16;
const shownEvery = 1 << 14;
/** Bytes that hold the head of any WAV file of ours, and of others' as a rule. */
const headBytes = 4096;
/** Seconds of samples beside a window that are read with it. */
const aside = 2;

/**
 * Minima and maxima of a take's audio, some hundred kilobytes for ten minutes. The audio is read once from
 * its file and not kept. For windows narrower than the peaks, the samples are read again.
 */
export class SoundPeaks {
  /** Value of full loudness. */
  readonly full: number = fullPeak;
  /** Hertz. */
  readonly rate: number;
  /** Grows when more of it can be drawn. */
  readonly version = createStore(0);
  /** What `measure` found. */
  low = 0;
  high = 0;
  readonly #url: string;
  readonly #head: WavHead;
  readonly #length: number;
  /** Least and greatest of each peak, one after the other. */
  readonly #tree: MinMaxPyramid;
  /** The samples of a narrow window. */
  #near: { from: number; samples: Float32Array } = { from: 0, samples: new Float32Array(0) };
  #asked: TimeRange | null = null;

  private constructor(url: string, head: WavHead, bytes: number) {
    this.#url = url;
    this.#head = head;
    this.rate = head.format.sampleRate;
    this.#length = Math.floor(bytes / frameBytes(head.format));
    this.#tree = MinMaxPyramid.of(emptyPeaks(this.#length), leafPeaks);
  }

  /** The sound's length and format; null: it has no sample. @throws where it can't be read */
  static async open(url: string, signal: AbortSignal): Promise<SoundPeaks | null> {
    const { bytes, total } = await bytesBetween(url, 0, headBytes, signal);
    if (bytes.length === 0) return null;
    const head = readWavHead(bytes, total);
    const { sampleRate } = head.format;
    return head.bytes > 0 && sampleRate > 0 ? new SoundPeaks(url, head, head.bytes) : null;
  }

  /**
   * Reads its peaks, or itself from its beginning to its end where there are none as yet.
   *
   * @param url of its peaks, or of itself @throws where it can't be read
   */
  async read(url: string, signal: AbortSignal): Promise<void> {
    const pieces = piecesOf(url, signal);
    const first = await pieces.next();
    if (first.done) return;
    const all = withFirst(first.value, pieces);
    await (isPeaksFile(first.value) ? this.#readPeaks(all) : this.#readSamples(all));
  }

  async #readPeaks(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const values = this.#tree.values;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    let at = -peaksFileHead.length;
    for await (const piece of pieces) {
      const begin = Math.max(0, at);
      bytes.set(piece.subarray(Math.max(0, -at)).subarray(0, Math.max(0, bytes.length - begin)), begin);
      at += piece.length;
    }
    this.#show(0, values.length / 2);
  }

  async #readSamples(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const values = this.#tree.values as Int16Array;
    const { format, from } = this.#head;
    const width = frameBytes(format);
    let skipped = 0;
    let rest = new Uint8Array(0);
    let peak = 0;
    let shown = 0;
    const take = (bytes: Uint8Array): void => {
      peak = writePeaks(values, peak, mixToMono({ format, bytes }).samples);
    };
    for await (const piece of pieces) {
      const sound = piece.subarray(Math.max(0, from - skipped));
      skipped += piece.length;
      const joined = rest.length === 0 ? sound : joinedBytes(rest, sound);
      const whole = joined.length - (joined.length % (peakSamples * width));
      take(joined.subarray(0, whole));
      rest = joined.slice(whole);
      if (peak - shown >= shownEvery) {
        this.#show(shown, peak);
        shown = peak;
      }
    }
    take(rest.subarray(0, rest.length - (rest.length % width)));
    this.#show(shown, peak);
  }

  /** Peaks `from` … `to` − 1 are there. */
  #show(from: number, to: number): void {
    this.#tree.update(2 * from, 2 * to);
    this.version.set(this.version.get() + 1);
  }

  /** Writes the least and the greatest of samples `from` … `to` − 1 into `low` and `high`; false if there is none. */
  measure(from: number, to: number): boolean {
    const end = Math.min(this.#length, to);
    const begin = Math.max(0, from);
    if (begin >= end) return false;
    const near = this.#near;
    if (end - begin < peakSamples && begin >= near.from && end <= near.from + near.samples.length) {
      const [low, high] = extent(near.samples, begin - near.from, end - near.from);
      this.low = low * fullPeak;
      this.high = high * fullPeak;
      return true;
    }
    const found = this.#tree.measure(2 * Math.floor(begin / peakSamples), 2 * Math.ceil(end / peakSamples));
    this.low = this.#tree.low;
    this.high = this.#tree.high;
    return found;
  }

  /** Reads the samples that a window needs, where its columns are narrower than peaks. */
  async loadSamples({ from, to }: TimeRange, columns: number, signal: AbortSignal): Promise<void> {
    const isNarrow = ((to - from) * this.rate) / columns < peakSamples;
    const isThere = this.#asked && this.#asked.from <= from && this.#asked.to >= to;
    if (!isNarrow || isThere) return;
    const range = { from: Math.max(0, from - aside), to: to + aside };
    this.#asked = range;
    try {
      const first = Math.floor(range.from * this.rate);
      const samples = await this.samples(first, Math.ceil(range.to * this.rate), signal);
      if (this.#asked !== range) return;
      this.#near = { from: first, samples };
      this.version.set(this.version.get() + 1);
    } catch (error) {
      if (this.#asked === range) this.#asked = null;
      throw error;
    }
  }

  /** Samples `from` … `to` − 1 as far as there are, −1..1. @throws where they can't be read */
  async samples(from: number, to: number, signal: AbortSignal): Promise<Float32Array> {
    const { format, from: begin } = this.#head;
    const width = frameBytes(format);
    const [first, end] = [Math.max(0, from), Math.min(this.#length, to)];
    if (first >= end) return new Float32Array(0);
    const { bytes } = await bytesBetween(this.#url, begin + first * width, begin + end * width, signal);
    return mixToMono({ format, bytes: bytes.subarray(0, bytes.length - (bytes.length % width)) }).samples;
  }
}

async function* withFirst(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function joinedBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
