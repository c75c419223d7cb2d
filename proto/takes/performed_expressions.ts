/** Expressions that a person showed while a take was recorded, as edits of the take. */
import { z } from 'zod';
import { expressionNames } from './edits/built_in_expressions.ts';
import { editLimits } from './edits/edit_limits.ts';
import { type EditOperation, type ExpressionKey, PresetWeights } from './edits/take_edits.ts';

/** The shown expression: a built-in one by its name, or one with weights of its own; null: none. */
export const ShownExpression = z
  .object({ name: z.string().min(1).max(editLimits.name), weights: PresetWeights })
  .nullable();
export type ShownExpression = z.output<typeof ShownExpression>;

/** A change of the shown expression; `at` in seconds of the take. */
export const PerformedExpression = z.object({ at: z.number().nonnegative(), expression: ShownExpression });
export type PerformedExpression = z.output<typeof PerformedExpression>;

/** Seconds in which an expression comes and goes, as on the stage of Live. */
const ramp = 0.25;
/** Seconds between two keys at least. */
const apart = 1e-3;
/** Expressions of one take: each has up to four keys. */
const maxShown = editLimits.expressions / 4;

/**
 * One block for each shown expression, in the order of time. Empty if there was none.
 *
 * @param seconds length of the take: what is shown at its end stays
 */
export function performedOperations(
  performed: readonly PerformedExpression[],
  seconds: number,
): EditOperation[] {
  const shown = performed
    .flatMap(({ at, expression }, index) => {
      const to = Math.min(seconds, performed[index + 1]?.at ?? seconds);
      return expression && to - at > 4 * apart ? [{ ...expression, from: at, to }] : [];
    })
    .slice(0, maxShown);
  if (shown.length === 0) return [];
  const presets = new Map(shown.map(({ name, weights }) => [name, weights]));
  const keys = shown.flatMap(({ name, from, to }, index): ExpressionKey[] => {
    const staysToEnd = to >= seconds;
    const end = Math.min(
      staysToEnd ? seconds : to + ramp,
      (shown[index + 1]?.from ?? seconds + apart) - apart,
    );
    const half = (end - from - apart) / 2;
    const full = from + Math.min(ramp, half);
    const levels: [number, number][] = [
      ...(from > 0 ? [[from, 0] as [number, number]] : []),
      [full, 1],
      ...(staysToEnd
        ? []
        : ([
            [Math.max(full + apart / 2, end - ramp), 1],
            [end, 0],
          ] as [number, number][])),
    ];
    return levels.map(([time, weight]) => ({ time, preset: name, weight, to: 'smooth' }));
  });
  return [
    ...[...presets]
      .filter(([name]) => !expressionNames.includes(name))
      .map(([name, weights]) => ({ kind: 'preset', name, weights }) as const),
    { kind: 'expressions', keys },
  ];
}
