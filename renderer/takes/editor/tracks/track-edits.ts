/** Edits of a track's parts: what a drag, a key or a field makes of expressions, looks, blinks and cuts. */
import type { EditOperation, GazeStretch, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { cutRanges, withoutRange, withRange, withSpeed } from '../edits/take-pieces.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import {
  addedBlock,
  blockEase,
  blockKeys,
  blockRamps,
  blockWeight,
  clamp,
  expressionBlocks,
  movedBlock,
  newBlock,
  trimmedBlock,
  withoutBlock,
} from './expression-blocks.ts';

export const trackKinds = ['expression', 'gaze', 'blink', 'cut'] as const;
export type TrackKind = (typeof trackKinds)[number];

/** An edit, and the index that the part has after it; null: it is gone. */
export interface PartEdit {
  readonly operation: EditOperation;
  readonly index: number | null;
}

/** A part that was copied: its length, and what it does. */
export type CopiedPart =
  | {
      readonly kind: 'expression';
      readonly like: Parameters<typeof addedBlock>[2];
    }
  | { readonly kind: 'gaze'; readonly seconds: number; readonly yaw: number; readonly pitch: number }
  | { readonly kind: 'blink' };

export interface TrackEdits {
  /** Where its parts lie, seconds of the recording. */
  parts(edits: TakeEdits, seconds: number): readonly TimeRange[];
  moved(edits: TakeEdits, index: number, by: number, seconds: number): PartEdit;
  /** Null: its parts have no length. */
  trimmed:
    | ((edits: TakeEdits, index: number, edge: keyof TimeRange, at: number, seconds: number) => PartEdit)
    | null;
  removed(edits: TakeEdits, index: number, seconds: number): PartEdit;
  copied(edits: TakeEdits, index: number, seconds: number): CopiedPart | null;
  /** A new part at a moment. Null: there is no room. */
  added(edits: TakeEdits, at: number, seconds: number, like?: CopiedPart): PartEdit | null;
}

/** Seconds: the shortest gaze and cut, and what two blinks are apart at least. */
const shortest = 0.05;

const expressions: TrackEdits = {
  parts: (edits, seconds) => expressionBlocks(edits.expressions, seconds),
  moved: (edits, index, by, seconds) =>
    withBlocks(movedBlock(expressionBlocks(edits.expressions, seconds), index, by, seconds), index),
  trimmed: (edits, index, edge, at, seconds) =>
    withBlocks(trimmedBlock(expressionBlocks(edits.expressions, seconds), index, edge, at, seconds), index),
  removed: (edits, index, seconds) =>
    withBlocks(withoutBlock(expressionBlocks(edits.expressions, seconds), index), null),
  copied(edits, index, seconds) {
    const block = expressionBlocks(edits.expressions, seconds)[index];
    if (!block) return null;
    const { preset, from, to } = block;
    const ramps = blockRamps(block);
    return {
      kind: 'expression',
      like: { preset, weight: blockWeight(block), seconds: to - from, ...ramps, ease: blockEase(block) },
    };
  },
  added(edits, at, seconds, like) {
    const plain = { preset: edits.expressions.at(-1)?.preset ?? 'joy', weight: 0.6, ease: 'smooth' } as const;
    const wanted = like?.kind === 'expression' ? like.like : { ...plain, ...newBlock };
    const made = addedBlock(expressionBlocks(edits.expressions, seconds), at, wanted, seconds);
    return made && withBlocks(made.blocks, made.index);
  },
};

const withBlocks = (blocks: Parameters<typeof blockKeys>[0], index: number | null): PartEdit => ({
  operation: { kind: 'expressions', keys: blockKeys(blocks) },
  index,
});

/** Seconds and degrees of a new gaze. */
const newGaze = { seconds: 1.2, yaw: 10, pitch: 0 };

const gaze: TrackEdits = {
  parts: (edits) => edits.gaze,
  moved({ gaze: all }, index, by, seconds) {
    return withLooks(all.with(index, shifted(all, index, by, seconds)), index);
  },
  trimmed({ gaze: all }, index, edge, at, seconds) {
    return withLooks(all.with(index, trimmed(all, index, edge, at, seconds)), index);
  },
  removed: ({ gaze: all }, index) => withLooks(all.toSpliced(index, 1), null),
  copied({ gaze: all }, index) {
    const stretch = all[index];
    return stretch
      ? { kind: 'gaze', seconds: stretch.to - stretch.from, yaw: stretch.yaw, pitch: stretch.pitch }
      : null;
  },
  added({ gaze: all }, at, seconds, like) {
    const { yaw, pitch, seconds: length } = like?.kind === 'gaze' ? like : newGaze;
    const index = all.filter(({ from }) => from <= at).length;
    const from = Math.max(at, all[index - 1]?.to ?? 0);
    const to = Math.min(from + length, all[index]?.from ?? seconds, seconds);
    if (from > at + 1e-3 || to - from < shortest) return null;
    return withLooks(all.toSpliced(index, 0, { from, to, yaw, pitch }), index);
  },
};

