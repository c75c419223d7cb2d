/** Edits of a take, and what one operation makes of them. Nothing is changed in place: earlier edits stay as they were. */
import { type Message, t } from '@likeness/messages';
import { expressionNames } from './built_in_expressions.ts';
import { valueAt } from './drawn_curve.ts';
import { editLimits, faceRegions, generatedRegions } from './edit_limits.ts';
import type { CurveKey, DrawnStretch, EditOperation, RegionEdit, TakeEdits } from './take_edits.ts';

/** An operation that makes no sense, in a sentence. */
export class EditError extends Error {
  readonly userMessage: Message;

  constructor(message: Message) {
    super(typeof message === 'string' ? message : message.text);
    this.name = 'EditError';
    this.userMessage = message;
  }
}

const untouchedRegion: RegionEdit = {
  gain: 1,
  offset: 0,
  least: -1,
  most: 1,
  smoothing: 0,
  shift: 0,
  muted: false,
  solo: false,
  source: 'measured',
  seed: 1,
};

/** Those of a take that nobody has edited: it plays as it was recorded. */
export const noEdits: TakeEdits = {
  regions: {
    mouth: untouchedRegion,
    jaw: untouchedRegion,
    brows: untouchedRegion,
    eyes: untouchedRegion,
    head: untouchedRegion,
  },
  drawn: {},
  taken: { mouth: [], jaw: [], brows: [], eyes: [], head: [] },
  presets: {},
  expressions: [],
  gaze: [],
  blinks: { recorded: true, added: [] },
  pieces: [],
  markers: [],
};

/** Whether a region moves as it was recorded, as far as its own settings go. */
export const isUntouched = (region: RegionEdit): boolean =>
  (Object.keys(untouchedRegion) as (keyof RegionEdit)[]).every(
    (key) => key === 'seed' || region[key] === untouchedRegion[key],
  );

/** @throws EditError where the operation makes no sense */
export function applyOperation(edits: TakeEdits, operation: EditOperation): TakeEdits {
  switch (operation.kind) {
    case 'region':
      return withRegion(edits, operation);
    case 'draw': {
      const { channel, from, to, keys } = operation;
      checkStretch(from, to);
      checkRising(keys.map(({ time }) => time));
      if (keys.some(({ time }) => time < from || time > to)) throw new EditError(t('edits.key_outside'));
      return withDrawn(edits, channel, without(edits.drawn[channel] ?? [], from, to), { from, to, keys });
    }
    case 'reset': {
      const { channels, from, to } = operation;
      checkStretch(from, to);
      return channels.reduce(
        (all, channel) => withDrawn(all, channel, without(all.drawn[channel] ?? [], from, to)),
        edits,
      );
    }
    case 'take': {
      const { region, from, to, attempt } = operation;
      checkStretch(from, to);
      const others = edits.taken[region].flatMap((taken) => outside(taken, from, to));
      const added = attempt === recordedAttempt ? [] : [{ from, to, attempt }];
      const stretches = [...others, ...added].toSorted((a, b) => a.from - b.from);
      checkCount(stretches.length, editLimits.pieces);
      return { ...edits, taken: { ...edits.taken, [region]: stretches } };
    }
    case 'preset':
      return withPreset(edits, operation.name, operation.weights);
    case 'expressions': {
      checkRising(operation.keys.map(({ time }) => time));
      for (const { preset } of operation.keys) checkPreset(edits, preset);
      return { ...edits, expressions: operation.keys };
    }
    case 'gaze':
      checkStretches(operation.stretches);
      return { ...edits, gaze: operation.stretches };
    case 'blinks': {
      const added = [...new Set(operation.blinks.added)].toSorted((a, b) => a - b);
      return { ...edits, blinks: { ...operation.blinks, added } };
    }
    case 'pieces':
      checkStretches(operation.pieces);
      return { ...edits, pieces: operation.pieces };
    case 'marker':
      return withMarker(edits, operation);
  }
}

/** Source of a part that comes from the recording instead of an overdub. */
export const recordedAttempt = 'recording';

function withRegion(
  edits: TakeEdits,
  { region, changes }: Extract<EditOperation, { kind: 'region' }>,
): TakeEdits {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed: RegionEdit = { ...edits.regions[region], ...given };
  if (changed.least > changed.most) throw new EditError(t('edits.least_above_most'));
  if (changed.source === 'generated' && !generatedRegions.includes(region))
    throw new EditError(t('edits.not_generated', { region }));
  return { ...edits, regions: { ...edits.regions, [region]: changed } };
}

