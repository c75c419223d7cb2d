/** The stretch of a take that the timeline shows, seconds of the recording. */
export interface TimeWindow {
  readonly from: number;
  readonly span: number;
}

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Frames that the narrowest window shows: single ones can be taken hold of. */
const minFrames = 4;
/** Seconds that are shown when a take opens: words can be read. */
const firstSpan = 6;

/** Zoom factor of one press of a button or key. */
export const zoomStep = 1.6;

/** @param seconds length of the take */
export const firstWindow = (seconds: number): TimeWindow => ({
  from: 0,
  span: Math.max(1e-3, Math.min(seconds, firstSpan)),
});

/** A window that lies within the take and is neither wider than it nor narrower than a few frames. */
export function keptInside({ from, span }: TimeWindow, seconds: number, frameRate: number): TimeWindow {
  const wide = Math.max(1e-3, Math.min(Math.max(span, minFrames / frameRate), seconds));
  return { from: Math.max(0, Math.min(from, seconds - wide)), span: wide };
}

/** Wider (`by` over 1) or narrower, with `at` staying where it is on the screen. */
export const zoomed = ({ from, span }: TimeWindow, by: number, at: number): TimeWindow => ({
  from: at - (at - from) * by,
  span: span * by,
});

/** The window with `at` in it: where it was, or turned over like a page with a little of before in sight. */
export const turnedTo = (window: TimeWindow, at: number): TimeWindow =>
  at >= window.from && at <= window.from + window.span
    ? window
    : { from: at - window.span * 0.1, span: window.span };

/** Steps of a ruler, seconds; below the first, frames. */
const rulerSteps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** Seconds between two times that a ruler writes, so that they stand `least` pixels apart. */
export function rulerStep(pixelsPerSecond: number, frameRate: number, min = 76): number {
  const frames = [1, 2, 5].map((count) => count / frameRate);
  return (
    [...frames, ...rulerSteps].find((step) => step * pixelsPerSecond >= min) ?? (rulerSteps.at(-1) as number)
  );
}

/** `1:02.5`: minutes, seconds and as many digits as the step of the ruler needs. */
export function clockTime(seconds: number, digits: number): string {
  const scale = 10 ** digits;
  const whole = Math.round(seconds * scale);
  const minutes = Math.floor(whole / (60 * scale));
  const rest = (whole - minutes * 60 * scale) / scale;
  return `${minutes}:${rest.toFixed(digits).padStart(digits > 0 ? 3 + digits : 2, '0')}`;
}

/** @returns the nearest frame, or what of `places` lies within `reach` seconds: words' ends, markers */
export function snapped(at: number, frameRate: number, times: Iterable<number>, reach: number): number {
  let best = Math.round(at * frameRate) / frameRate;
  let distance = reach;
  for (const time of times) {
    const apart = Math.abs(time - at);
    if (apart < distance) {
      best = time;
      distance = apart;
    }
  }
  return Math.max(0, best);
}
