/**
 * Expressions as blocks of a track. A take stores keys, one after another; a block is a run of keys of one
 * expression that begins and ends at strength 0, or at the take's ends. All times are seconds of the recording.
 */
import type { Interpolation } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { ExpressionKey } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeRange } from '../timeline/time-window.ts';

export interface ExpressionBlock extends TimeRange {
  readonly preset: string;
  readonly keys: readonly ExpressionKey[];
}

/** Seconds: a new block, its ramps, the shortest one, and what two keys are apart at least. */
export const newBlock = { seconds: 1.2, rise: 0.25, fall: 0.25 };
const shortest = 0.1;
const apart = 1e-3;

/** @param seconds length of the take: keys at its ends hold */
export function expressionBlocks(keys: readonly ExpressionKey[], seconds: number): ExpressionBlock[] {
  const runs: ExpressionKey[][] = [];
  for (const key of keys) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isOver = !run || !last || last.preset !== key.preset || (last.weight === 0 && run.length > 1);
    if (isOver) runs.push([key]);
    else run.push(key);
  }
  return runs.map((run, at) => {
    const [first, last] = [run[0]!, run.at(-1)!];
    return {
      preset: first.preset,
      keys: run,
      from: at === 0 && first.weight > 0 ? 0 : first.time,
      to:
        last.weight === 0
          ? last.time
          : Math.max(last.time, runs[at + 1]?.[0]?.time ?? Math.max(seconds, last.time)),
    };
  });
}

export const blockKeys = (blocks: readonly ExpressionBlock[]): ExpressionKey[] =>
  blocks.flatMap(({ keys }) => keys);

export const blockWeight = ({ keys }: ExpressionBlock): number =>
  Math.max(...keys.map(({ weight }) => weight));

/** Seconds in which it comes and goes. */
export function blockRamps({ keys, from, to }: ExpressionBlock): { rise: number; fall: number } {
  const shown = keys.filter(({ weight }) => weight > 0);
  return { rise: (shown[0]?.time ?? from) - from, fall: to - (shown.at(-1)?.time ?? to) };
}

/** How it goes from key to key: as its first key does. */
export const blockEase = ({ keys }: ExpressionBlock): Interpolation => keys[0]?.to ?? 'smooth';

/** True if its strength stays the same between its ramps: then they can be set. */
export const isPlain = (block: ExpressionBlock): boolean =>
  new Set(block.keys.map(({ weight }) => weight).filter((weight) => weight > 0)).size <= 1;

interface Shape extends TimeRange {
  readonly preset: string;
  readonly weight: number;
  readonly rise: number;
  readonly fall: number;
  readonly ease: Interpolation;
}

/** A block that rises from 0, holds and falls to 0. */
function shaped({ preset, weight, from, to, rise, fall, ease }: Shape): ExpressionBlock {
  const room = Math.max(0, to - from - 3 * apart);
  const scale = rise + fall > room ? room / (rise + fall) : 1;
  const up = from + Math.max(apart, rise * scale);
  const down = Math.max(up + apart, to - Math.max(apart, fall * scale));
  const key = (time: number, level: number): ExpressionKey => ({ time, preset, weight: level, to: ease });
  return {
    preset,
    from,
    to,
    keys: [key(from, 0), key(up, weight), key(down, weight), key(Math.max(to, down + apart), 0)],
  };
}

const shapeOf = (block: ExpressionBlock): Shape => ({
  preset: block.preset,
  from: block.from,
  to: block.to,
  weight: blockWeight(block),
  ...blockRamps(block),
  ease: blockEase(block),
});

/** Where a block may lie: between its neighbours. */
function roomOf(blocks: readonly ExpressionBlock[], index: number, seconds: number): TimeRange {
  const before = blocks[index - 1];
  const after = blocks[index + 1];
  return {
    from: before ? Math.max(before.to, before.keys.at(-1)!.time + apart) : 0,
    to: after ? after.keys[0]!.time - apart : seconds,
  };
}

export const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

