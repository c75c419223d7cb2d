import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import type { Tier } from '@likeness/proto/live/live_message.ts';

/** Receives the frames of a live session as they arrive, to send them on. */
export interface FaceWatcher {
  header(tier: Tier, channelNames: readonly string[]): void;
  /** `frame.timeCode` counts from the session's first sample. */
  frame(tier: Tier, frame: FaceStreamFrame): void;
  /** Frames older than this many seconds are dropped. */
  interrupt(seconds: number): void;
  close(): void;
}
