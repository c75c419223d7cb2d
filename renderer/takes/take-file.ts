/** A take as the page plays it: its face from `face.pb`, its waveform from `audio.wav`. */

import { facesOf, mergedFace, type PlayableFace, readArrivals } from '#proto/take_stream.ts';
import { assetUrl } from '../base/asset-url.ts';

export interface LoadedTake {
  face: PlayableFace;
  /** Loudest and lowest sample of each column of the waveform, −1..1: max, min, max, min, … */
  peaks: Float32Array;
}

/** Columns of a waveform: more than any screen shows. */
const columns = 2000;

async function bytesOf(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

export async function loadTake(id: string, signal: AbortSignal): Promise<LoadedTake> {
  const [face, audio] = await Promise.all([
    bytesOf(assetUrl(id, 'take-face'), signal),
    bytesOf(assetUrl(id, 'take-audio'), signal),
  ]);
  const { arrivals } = readArrivals(new Uint8Array(face));
  return { face: mergedFace(facesOf(arrivals)), peaks: await peaksOf(audio) };
}

async function peaksOf(audio: ArrayBuffer): Promise<Float32Array> {
  const peaks = new Float32Array(columns * 2);
  if (audio.byteLength < 100) return peaks;
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(audio);
  const samples = sound.getChannelData(0);
  for (let column = 0; column < columns; column++) {
    let high = 0;
    let low = 0;
    const end = Math.ceil(((column + 1) * samples.length) / columns);
    for (let at = Math.floor((column * samples.length) / columns); at < end; at++) {
      const sample = samples[at] ?? 0;
      if (sample > high) high = sample;
      if (sample < low) low = sample;
    }
    peaks[column * 2] = high;
    peaks[column * 2 + 1] = low;
  }
  return peaks;
}

/** The frames around a moment; frames are in order of time. */
export function framesAround(
  { frames }: PlayableFace,
  seconds: number,
): { from: PlayableFace['frames'][number]; to: PlayableFace['frames'][number]; mix: number } | null {
  if (frames.length === 0) return null;
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle]!.timeCode <= seconds) low = middle;
    else high = middle - 1;
  }
  const from = frames[low]!;
  const to = frames[low + 1] ?? from;
  const span = to.timeCode - from.timeCode;
  return { from, to, mix: span > 0 ? Math.min(1, Math.max(0, (seconds - from.timeCode) / span)) : 0 };
}