/** Later by so many seconds, as far as its neighbours let it. */
export function movedBlock(
  blocks: readonly ExpressionBlock[],
  index: number,
  by: number,
  seconds: number,
): ExpressionBlock[] {
  const block = blocks[index]!;
  const room = roomOf(blocks, index, seconds);
  const shift = clamp(by, Math.min(0, room.from - block.from), Math.max(0, room.to - block.to));
  const shape = shapeOf(block);
  const next = isPlain(block)
    ? shaped({ ...shape, from: block.from + shift, to: block.to + shift })
    : retimed(block, { from: block.from + shift, to: block.to + shift });
  return blocks.with(index, next);
}

/** With another beginning or end. */
export function trimmedBlock(
  blocks: readonly ExpressionBlock[],
  index: number,
  edge: keyof TimeRange,
  at: number,
  seconds: number,
): ExpressionBlock[] {
  const block = blocks[index]!;
  const room = roomOf(blocks, index, seconds);
  const range =
    edge === 'from'
      ? { from: clamp(at, room.from, block.to - shortest), to: block.to }
      : { from: block.from, to: clamp(at, block.from + shortest, room.to) };
  return blocks.with(index, isPlain(block) ? shaped({ ...shapeOf(block), ...range }) : retimed(block, range));
}

/** Scales all keys in proportion: a course of another form keeps its form. */
function retimed(block: ExpressionBlock, { from, to }: TimeRange): ExpressionBlock {
  const scale = (to - from) / Math.max(apart, block.to - block.from);
  const keys = block.keys.map((key) => ({ ...key, time: from + (key.time - block.from) * scale }));
  return { ...block, from, to, keys };
}

export interface BlockChanges {
  readonly preset?: string;
  /** 0..1 */
  readonly weight?: number;
  readonly rise?: number;
  readonly fall?: number;
  readonly ease?: Interpolation;
}

export function changedBlock(
  blocks: readonly ExpressionBlock[],
  index: number,
  { ease, ...changes }: BlockChanges,
): ExpressionBlock[] {
  const block = blocks[index]!;
  if (isPlain(block))
    return blocks.with(index, shaped({ ...shapeOf(block), ...changes, ...(ease && { ease }) }));
  const scale = changes.weight === undefined ? 1 : changes.weight / blockWeight(block);
  const keys = block.keys.map((key) => ({
    ...key,
    preset: changes.preset ?? key.preset,
    weight: Math.min(1, key.weight * scale),
    to: ease ?? key.to,
  }));
  return blocks.with(index, { ...block, preset: changes.preset ?? block.preset, keys });
}

export const withoutBlock = (blocks: readonly ExpressionBlock[], index: number): ExpressionBlock[] =>
  blocks.toSpliced(index, 1);

/**
 * A new block at a moment, as long as there is room before the next one.
 *
 * @param like its expression, strength and ramps; a copy keeps its length
 * @returns null: another block is there
 */
export function addedBlock(
  blocks: readonly ExpressionBlock[],
  at: number,
  like: { preset: string; weight: number; seconds: number; rise: number; fall: number; ease: Interpolation },
  seconds: number,
): { blocks: ExpressionBlock[]; index: number } | null {
  const index = blocks.filter(({ from }) => from <= at).length;
  const before = blocks[index - 1];
  const from = Math.max(at, before ? before.keys.at(-1)!.time + apart : 0);
  if (before && before.to > at + apart) return null;
  const to = Math.min(
    from + like.seconds,
    seconds,
    (blocks[index]?.keys[0]?.time ?? Number.POSITIVE_INFINITY) - apart,
  );
  if (to - from < shortest) return null;
  const { preset, weight, rise, fall, ease } = like;
  const block = shaped({ preset, weight, from, to, rise, fall, ease });
  return { blocks: blocks.toSpliced(index, 0, block), index };
}

/** Its course as points: seconds and strength. */
export const blockCourse = ({ keys, from, to }: ExpressionBlock): { time: number; weight: number }[] => [
  { time: from, weight: keys[0]!.weight },
  ...keys,
  { time: to, weight: keys.at(-1)!.weight },
];
