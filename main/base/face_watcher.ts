import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import type { Tier } from '@likeness/proto/live/live_message.ts';

/** Told what a live session gives, as it comes: for who sends it on. */
export interface FaceWatcher {
  header(tier: Tier, channelNames: readonly string[]): void;
  /** `frame.timeCode` counts from the session's first sample. */
  frame(tier: Tier, frame: FaceStreamFrame): void;
  /** Frames from before so many seconds are not wanted any more. */
  interrupt(seconds: number): void;
  close(): void;
}
