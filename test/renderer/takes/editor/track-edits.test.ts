/** Expressions, looks, blinks and cuts as blocks: what a drag or a key makes of the edits that a take stores. */
import { applyOperation, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import type { ExpressionKey, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { describe, expect, test } from 'vitest';
import {
  addedBlock,
  blockKeys,
  blockRamps,
  changedBlock,
  expressionBlocks,
  movedBlock,
  trimmedBlock,
} from '../../../../renderer/takes/editor/tracks/expression-blocks.ts';
import { cutParts, type PartEdit, trackEdits } from '../../../../renderer/takes/editor/tracks/track-edits.ts';

const seconds = 10;
const key = (time: number, preset: string, weight: number): ExpressionKey => ({
  time,
  preset,
  weight,
  to: 'smooth',
});
const joy = [key(1, 'joy', 0), key(1.25, 'joy', 0.6), key(1.95, 'joy', 0.6), key(2.2, 'joy', 0)];
const fear = [key(4, 'fear', 0), key(4.2, 'fear', 1), key(4.8, 'fear', 1), key(5, 'fear', 0)];
const rising = (keys: readonly ExpressionKey[]): boolean =>
  keys.every(({ time }, at) => at === 0 || time > keys[at - 1]!.time);
const withEdit = (edits: TakeEdits, edit: PartEdit | null): TakeEdits =>
  edit ? applyOperation(edits, edit.operation) : edits;

describe('keys of expressions', () => {
  test('are blocks from no strength to none, and the same keys again', () => {
    const blocks = expressionBlocks([...joy, ...fear], seconds);
    expect(blocks.map(({ preset, from, to }) => ({ preset, from, to }))).toEqual([
      { preset: 'joy', from: 1, to: 2.2 },
      { preset: 'fear', from: 4, to: 5 },
    ]);
    expect(blockKeys(blocks)).toEqual([...joy, ...fear]);
  });

  test('that hold to an end of the take, or pass into each other, are blocks as well', () => {
    const held = expressionBlocks([key(3, 'joy', 0.6)], seconds);
    expect(held).toMatchObject([{ from: 0, to: seconds }]);
    const passing = expressionBlocks([key(2, 'joy', 1), key(6, 'fear', 1)], seconds);
    expect(passing).toMatchObject([
      { preset: 'joy', from: 0, to: 6 },
      { preset: 'fear', from: 6, to: seconds },
    ]);
    expect(blockKeys(passing)).toEqual([key(2, 'joy', 1), key(6, 'fear', 1)]);
  });

  test('move as a whole as far as their neighbours let them', () => {
    const blocks = expressionBlocks([...joy, ...fear], seconds);
    const moved = movedBlock(blocks, 0, 0.5, seconds);
    expect(moved[0]).toMatchObject({ from: 1.5, to: 2.7 });
    expect(blockRamps(moved[0]!).rise).toBeCloseTo(0.25, 6);
    const far = movedBlock(blocks, 0, 100, seconds);
    expect(far[0]!.to).toBeLessThan(4);
    expect(rising(blockKeys(far))).toBe(true);
    expect(movedBlock(blocks, 0, -100, seconds)[0]!.from).toBe(0);
  });

  test('keep their ramps when an edge is trimmed, and their course when they have one', () => {
    const blocks = expressionBlocks(joy, seconds);
    const longer = trimmedBlock(blocks, 0, 'to', 5, seconds);
    expect(longer[0]).toMatchObject({ from: 1, to: 5 });
    expect(blockRamps(longer[0]!).fall).toBeCloseTo(0.25, 6);
    const course = [key(1, 'joy', 0), key(2, 'joy', 0.3), key(3, 'joy', 0.9), key(4, 'joy', 0)];
    const [wide] = trimmedBlock(expressionBlocks(course, seconds), 0, 'to', 7, seconds);
    expect(wide!.keys.map(({ time, weight }) => [time, weight])).toEqual([
      [1, 0],
      [3, 0.3],
      [5, 0.9],
      [7, 0],
    ]);
  });

  test('get another strength, expression and ramps; ramps fit into the block', () => {
    const blocks = expressionBlocks(joy, seconds);
    const [changed] = changedBlock(blocks, 0, { weight: 0.9, preset: 'anger', rise: 5 });
    expect(changed).toMatchObject({ preset: 'anger', from: 1, to: 2.2 });
    expect(Math.max(...changed!.keys.map(({ weight }) => weight))).toBe(0.9);
    expect(rising(changed!.keys)).toBe(true);
  });

  test('are added at a moment for 1.2 s, shorter before the next block, and not into another', () => {
    const like = {
      preset: 'joy',
      weight: 0.6,
      seconds: 1.2,
      rise: 0.25,
      fall: 0.25,
      ease: 'smooth',
    } as const;
    const blocks = expressionBlocks(fear, seconds);
    expect(addedBlock(blocks, 1, like, seconds)).toMatchObject({
      index: 0,
      blocks: [{ from: 1, to: 2.2 }, {}],
    });
    expect(addedBlock(blocks, 3.5, like, seconds)?.blocks[0]?.to).toBeCloseTo(3.999, 6);
    expect(addedBlock(blocks, 4.5, like, seconds)).toBeNull();
    expect(addedBlock(blocks, 9.95, like, seconds)).toBeNull();
  });
});

test('looks and blinks move between their neighbours, and are copied to another moment', () => {
  const { gaze, blink } = trackEdits;
  let edits = withEdit(noEdits, gaze.added(noEdits, 1, seconds));
  expect(edits.gaze).toEqual([{ from: 1, to: 2.2, yaw: 10, pitch: 0 }]);
  const copy = gaze.copied(edits, 0, seconds)!;
  edits = withEdit(edits, gaze.added(edits, 3, seconds, copy));
  edits = withEdit(edits, gaze.moved(edits, 0, 5, seconds));
  expect(edits.gaze.map(({ to }) => to)).toEqual([3, 4.2]);
  edits = withEdit(edits, gaze.trimmed!(edits, 1, 'to', 20, seconds));
  expect(edits.gaze[1]!.to).toBe(seconds);
  edits = withEdit(edits, blink.added(edits, 2, seconds));
  edits = withEdit(edits, blink.added(edits, 1, seconds));
  edits = withEdit(edits, blink.moved(edits, 0, 5, seconds));
  expect(edits.blinks.added).toEqual([1.95, 2]);
  edits = withEdit(edits, blink.removed(edits, 0, seconds));
  expect(edits.blinks.added).toEqual([2]);
});

test('a cut is trimmed, moved and taken back, and so is a stretch of another speed', () => {
  const { cut } = trackEdits;
  const pieces = [
    { from: 0, to: 2, speed: 1 },
    { from: 4, to: 6, speed: 1 },
    { from: 6, to: 8, speed: 0.5 },
    { from: 8, to: 10, speed: 1 },
  ];
  let edits: TakeEdits = { ...noEdits, pieces };
  expect(cutParts(edits, seconds)).toMatchObject([
    { from: 2, to: 4, speed: 0 },
    { from: 6, to: 8, speed: 0.5 },
  ]);
  edits = withEdit(edits, cut.trimmed!(edits, 0, 'to', 3, seconds));
  edits = withEdit(edits, cut.moved(edits, 0, -0.5, seconds));
  edits = withEdit(edits, cut.trimmed!(edits, 1, 'to', 9, seconds));
  expect(cutParts(edits, seconds)).toMatchObject([
    { from: 1.5, to: 2.5, speed: 0 },
    { from: 6, to: 9, speed: 0.5 },
  ]);
  edits = withEdit(edits, cut.removed(edits, 0, seconds));
  edits = withEdit(edits, cut.removed(edits, 0, seconds));
  expect(edits.pieces).toEqual([]);
});