function withDrawn(
  edits: TakeEdits,
  channel: string,
  others: readonly DrawnStretch[],
  drawn?: DrawnStretch,
): TakeEdits {
  const stretches = [...others, ...(drawn ? [drawn] : [])].toSorted((a, b) => a.from - b.from);
  checkCount(stretches.length, editLimits.stretches);
  const { [channel]: _, ...rest } = edits.drawn;
  const all = stretches.length > 0 ? { ...rest, [channel]: stretches } : rest;
  checkCount(Object.keys(all).length, editLimits.channels);
  return { ...edits, drawn: all };
}

/**
 * Returns the drawn stretches without the range from `from` to `to`. A curve that the range cuts keeps its
 * course on both sides.
 */
const without = (stretches: readonly DrawnStretch[], from: number, to: number): DrawnStretch[] =>
  stretches.flatMap((stretch) =>
    outside(stretch, from, to).map((part) =>
      part.from === stretch.from && part.to === stretch.to
        ? stretch
        : { ...part, keys: keysWithin(stretch.keys, part.from, part.to) },
    ),
  );

function keysWithin(keys: readonly CurveKey[], from: number, to: number): CurveKey[] {
  if (keys.length === 0) return [];
  const inside = keys.filter(({ time }) => time >= from && time <= to);
  const before = keys.findLast(({ time }) => time < from);
  const isCutBefore = before !== undefined && inside[0]?.time !== from;
  const isCutAfter = keys.some(({ time }) => time > to) && inside.at(-1)?.time !== to;
  const transition = { to: before?.to ?? 'linear' } as const;
  return [
    ...(isCutBefore ? [{ time: from, value: valueAt(keys, from), ...transition }] : []),
    ...inside,
    ...(isCutAfter ? [{ time: to, value: valueAt(keys, to), to: 'linear' as const }] : []),
  ];
}

/** The parts of a stretch before and after another. */
function outside<Stretch extends { from: number; to: number }>(
  stretch: Stretch,
  from: number,
  to: number,
): Stretch[] {
  if (stretch.to <= from || stretch.from >= to) return [stretch];
  return [
    ...(stretch.from < from ? [{ ...stretch, to: from }] : []),
    ...(stretch.to > to ? [{ ...stretch, from: to }] : []),
  ];
}

function withPreset(edits: TakeEdits, name: string, weights: Record<string, number> | null): TakeEdits {
  if (expressionNames.includes(name)) throw new EditError(t('edits.preset_built_in', { name }));
  const { [name]: _, ...others } = edits.presets;
  if (weights === null) {
    if (edits.expressions.some(({ preset }) => preset === name))
      throw new EditError(t('edits.preset_in_use', { name }));
    return { ...edits, presets: others };
  }
  const presets = { ...others, [name]: weights };
  checkCount(Object.keys(presets).length, editLimits.presets);
  return { ...edits, presets };
}

function withMarker(edits: TakeEdits, { id, marker }: Extract<EditOperation, { kind: 'marker' }>): TakeEdits {
  const others = edits.markers.filter((other) => other.id !== id);
  if (!marker) return { ...edits, markers: others };
  checkCount(others.length + 1, editLimits.markers);
  return { ...edits, markers: [...others, { id, ...marker }].toSorted((a, b) => a.time - b.time) };
}

function checkPreset({ presets }: TakeEdits, name: string): void {
  if (!Object.hasOwn(presets, name) && !expressionNames.includes(name))
    throw new EditError(t('edits.no_preset', { name }));
}

function checkStretch(from: number, to: number): void {
  if (!(from < to)) throw new EditError(t('edits.ends_before'));
}

function checkStretches(stretches: readonly { from: number; to: number }[]): void {
  let end = 0;
  for (const { from, to } of stretches) {
    checkStretch(from, to);
    if (from < end) throw new EditError(t('edits.overlap'));
    end = to;
  }
}

function checkRising(times: readonly number[]): void {
  if (times.some((time, at) => at > 0 && time <= times[at - 1]!)) throw new EditError(t('edits.not_rising'));
}

function checkCount(count: number, max: number): void {
  if (count > max) throw new EditError(t('edits.too_many', { most: max }));
}

/** Whether the face moves as it was recorded, whatever is cut. */
export const leavesFace = ({ regions, drawn, taken, expressions, gaze, blinks }: TakeEdits): boolean =>
  faceRegions.every((region) => isUntouched(regions[region]) && taken[region].length === 0) &&
  Object.keys(drawn).length === 0 &&
  expressions.length === 0 &&
  gaze.length === 0 &&
  blinks.recorded &&
  blinks.added.length === 0;
