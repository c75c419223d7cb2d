/** A take's face as the page plays it, read while it comes: from `face.pb`, or the one of the whole sound. */

import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import { PackedTakeReader } from '@likeness/proto/packed_take.ts';
import { splicedFrames } from '@likeness/proto/take_stream.ts';
import type { Take } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import type { FaceMeasures } from '../editor/timeline/take-curves.ts';
import { readFace } from './face-reader.ts';

export interface LoadedTake {
  face: PackedFace;
  /** All of its frames are there; else those from its beginning, and the rest is at rest. */
  isWhole: boolean;
  /** Measurements of the loaded part, if computed on the way. */
  measured?: FaceMeasures;
}

/** @param onBegun told once of a take that takes its time, with what there is of it */
export async function loadTake(
  { id, shownFace }: Pick<Take, 'id' | 'shownFace'>,
  signal: AbortSignal,
  onBegun?: (begun: LoadedTake) => void,
): Promise<LoadedTake> {
  const url = assetUrl(id, shownFace === 'second' ? 'take-second-view' : 'take-face-view');
  const read = await readFace(url, signal, onBegun && ((begun) => onBegun({ ...begun, isWhole: false })));
  return { ...read, isWhole: true };
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
