/**
 * Strokes painted over a photo, with undo and redo. Immutable values: the page holds the current one.
 */
import type { HeadCorrections } from '#contract';

export type Stroke = HeadCorrections['strokes'][number];

export interface Draft {
  readonly steps: readonly HeadCorrections[];
  readonly at: number;
}

const nothing: HeadCorrections = { strokes: [], crown: 0 };
/** Most steps that can be undone. */
const maxSteps = 200;

export const draftOf = (corrections: HeadCorrections | null): Draft => ({
  steps: [corrections ?? nothing],
  at: 0,
});

export const now = ({ steps, at }: Draft): HeadCorrections => steps[at] ?? nothing;
export const canUndo = ({ at }: Draft): boolean => at > 0;
export const canRedo = ({ steps, at }: Draft): boolean => at < steps.length - 1;
export const isEmpty = ({ strokes, crown }: HeadCorrections): boolean => strokes.length === 0 && crown === 0;
/** As the photo keeps it: null where nothing is corrected. */
export const kept = (corrections: HeadCorrections): HeadCorrections | null =>
  isEmpty(corrections) ? null : corrections;

export function step(draft: Draft, changes: Partial<HeadCorrections>): Draft {
  // Moving a slider key by key counts as one step.
  const goesOn = !changes.strokes && draft.steps[draft.at - 1]?.strokes === now(draft).strokes;
  const before = draft.steps.slice(0, goesOn ? draft.at : draft.at + 1);
  const steps = [...before, { ...now(draft), ...changes }].slice(-maxSteps);
  return { steps, at: steps.length - 1 };
}

export const undo = (draft: Draft): Draft => (canUndo(draft) ? { ...draft, at: draft.at - 1 } : draft);
export const redo = (draft: Draft): Draft => (canRedo(draft) ? { ...draft, at: draft.at + 1 } : draft);
export const reset = (draft: Draft): Draft => (isEmpty(now(draft)) ? draft : step(draft, nothing));

/** Thins out the pointer's points: a third of the brush apart, to four digits. */
export function thinned({ kind, radius, points }: Stroke): Stroke {
  const few: number[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = [points[i] ?? 0, points[i + 1] ?? 0];
    const away = Math.hypot(x - (few.at(-2) ?? 9), y - (few.at(-1) ?? 9));
    const last = i + 2 >= points.length && i > 0;
    if (away >= radius / 3 || last) few.push(Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4);
  }
  return { kind, radius: Math.round(radius * 1e4) / 1e4, points: few };
}
