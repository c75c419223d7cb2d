/** A person's own expressions: the poses that are kept with the settings, used in takes as the built-in ones are. */

import { expressionNames } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import { editLimits } from '@likeness/proto/takes/edits/edit_limits.ts';
import { regionOf } from '@likeness/proto/takes/edits/face_regions.ts';
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import i18next from 'i18next';
import type { Settings } from '#contract';
import { attempt } from '../../../base/notices.tsx';
import { changePoses, removePose } from '../../../base/poses.ts';
import { takesHistory } from '../../takes-history.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { curveValue, headTurns, type TakeCurves } from '../timeline/take-curves.ts';

export type OwnExpression = Settings['poses'][number];

/** Weights below this are nothing that is seen. */
const minWeight = 0.02;

/** The face at a moment as an expression. @param speaks the mouth and the jaw are a part of it */
export function faceAt({ curves, times }: TakeCurves, at: number, speaks: boolean): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const curve of curves) {
    const region = regionOf(curve.name);
    if (headTurns.some((turn) => turn === curve.name)) continue;
    if (!speaks && (region === 'mouth' || region === 'jaw')) continue;
    const value = Math.round(Math.min(1, curveValue(curve, times, at)) * 100) / 100;
    if (value >= minWeight) weights[curve.name] = value;
  }
  return weights;
}

/** Returns the weights that a take's edits accept: −1 to 1, up to the maximum number of channels. */
const takeWeights = (weights: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(weights)
      .filter(([name, weight]) => name !== '' && Number.isFinite(weight))
      .slice(0, editLimits.channels)
      .map(([name, weight]) => [name, Math.max(-1, Math.min(1, weight))]),
  );

/** Names of all that a key can show: built in, the person's own, and those that only this take has. */
export const offeredExpressions = (
  poses: readonly OwnExpression[],
  { presets }: Pick<TakeEdits, 'presets'>,
): string[] => [...new Set([...expressionNames, ...poses.map(({ name }) => name), ...Object.keys(presets)])];

/**
 * Returns the operations that copy an expression into a take before a key shows it. The copy keeps the take
 * complete elsewhere, and unchanged if the user later removes the expression.
 */
export function copyIntoTake(
  poses: readonly OwnExpression[],
  { presets }: Pick<TakeEdits, 'presets'>,
  name: string,
): EditOperation[] {
  const own = poses.find((pose) => pose.name === name);
  if (!own || expressionNames.includes(name)) return [];
  const weights = takeWeights(own.weights);
  return JSON.stringify(presets[name]) === JSON.stringify(weights) ? [] : [{ kind: 'preset', name, weights }];
}

/** Why an expression can't have a name; empty where it can. @param own its name so far; null: it is new */
export function nameProblem(poses: readonly OwnExpression[], name: string, own: string | null): string {
  const t = i18next.getFixedT(null, 'takes');
  const isLike = (other: string): boolean => other.toLowerCase() === name.trim().toLowerCase();
  if (expressionNames.some(isLike)) return t('editor.own.builtIn');
  if (poses.some((pose) => pose.name !== own && isLike(pose.name))) return t('editor.own.taken');
  return '';
}

/** Changes the person's own expressions, and the open take's copies of them with one step that can be undone. */
export function ownExpressions(session: EditSession): {
  keep(name: string, weights: Record<string, number>): void;
  change(name: string, weights: Record<string, number>): void;
  rename(name: string, next: string): void;
  remove(name: string): void;
} {
  const save = (
    name: string,
    change: (poses: readonly OwnExpression[]) => OwnExpression[],
    ...operations: EditOperation[]
  ): void =>
    attempt(async () => {
      const poses = await changePoses(change);
      const isInTake = operations.length > 0 && (await session.applyPart(...operations));
      takesHistory.record({
        label: i18next.t('takes:done.preset', { name }),
        async undo() {
          if (isInTake) await session.undo();
          await poses.undo();
        },
        async redo() {
          await poses.redo();
          if (isInTake) await session.redo();
        },
      });
    });
  return {
    keep: (name, weights) =>
      save(name, (all) => [...all.filter((pose) => pose.name !== name), { name, weights }]),
    change(name, weights) {
      const isUsed = Object.hasOwn(session.shown.get().presets, name);
      const next = (all: readonly OwnExpression[]): OwnExpression[] =>
        all.map((pose) => (pose.name === name ? { name, weights } : pose));
      save(name, next, ...(isUsed ? [{ kind: 'preset', name, weights: takeWeights(weights) } as const] : []));
    },
    rename(name, next) {
      const edits = session.shown.get();
      const renamed = (all: readonly OwnExpression[]): OwnExpression[] =>
        all.map((pose) => (pose.name === name ? { ...pose, name: next } : pose));
      save(next, renamed, ...renameOperations(edits, name, next));
    },
    remove(name) {
      attempt(async () => {
        const removed = await removePose(name);
        const label = i18next.t('takes:done.presetRemoved', { name });
        takesHistory.offer(i18next.t('takes:editor.own.removed', { name }), { label, ...removed });
      });
    },
  };
}

/** A take's copy under another name, and its keys with it. */
function renameOperations(
  { presets, expressions }: Pick<TakeEdits, 'presets' | 'expressions'>,
  name: string,
  next: string,
): EditOperation[] {
  const weights = presets[name];
  if (!weights) return [];
  const keys = expressions.map((key) => (key.preset === name ? { ...key, preset: next } : key));
  return [
    { kind: 'preset', name: next, weights },
    { kind: 'expressions', keys },
    { kind: 'preset', name, weights: null },
  ];
}
