/** Messages between the page and `capture.worklet.ts`. */

export interface CaptureSettings {
  /** Factor on the sound. */
  gain: number;
  /** Root mean square, 0..1, below which a block is silenced; 0: no gate. */
  threshold: number;
  /** False while push-to-talk is not pressed. */
  open: boolean;
}

/**
 * Milliseconds of sound per block. Sound waits until its block is full, on average half a block, and faces
 * come in equally coarse steps. 10 instead of 20 saves some 15 ms of latency.
 */
export const blockMs = 10;

/** {@link blockMs} of sound. */
export interface CapturedBlock {
  /** Mono, −1..1, after gain and gate. */
  samples: Float32Array<ArrayBuffer>;
  /** Arrival time of the last sample by the system clock: milliseconds since 1970. */
  capturedAt: number;
  /** Level after gain and before the gate, 0..1 of full scale. */
  rms: number;
  peak: number;
  clipped: boolean;
  /** The gate let it through. */
  passed: boolean;
}