const withLooks = (stretches: GazeStretch[], index: number | null): PartEdit => ({
  operation: { kind: 'gaze', stretches },
  index,
});

/** The room between a part's neighbours. */
const gapAround = (all: readonly TimeRange[], index: number, seconds: number): TimeRange => ({
  from: all[index - 1]?.to ?? 0,
  to: all[index + 1]?.from ?? seconds,
});

/** A part later by so many seconds, as far as its neighbours let it. */
function shifted<Part extends TimeRange>(
  all: readonly Part[],
  index: number,
  by: number,
  seconds: number,
): Part {
  const part = all[index]!;
  const room = gapAround(all, index, seconds);
  const shift = clamp(by, room.from - part.from, room.to - part.to);
  return { ...part, from: part.from + shift, to: part.to + shift };
}

/** A part with another beginning or end, as far as its neighbours let it. */
function trimmed<Part extends TimeRange>(
  all: readonly Part[],
  index: number,
  edge: keyof TimeRange,
  at: number,
  seconds: number,
): Part {
  const part = all[index]!;
  const room = gapAround(all, index, seconds);
  const [min, max] = edge === 'from' ? [room.from, part.to - shortest] : [part.from + shortest, room.to];
  return { ...part, [edge]: clamp(at, min, max) };
}

const blinks: TrackEdits = {
  parts: (edits) => edits.blinks.added.map((time) => ({ from: time, to: time })),
  moved({ blinks: all }, index, by, seconds) {
    const { added } = all;
    const min = index > 0 ? added[index - 1]! + shortest : 0;
    const max = index < added.length - 1 ? added[index + 1]! - shortest : seconds;
    const time = clamp(added[index]! + by, min, Math.max(min, max));
    return { operation: { kind: 'blinks', blinks: { ...all, added: added.with(index, time) } }, index };
  },
  trimmed: null,
  removed: ({ blinks: all }, index) => ({
    operation: { kind: 'blinks', blinks: { ...all, added: all.added.toSpliced(index, 1) } },
    index: null,
  }),
  copied: () => ({ kind: 'blink' }),
  added({ blinks: all }, at) {
    if (all.added.some((time) => Math.abs(time - at) < shortest)) return null;
    const added = [...all.added, at].toSorted((a, b) => a - b);
    return { operation: { kind: 'blinks', blinks: { ...all, added } }, index: added.indexOf(at) };
  },
};

/** A cut, or a stretch of another speed. */
export interface CutPart extends TimeRange {
  /** 0: it is cut out. */
  readonly speed: number;
}

/** In order of time. */
export const cutParts = ({ pieces }: Pick<TakeEdits, 'pieces'>, seconds: number): CutPart[] =>
  [
    ...cutRanges(pieces, seconds).map((range) => ({ ...range, speed: 0 })),
    ...pieces.filter(({ speed }) => speed !== 1),
  ].toSorted((a, b) => a.from - b.from);

/** Another range or speed for a part of the cuts; null: it is as recorded. */
export function changedCut(edits: TakeEdits, index: number, next: CutPart | null, seconds: number): PartEdit {
  const part = cutParts(edits, seconds)[index]!;
  const recorded =
    part.speed === 0
      ? withRange(edits.pieces, part, seconds)
      : (withSpeed(edits.pieces, part, 1, seconds) ?? []);
  const pieces = !next
    ? recorded
    : next.speed === 0
      ? withoutRange(recorded, next, seconds)
      : withSpeed(recorded, next, next.speed, seconds);
  // Nothing would be left of the take.
  if (!pieces) return { operation: { kind: 'pieces', pieces: [...edits.pieces] }, index };
  const at = next
    ? cutParts({ pieces }, seconds).findIndex(({ from }) => Math.abs(from - next.from) < 1e-6)
    : -1;
  return { operation: { kind: 'pieces', pieces }, index: at < 0 ? null : at };
}

const cuts: TrackEdits = {
  parts: cutParts,
  moved(edits, index, by, seconds) {
    return changedCut(edits, index, shifted(cutParts(edits, seconds), index, by, seconds), seconds);
  },
  trimmed(edits, index, edge, at, seconds) {
    return changedCut(edits, index, trimmed(cutParts(edits, seconds), index, edge, at, seconds), seconds);
  },
  removed: (edits, index, seconds) => changedCut(edits, index, null, seconds),
  copied: () => null,
  // The range that is selected is cut, by its own key.
  added: () => null,
};

export const trackEdits: Readonly<Record<TrackKind, TrackEdits>> = {
  expression: expressions,
  gaze,
  blink: blinks,
  cut: cuts,
};
