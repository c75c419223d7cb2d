/** The face on the screen now. It is asked for once a frame, by the head; meters and windows show the same one. */
import type { FaceState } from '../speaking/face-state.ts';
import { faceNow } from './live-session.ts';

/** Milliseconds after which nobody draws: the page is hidden, or another place is shown. */
const stale = 100;

let shown: FaceState | null = null;
let drawnAt = Number.NEGATIVE_INFINITY;

/** For who draws the head. */
export function drawFace(): FaceState | null {
  shown = faceNow();
  drawnAt = performance.now();
  return shown;
}

/** For who shows the same face beside it. */
export const shownFace = (): FaceState | null => (performance.now() - drawnAt < stale ? shown : drawFace());
