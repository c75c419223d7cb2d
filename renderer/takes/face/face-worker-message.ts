/** Messages between the page and the worker that reads takes’ faces. */
import type { FaceParts, PackedFace } from '@likeness/proto/face/packed_face.ts';
import type { FaceMeasures } from '../editor/timeline/take-curves.ts';

export type ToFaceWorker =
  /** Whether the beginning of one that takes its time is wanted while the rest is on its way. */
  { kind: 'read'; id: number; url: string; wantsBeginning: boolean } | { kind: 'stop'; id: number };

/** Frames `from` … `to` − 1 of a packed face. */
export interface FaceBlock {
  from: number;
  to: number;
  values: Float32Array<ArrayBuffer>;
}

export type FromFaceWorker = { id: number } & (
  | {
      kind: 'begun';
      head: Parameters<typeof PackedFace.awaited>[0];
      times: Float64Array<ArrayBuffer>;
      first: FaceBlock;
      /** Measurements of the first frames. */
      measured: FaceMeasures;
    }
  | { kind: 'block'; block: FaceBlock }
  /** Without parts it has come in blocks. */
  | { kind: 'whole'; parts: FaceParts | null; measured: FaceMeasures }
  | { kind: 'failed'; reason: string }
);
