/** A take as the page plays it: its face from `face.pb`, its sound from `audio.wav`. */

import type { Take } from '#contract';
import {
  facesOf,
  mergedFace,
  type PlayableFace,
  readArrivals,
  splicedFrames,
  type TakeFace,
} from '#proto/take_stream.ts';
import { assetUrl } from '../base/asset-url.ts';
import { type SoundPeaks, soundPeaks } from './editor/timeline/sound-samples.ts';

export interface LoadedTake {
  face: PlayableFace;
  /** Null: it has no sample. */
  sound: SoundPeaks | null;
}

async function bytesOf(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

export async function loadTake(
  { id, shownFace }: Pick<Take, 'id' | 'shownFace'>,
  signal: AbortSignal,
): Promise<LoadedTake> {
  const [face, audio] = await Promise.all([
    bytesOf(assetUrl(id, shownFace === 'second' ? 'take-second' : 'take-face'), signal),
    bytesOf(assetUrl(id, 'take-audio'), signal),
  ]);
  return { face: mergedFace(facesIn(new Uint8Array(face))), sound: await soundPeaks(audio, signal) };
}

const facesIn = (bytes: Uint8Array): TakeFace[] => facesOf(readArrivals(bytes).arrivals);

/** The take with other frames in one stretch. @param face a face's messages, in base64 */
export function withStretch(take: LoadedTake, face: string): LoadedTake {
  const part = mergedFace(facesIn(Uint8Array.from(atob(face), (letter) => letter.charCodeAt(0))));
  const frames = splicedFrames(take.face.frames, part.frames, take.face.frameRate);
  return { ...take, face: { ...take.face, frames, serverShare: new Float32Array(frames.length) } };
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
