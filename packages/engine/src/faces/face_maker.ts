import type { FrameToEncode } from '@likeness/proto/face_stream.ts';
import type { MeshTopology } from '@likeness/proto/face_stream_protocol.ts';

/** Options of a trace's face frames. */
export interface FaceOptions {
  /** Hertz, 8,000..96,000. */
  sampleRate: number;
  /** 1..8, interleaved in the pushed samples. */
  channels: number;
  frameRate: 30 | 60;
  /** Seconds of audio after a frame's time that the frame waits for: more is better and later. */
  lookahead: 0 | 0.02 | 0.04 | 0.06;
  /** Suppresses noise before the analysis; frames come up to 22 ms later. */
  suppressNoise: boolean;
}

/** Converts one voice to one face; stateful, from the first sample to `end`. */
export interface FaceTrace {
  /** @param samples Interleaved, −1..1, any length. @returns The frames that are now final, in order. */
  push(samples: Float32Array): FrameToEncode[];
  /** The remaining frames. Nothing may be pushed afterwards. */
  end(): FrameToEncode[];
  /** The state to resume from. Absent: the trace can't be resumed elsewhere. */
  state?(): Uint8Array;
  /** Resumes from a state; right after `open`, with the same options. Throws for a state of other code. */
  resume?(state: Uint8Array): void;
}

/** A head mesh that face weights move. */
export interface FaceMesh {
  readonly topology: MeshTopology;
  /** @param weights By the maker's `channelNames`. @returns Metres, x y z by vertex; the caller's own. */
  pose(weights: Float32Array): Float32Array;
}

/** Turns audio into face frames. */
export interface FaceMaker {
  /** Names of the weights, by position in a frame. */
  readonly channelNames: readonly string[];
  open(options: FaceOptions): FaceTrace;
  /** The head for callers that ask for vertices; the same each time. */
  loadMesh(): Promise<FaceMesh>;
}
