/**
 * The face on the screen now. It is asked for once a frame, by the
 * head; meters and windows show the same one.
 */
import { createStore } from '../base/store.ts';
import type { FaceState } from '../speaking/face-state.ts';
import { createIdleMotion } from '../speaking/idle-motion.ts';
import { PerformedFace, type Wanted } from '../speaking/performed-face.ts';
import { type PresetName, presets } from '../viewer/morphs.ts';
import { faceNow } from './live-session.ts';
import { liveSettings } from './live-settings.ts';

/** Milliseconds after which nobody draws: the page is hidden, or another place is shown. */
const stale = 100;
/** The same in the page and in the head's own window, which so idle alike. */
const seed = 1;
/** Milliseconds since 1970, without the jumps of the system's clock. */
const now = (): number => performance.timeOrigin + performance.now();

/** The expression that is laid over the face; null: none. */
export const expressionNow = createStore<PresetName | null>(null);
/** Where the pointer is to the head, while the eyes are to follow it. */
export const pointerGaze = createStore<Wanted['gaze']>(null);

/** Another face of a head that idles. @returns what to ask with the voice's face, or with null */
export function createIdlingFace(): (voice: FaceState | null, more?: Partial<Wanted>) => FaceState | null {
  const performed = new PerformedFace(createIdleMotion(seed));
  return (voice, more) =>
    performed.at(now(), {
      voice,
      // Who wants little motion on the screen gets none that nobody asked for.
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
  shown = performed(faceNow(), {
    expression: expression && presets[expression],
    gaze: liveSettings().followPointer ? pointerGaze.get() : null,
  });
  drawnAt = performance.now();
  return shown;
}

/** For who shows the same face beside it. */
export const shownFace = (): FaceState | null => (performance.now() - drawnAt < stale ? shown : drawFace());
