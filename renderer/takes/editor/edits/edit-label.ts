/** Names a take's edits for its undo history. */
import { applyOperation } from '@likeness/proto/takes/edits/apply_operation.ts';
import { expressionNames } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import i18next from 'i18next';

type Change = 'added' | 'removed' | 'moved' | 'changed';

const changeOf = (before: number, after: number, atSame: Change = 'changed'): Change =>
  after > before ? 'added' : after < before ? 'removed' : atSame;

/** Returns the label of operations on a take: `Joy moved`. */
export function editLabel(before: TakeEdits, operations: readonly EditOperation[]): string {
  const t = i18next.getFixedT(null, 'takes');
  // An expression is copied into the take before a key shows it.
  const main = operations.find(({ kind }) => kind !== 'preset') ?? operations[0];
  if (!main) return t('done.older');
  switch (main.kind) {
    case 'region':
      return t('done.region', { region: t(`editor.regions.${main.region}`) });
    case 'draw':
      return operations.length > 1
        ? t('done.curves', { count: operations.length })
        : t('done.curve', { channel: main.channel });
    case 'reset':
      return t('done.reset');
    case 'take':
      return t('done.overdubPart');
    case 'preset':
      return t('done.preset', { name: main.name });
    case 'expressions':
      return expressionLabel(before, main.keys);
    case 'gaze': {
      const change = changeOf(before.gaze.length, main.stretches.length);
      return t(`done.part.${change}`, { name: t('editor.acting.gaze') });
    }
    case 'blinks': {
      const change = changeOf(before.blinks.added.length, main.blinks.added.length, 'moved');
      return t(`done.part.${before.blinks.recorded === main.blinks.recorded ? change : 'changed'}`, {
        name: t('editor.acting.blinks'),
      });
    }
    case 'pieces':
      return t(playedOf(before) === playedOf(applyOperation(before, main)) ? 'done.speed' : 'done.cut');
    case 'marker': {
      const isThere = before.markers.some(({ id }) => id === main.id);
      const change = main.marker === null ? 'removed' : isThere ? 'changed' : 'added';
      return t(`done.part.${change}`, { name: t('done.marker') });
    }
  }
}

function expressionLabel({ expressions }: TakeEdits, keys: TakeEdits['expressions']): string {
  const t = i18next.getFixedT(null, 'takes');
  const ids = (all: TakeEdits['expressions']): Set<string> => new Set(all.map((key) => JSON.stringify(key)));
  const [was, is] = [ids(expressions), ids(keys)];
  const differing = [
    ...expressions.filter((key) => !is.has(JSON.stringify(key))),
    ...keys.filter((key) => !was.has(JSON.stringify(key))),
  ];
  const [name = '', ...others] = new Set(differing.map(({ preset }) => preset));
  const weights = (all: TakeEdits['expressions']): string => JSON.stringify(all.map(({ weight }) => weight));
  const isMoved = weights(expressions) === weights(keys);
  const change = changeOf(expressions.length, keys.length, isMoved ? 'moved' : 'changed');
  const isBuiltIn = expressionNames.includes(name);
  return t(`done.part.${change}`, {
    name:
      name === '' || others.length > 0
        ? t('editor.part.expression')
        : isBuiltIn
          ? t(`editor.expressions.${name as 'joy'}`)
          : name,
  });
}

/** The played seconds of the recording, without their speed. */
const playedOf = ({ pieces }: TakeEdits): string => {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of pieces) {
    const last = joined.at(-1);
    if (last && Math.abs(last.to - from) < 1e-6) last.to = to;
    else joined.push({ from, to });
  }
  return JSON.stringify(joined);
};
