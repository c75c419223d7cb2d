/** Expressions of a recording become blocks of the take: where they were shown, one after another. */
import { applyOperation, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { expressionBlend } from '@likeness/proto/takes/edits/expression_track.ts';
import {
  type PerformedExpression,
  performedOperations,
} from '@likeness/proto/takes/performed_expressions.ts';
import { expect, test } from 'vitest';

const joy = { name: 'joy', weights: { cheekSquintLeft: 0.5 } };
const laugh = { name: 'Laugh', weights: { cheekSquintLeft: 1 } };

const editsOf = (performed: readonly PerformedExpression[], seconds = 10) =>
  performedOperations(performed, seconds).reduce(applyOperation, noEdits);

/** The weight of the raised cheek at a time. */
function cheekAt(performed: readonly PerformedExpression[], time: number, seconds = 10): number {
  const weights = new Float32Array(1);
  expressionBlend(editsOf(performed, seconds), ['cheekSquintLeft'])(weights, time);
  return weights[0]!;
}

test('an expression is in the take while it was shown, and fades on both sides', () => {
  const performed = [
    { at: 2, expression: laugh },
    { at: 4, expression: null },
  ];
  expect([1.9, 2, 2.3, 3.1, 3.9, 4.3].map((time) => cheekAt(performed, time))).toEqual([0, 0, 1, 1, 1, 0]);
  expect(cheekAt(performed, 2.1)).toBeGreaterThan(0);
  expect(cheekAt(performed, 2.1)).toBeLessThan(1);
  // What the studio doesn't have is carried in the take; what it has isn't.
  expect(editsOf(performed).presets).toEqual({ Laugh: laugh.weights });
  expect(editsOf([{ at: 2, expression: joy }]).presets).toEqual({});
});

test('one that was on before the recording, or stays on to its end, needs no fade there', () => {
  expect(cheekAt([{ at: 0, expression: laugh }], 0)).toBe(1);
  expect(cheekAt([{ at: 0, expression: laugh }], 10)).toBe(1);
  expect(cheekAt([{ at: 9, expression: laugh }], 10)).toBe(1);
});

test('blocks follow each other without overlap, however fast the keys were pressed', () => {
  const performed = Array.from({ length: 400 }, (_, index) => ({
    at: index * 0.02,
    expression: index % 3 === 2 ? null : index % 2 === 0 ? joy : laugh,
  }));
  const { expressions } = editsOf(performed);
  expect(expressions.length).toBeGreaterThan(400);
  for (const [index, { time }] of expressions.entries())
    expect(time).toBeGreaterThan(expressions[index - 1]?.time ?? -1);
  expect(expressions.at(-1)!.time).toBeLessThanOrEqual(10);
});

test('nothing was shown, or only after the end: no edit', () => {
  expect(performedOperations([], 10)).toEqual([]);
  expect(performedOperations([{ at: 3, expression: null }], 10)).toEqual([]);
  expect(performedOperations([{ at: 10.2, expression: joy }], 10)).toEqual([]);
});
