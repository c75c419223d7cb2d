/** Cutting and retiming: what is left of a take's pieces. An empty list is the whole recording at its own speed. */
import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeRange } from '../timeline/time-window.ts';

/** Minimum length of a piece, seconds. */
const min = 1e-6;

const all = (pieces: readonly Piece[], seconds: number): readonly Piece[] =>
  pieces.length > 0 ? pieces : [{ from: 0, to: seconds, speed: 1 }];

/** Null: nothing would be left. */
export function withoutRange(pieces: readonly Piece[], range: TimeRange, seconds: number): Piece[] | null {
  return tidy(
    all(pieces, seconds).flatMap((piece) => outside(piece, range)),
    seconds,
  );
}

/** Null: nothing would be left. */
export function onlyRange(pieces: readonly Piece[], range: TimeRange, seconds: number): Piece[] | null {
  return tidy(
    all(pieces, seconds).flatMap((piece) => inside(piece, range)),
    seconds,
  );
}

export function withSpeed(
  pieces: readonly Piece[],
  range: TimeRange,
  speed: number,
  seconds: number,
): Piece[] | null {
  const parts = all(pieces, seconds).flatMap((piece) => [
    ...outside(piece, range),
    ...inside(piece, range).map((part) => ({ ...part, speed })),
  ]);
  return tidy(parts, seconds);
}

/** With a range that was cut out. */
export const withRange = (pieces: readonly Piece[], { from, to }: TimeRange, seconds: number): Piece[] =>
  tidy([...all(pieces, seconds), { from, to, speed: 1 }], seconds) ?? [];

/** Returns the cut ranges, seconds of the recording. */
export function cutRanges(pieces: readonly Piece[], seconds: number): TimeRange[] {
  const cuts: TimeRange[] = [];
  let end = 0;
  for (const { from, to } of all(pieces, seconds)) {
    if (from - end > min) cuts.push({ from: end, to: from });
    end = Math.max(end, to);
  }
  if (seconds - end > min) cuts.push({ from: end, to: seconds });
  return cuts;
}

const inside = (piece: Piece, { from, to }: TimeRange): Piece[] => {
  const part = { ...piece, from: Math.max(piece.from, from), to: Math.min(piece.to, to) };
  return part.to - part.from > min ? [part] : [];
};

const outside = (piece: Piece, { from, to }: TimeRange): Piece[] => [
  ...inside(piece, { from: 0, to: from }),
  ...inside(piece, { from: to, to: Number.POSITIVE_INFINITY }),
];

/** Sorts pieces and joins neighbours of the same speed; null for the whole unchanged recording. */
function tidy(pieces: readonly Piece[], seconds: number): Piece[] | null {
  const joined: Piece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.from - b.from)) {
    const before = joined.at(-1);
    if (before && before.speed === piece.speed && piece.from - before.to < min)
      joined[joined.length - 1] = { ...before, to: piece.to };
    else joined.push(piece);
  }
  const [first] = joined;
  if (!first) return null;
  const isWhole = joined.length === 1 && first.from < min && seconds - first.to < min && first.speed === 1;
  return isWhole ? [] : joined;
}
