/**
 * The face on the screen now. The head computes it once per frame; meters and windows show the same one.
 */

import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { createStore } from '../base/store.ts';
import { trackedOver } from '../send/tracked-face.ts';
import { createIdleMotion } from '../speaking/idle-motion.ts';
import { PerformedFace, type Wanted } from '../speaking/performed-face.ts';
import { type PresetName, presets } from '../viewer/morphs.ts';
import { faceNow } from './live-session.ts';
import { liveSettings } from './live-settings.ts';

/** Milliseconds without a drawing after which the page counts as hidden. */
const stale = 100;
/** The same seed in the page and in the head's own window, so that both idle alike. */
const seed = 1;
/** Milliseconds since 1970, without the jumps of the system's clock. */
const now = (): number => performance.timeOrigin + performance.now();

/** The expression that is laid over the face; null: none. */
export const expressionNow = createStore<PresetName | null>(null);
/** Where the pointer is to the head, while the eyes are to follow it. */
export const pointerGaze = createStore<Wanted['gaze']>(null);

/** A separate idling face. @returns a function to call with the voice's face, or null */
export function createIdlingFace(): (voice: FaceState | null, more?: Partial<Wanted>) => FaceState | null {
  const performed = new PerformedFace(createIdleMotion(seed));
  return (voice, more) =>
    performed.at(now(), {
      voice,
      // No idle motion with `prefers-reduced-motion`.
      idle: liveSettings().idle && document.documentElement.dataset.motion !== 'reduced',
      expression: null,
      gaze: null,
      ...more,
    });
}

const performed = createIdlingFace();
let shown: FaceState | null = null;
let drawnAt = Number.NEGATIVE_INFINITY;

/** For who draws the head. */
export function drawFace(): FaceState | null {
  const expression = expressionNow.get();
  shown = performed(trackedOver(faceNow()), {
    expression: expression && presets[expression],
    gaze: liveSettings().followPointer ? pointerGaze.get() : null,
  });
  drawnAt = performance.now();
  return shown;
}

/** For other views of the same face. */
export const shownFace = (): FaceState | null => (performance.now() - drawnAt < stale ? shown : drawFace());
