import { t } from '@likeness/messages';
import { Failure, unlessGone } from '@likeness/node-kit/failure.ts';
import { localDay } from '@likeness/proto/text/local_day.ts';
import type { CallInput, HeadStep, HeadStepName } from '#contract';
import type { NameRule } from '#contract/fields.ts';
import { nameByPattern } from '../../base/name_pattern.ts';
import type { Libraries } from '../libraries.ts';
import type { Edited } from '../record_edits.ts';
import { bringBack } from './earlier_versions.ts';
import { type LikenessRecord, makingOf } from './likeness_record.ts';

export type ModelChanges = CallInput<'library', 'edit'>['changes'];

/** Maximum number of undo steps, and of those that keep whole files in memory. */
const maxUndoSteps = 50;
const maxLargeSteps = 4;

/** Edits of models: change, rename, trash, restore, with undo. */
export interface ModelEditing {
  edit(ids: readonly string[], changes: ModelChanges): Promise<number>;
  rename(
    ids: readonly string[],
    rule: NameRule,
    preview: boolean,
  ): Promise<{ id: string; from: string; to: string }[]>;
  trash(ids: readonly string[]): Promise<number>;
  restore(ids: readonly string[]): Promise<number>;
  /** Models were erased: drop their undo steps, which also name the person. */
  forget(ids: readonly string[]): void;
  /** Adds an undo step that others made. */
  remember(step: Omit<Step, 'number'>): void;
  /** Number of the last step, after the edits that are under way. */
  lastStep(): Promise<number>;
  /** Undoes the last step if its number is higher. Returns its name; empty if there was none. */
  undo(after?: number): Promise<string>;
  /** Does the step again that was undone last. Returns its name; empty if there was none. */
  redo(): Promise<string>;
}

/** A step to undo and redo: changed records, changed files, or both. */
interface Step {
  what: HeadStepName;
  /** Counted since the start. */
  number: number;
  /** The records before the step; after an undo those after it. */
  edited: Edited[];
  /** Undo and redo the rest. @throws Failure `not_found` if it no longer can */
  files?: { takeBack: () => Promise<unknown>; again: () => Promise<unknown> };
  /** The files were exchanged, the records not yet. */
  isHalfDone?: boolean;
  /** The head whose files the step changes. */
  of?: string;
  /** It keeps whole files in memory. */
  isLarge?: boolean;
}

export function createModelEditing(libraries: Libraries): ModelEditing {
  const { index, options } = libraries;
  let done: Step[] = [];
  let undone: Step[] = [];
  let lastNumber = 0;
  const remember = (step: Omit<Step, 'number'>): void => {
    const large = done.filter(({ isLarge }) => isLarge);
    if (step.isLarge && large.length >= maxLargeSteps) done = done.filter((one) => one !== large[0]);
    lastNumber += 1;
    done = [...done, { ...step, number: lastNumber }].slice(-maxUndoSteps);
    undone = [];
  };
  /** The head whose file an undo brings back: that is no step of its own. */
  let restoring = { id: '', replaced: '' };
  /** @returns The version that was the head before. */
  const restore = async (id: string, version: string): Promise<string> => {
    restoring = { id, replaced: version };
    try {
      await bringBack(libraries, id, version);
      return restoring.replaced;
    } finally {
      restoring = { id: '', replaced: '' };
    }
  };
  libraries.onReplaced = (id, version) => {
    if (id === restoring.id) {
      restoring.replaced = version;
      return;
    }
    let other = version;
    const exchange = (): Promise<void> =>
      libraries.inTurn(async () => {
        other = await restore(id, other);
      });
    remember({ what: 'version', edited: [], files: { takeBack: exchange, again: exchange }, of: id });
  };

  const run = async (
    what: HeadStep,
    ids: readonly string[],
    change: (record: LikenessRecord) => LikenessRecord | null,
  ): Promise<number> => {
    const edited = await libraries.edit(ids, change);
    if (edited.length > 0) remember({ what: `${what} (${edited.length})`, edited });
    return edited.length;
  };

  return {
    edit: (ids, changes) => run(nameOf(changes), ids, (record) => changedRecord(record, changes)),

    async rename(ids, rule, preview) {
      const names: { id: string; from: string; to: string }[] = [];
      for (const id of ids) {
        const model = index.model(id);
        if (!model) continue;
        const fields = {
          name: model.name,
          file: model.fileName.replace(/\.[^.]*$/, '') || model.name,
          date: model.madeAt > 0 ? localDay(model.madeAt) : '',
          sex: model.sex ?? '',
          profile: model.profileName,
          number: String(names.length + 1),
        };
        names.push({ id, from: model.name, to: nameByPattern(rule.pattern, fields, model.name, rule) });
      }
      if (preview) return names;
      const to = new Map(names.map((name) => [name.id, name.to]));
      await run('rename', ids, (record) => {
        const name = to.get(record.id) ?? record.name;
        return name === record.name ? null : { ...record, name };
      });
      return names;
    },

    trash: (ids) =>
      run('trash', ids, (record) =>
        record.trashedAt === null ? { ...record, trashedAt: options.clock() } : null,
      ),
    restore: (ids) =>
      run('restore', ids, (record) => (record.trashedAt === null ? null : { ...record, trashedAt: null })),

    forget(ids) {
      const gone = new Set(ids);
      const without = (steps: readonly Step[]): Step[] =>
        steps
          .map((step) => ({ ...step, edited: step.edited.filter(({ id }) => !gone.has(id)) }))
          .filter(({ of, edited, files }) =>
            of === undefined ? edited.length > 0 || files !== undefined : !gone.has(of),
          );
      done = without(done);
      undone = without(undone);
    },

    remember,
    lastStep: () => libraries.inTurn(async () => lastNumber),

    async undo(after = 0) {
      for (;;) {
        const step = done.at(-1);
        if (!step || step.number <= after) return '';
        done = done.slice(0, -1);
        const newest = lastNumber;
        try {
          if (!(await exchanged(step, 'takeBack', libraries))) continue;
        } catch (error) {
          // What could not be undone now (a full disk) can be undone later.
          done = [...done, step].toSorted((one, other) => one.number - other.number);
          throw error;
        }
        if (newest === lastNumber) undone = [...undone, step];
        return step.what;
      }
    },

    async redo() {
      for (;;) {
        const step = undone.at(-1);
        if (!step) return '';
        undone = undone.slice(0, -1);
        const newest = lastNumber;
        try {
          if (!(await exchanged(step, 'again', libraries))) continue;
        } catch (error) {
          if (newest === lastNumber) undone = [...undone, step];
          throw error;
        }
        done = [...done, step].toSorted((one, other) => one.number - other.number);
        return step.what;
      }
    },
  };
}

