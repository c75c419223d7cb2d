/** A take's face as the page plays it, read while it comes: from `face.pb`, or the one of the whole sound. */

import type { Take } from '#contract';
import { PackedFace } from '#proto/face/packed_face.ts';
import { isPackedFaceFile, PackedFaceFileReader } from '#proto/face/packed_face_file.ts';
import { PackedTakeReader } from '#proto/packed_take.ts';
import { splicedFrames } from '#proto/take_stream.ts';
import { assetUrl } from '../base/asset-url.ts';
import { piecesOf } from './fetched-bytes.ts';

export interface LoadedTake {
  face: PackedFace;
  /** All of its frames are there; else those from its beginning, and the rest is at rest. */
  isWhole: boolean;
}

/** Milliseconds after which the beginning of a long take is shown while the rest is on its way. */
const patience = 120;

/** @param onBegun told once of a take that takes its time, with what there is of it */
export async function loadTake(
  { id, shownFace }: Pick<Take, 'id' | 'shownFace'>,
  signal: AbortSignal,
  onBegun?: (begun: LoadedTake) => void,
): Promise<LoadedTake> {
  const url = assetUrl(id, shownFace === 'second' ? 'take-second-view' : 'take-face-view');
  const pieces = piecesOf(url, signal);
  const first = await pieces.next();
  const start = first.done ? new Uint8Array(0) : first.value;
  return isPackedFaceFile(start) ? readPacked(start, pieces, onBegun) : readMessages(start, pieces);
}

async function readPacked(
  start: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
  onBegun?: (begun: LoadedTake) => void,
): Promise<LoadedTake> {
  const reader = new PackedFaceFileReader();
  const until = performance.now() + patience;
  let begun: PackedFace | null = null;
  reader.push(start);
  for await (const bytes of pieces) {
    reader.push(bytes);
    if (begun || !onBegun || reader.read === 0 || performance.now() < until) continue;
    begun = reader.face;
    if (begun) onBegun({ face: begun, isWhole: false });
  }
  const face = reader.finish();
  // What was found out about a part of it is not true of all.
  return { face: face === begun ? face.shared() : face, isWhole: true };
}

/** The messages themselves: columns are made of them for the next time. */
async function readMessages(start: Uint8Array, pieces: AsyncIterable<Uint8Array>): Promise<LoadedTake> {
  const reader = new PackedTakeReader();
  reader.push(start);
  for await (const bytes of pieces) reader.push(bytes);
  return { face: reader.finish(), isWhole: true };
}

/** The take with other frames in one stretch. @param face a face's messages, in base64 */
export function withStretch(take: LoadedTake, face: string): LoadedTake {
  const reader = new PackedTakeReader();
  reader.push(Uint8Array.from(atob(face), (letter) => letter.charCodeAt(0)));
  const { channelNames, frameRate, frames } = take.face;
  const spliced = splicedFrames(frames, reader.finish().frames, frameRate);
  const serverShare = new Float32Array(spliced.length);
  return { face: PackedFace.of({ channelNames, frameRate, frames: spliced, serverShare }), isWhole: true };
}
