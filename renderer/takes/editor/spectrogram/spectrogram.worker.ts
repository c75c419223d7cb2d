/** Makes a take's spectrogram beside the page, from the parts of its sound file that are seen. */
import { frameBytes, mixToMono, readWavHead, type WavHead } from '@likeness/proto/wav.ts';
import {
  type FromSpectrogramWorker,
  type TileName,
  type ToSpectrogramWorker,
  tileKey,
} from './spectrogram-tiles.ts';
import { TileMaker } from './tile-maker.ts';

/** Bytes that hold a WAV file's head. */
const headBytes = 4096;

let url = '';
let maker: Promise<TileMaker> | null = null;
let wanted: TileName[] = [];
let isBusy = false;
const made = new Set<string>();

const answer = (message: FromSpectrogramWorker, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

/** A part of the file. @param to not included */
async function part(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // A server that knows no ranges sends all of it.
  return response.status === 206 ? bytes : bytes.subarray(from, to);
}

async function openSound(): Promise<TileMaker> {
  const head: WavHead = readWavHead(await part(0, headBytes));
  const { format } = head;
  const frame = frameBytes(format);
  const total = Math.floor(head.bytes / frame);
  return new TileMaker(format.sampleRate, async (from, count) => {
    const samples = new Float32Array(count);
    const [first, last] = [Math.max(0, from), Math.min(total, from + count)];
    if (last <= first) return samples;
    const bytes = await part(head.from + first * frame, head.from + last * frame);
    samples.set(mixToMono({ format, bytes }).samples.subarray(0, last - first), first - from);
    return samples;
  });
}

async function run(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    maker ??= openSound();
    for (let name = wanted.shift(); name; name = wanted.shift()) {
      if (made.has(tileKey(name))) continue;
      const values = await (await maker).tile(name);
      made.add(tileKey(name));
      answer({ kind: 'tile', name, values }, [values.buffer]);
    }
  } catch (error) {
    wanted = [];
    answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  } finally {
    isBusy = false;
  }
}

self.onmessage = ({ data }: MessageEvent<ToSpectrogramWorker>): void => {
  if (data.kind === 'open') {
    url = data.url;
    return;
  }
  wanted = data.tiles;
  for (const name of data.tiles) made.delete(tileKey(name));
  void run();
};