/** Undoes or redoes a step. @returns False if there was nothing to do, or its subject no longer exists. */
async function exchanged(
  step: Step,
  direction: 'takeBack' | 'again',
  libraries: Libraries,
): Promise<boolean> {
  let isDone = false;
  if (step.files && !step.isHalfDone) {
    isDone = await unlessGone(step.files[direction]);
    step.isHalfDone = true;
  }
  const before = new Map(step.edited.map((edited) => [edited.id, edited.before]));
  const edited = await libraries.edit([...before.keys()], (record) => {
    const was = before.get(record.id);
    // A newer file stays: only the edited fields change.
    return was
      ? { ...was, ...makingOf(record), earlier: record.earlier, thumbnailVersion: record.thumbnailVersion }
      : null;
  });
  step.edited = edited;
  step.isHalfDone = false;
  return isDone || edited.length > 0;
}

const stepNames: Readonly<Record<keyof ModelChanges, HeadStep>> = {
  name: 'rename',
  rating: 'rate',
  flag: 'flag',
  notes: 'notes',
  addTags: 'tag',
  removeTags: 'tag',
  addCollection: 'collect',
  removeCollection: 'uncollect',
  consent: 'consent',
  uncertaintyAnswered: 'answer',
};

/** Name of the step that makes these changes. */
function nameOf(changes: ModelChanges): HeadStep {
  const names = new Set(
    (Object.keys(stepNames) as (keyof ModelChanges)[])
      .filter((field) => changes[field] !== undefined)
      .map((field) => stepNames[field]),
  );
  const [only = 'edit'] = names;
  return names.size === 1 ? only : 'edit';
}

function changedRecord(record: LikenessRecord, changes: ModelChanges): LikenessRecord | null {
  const { name, rating, flag, notes, addTags, removeTags, addCollection, removeCollection, consent } =
    changes;
  const less = (list: readonly string[], taken: readonly string[]): string[] =>
    list.filter((one) => !taken.includes(one));
  const tags = less([...new Set([...record.tags, ...(addTags ?? [])])], removeTags ?? []);
  const collections = less(
    [...new Set([...record.collections, ...(addCollection ? [addCollection] : [])])],
    removeCollection ? [removeCollection] : [],
  );
  if (tags.length > 50) {
    throw new Failure('invalid_input', t('library.too_many_tags', { name: record.name }), {
      field: 'changes.addTags',
    });
  }
  const after: LikenessRecord = {
    ...record,
    name: name ?? record.name,
    rating: rating ?? record.rating,
    flag: flag === undefined ? record.flag : flag,
    notes: notes ?? record.notes,
    tags,
    collections,
    consent: consent ?? record.consent,
    uncertaintyAnswered: changes.uncertaintyAnswered ?? record.uncertaintyAnswered,
  };
  return JSON.stringify(after) === JSON.stringify(record) ? null : after;
}
