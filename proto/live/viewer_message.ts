/**
 * Messages from the studio to viewers of the head: the page for browser sources, and scripts. JSON text
 * messages over a WebSocket; see `docs/send.md`.
 */
import type { ShapeDrive } from '../face/shape_drives.ts';

/** Version of the messages. */
export const viewerMessageVersion = 1;

export interface FrameMessage {
  type: 'frame';
  /** From 1, over all frames of the studio's run; what is left out was dropped on the way. */
  seq: number;
  /** Seconds of the studio's run. */
  time: number;
  /** 0..1, in the order of `channels`. */
  weights: number[];
  /** Metres, and a quaternion x y z w: away from rest, right-handed, +Y up, the face looks along +Z. */
  head: { position: [number, number, number]; rotation: [number, number, number, number] };
  /** Radians to the face's own left, and upwards. */
  eyes: { leftYaw: number; leftPitch: number; rightYaw: number; rightPitch: number };
}

/** How the head is shown. */
export interface ShownAppearance {
  /** `none` is transparent; else `#rrggbb`. */
  background: string;
  framing: 'shoulders' | 'head' | 'close' | 'threeQuarter' | 'profile';
  mirror: boolean;
  /** A GLB, from the page's address. */
  headUrl: string;
  /** Drives of the shapes; other shapes follow the channel of the same name. */
  drives: readonly ShapeDrive[];
}

/** State that holds until it changes. */
export interface ViewerState {
  channels: readonly string[];
  look: ShownAppearance;
  /** A face is there; else the head rests. */
  hasFace: boolean;
}

export type ViewerMessage =
  | ({
      type: 'snapshot';
      version: number;
      run: string;
      revision: number;
      frame: FrameMessage | null;
    } & ViewerState)
  | ({ type: 'change'; revision: number } & Partial<ViewerState>)
  | FrameMessage;
