import type { PlayableFace } from '../take_stream.ts';
import { PackedFace } from './packed_face.ts';

/** The weights of a channel by frame; not to be changed, for of a packed face they are its own. */
export const faceColumn = (face: Pick<PlayableFace, 'frames'>, channel: number): Float32Array =>
  face instanceof PackedFace
    ? face.column(channel)
    : Float32Array.from(face.frames, ({ weights }) => weights[channel]!);
