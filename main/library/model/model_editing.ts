import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { localDay } from '@likeness/proto/text/local_day.ts';
import type { CallInput } from '#contract';
import { nameByPattern } from '../../base/name_pattern.ts';
import type { Libraries } from '../libraries.ts';
import type { Edited } from '../record_edits.ts';
import { bringBack } from './earlier_versions.ts';
import { type LikenessRecord, makingOf } from './likeness_record.ts';

export type ModelChanges = CallInput<'library', 'edit'>['changes'];

/** Maximum number of undo steps. */
const maxUndoSteps = 50;

/** Edits of models: change, rename, trash, restore, with undo. */
export interface ModelEditing {
  edit(ids: readonly string[], changes: ModelChanges): Promise<number>;
  rename(
    ids: readonly string[],
    pattern: string,
    preview: boolean,
  ): Promise<{ id: string; from: string; to: string }[]>;
  trash(ids: readonly string[]): Promise<number>;
  restore(ids: readonly string[]): Promise<number>;
  /** Models were erased: drop their undo steps, which also name the person. */
  forget(ids: readonly string[]): void;
  /** Name of the undone step; empty if there was none. */
  undo(): Promise<string>;
}

/** A step to undo: changed records, or the replaced file of a head. */
interface Step {
  what: string;
  edited: Edited[];
  replaced?: { id: string; version: string } | undefined;
}

export function createModelEditing(libraries: Libraries): ModelEditing {
  const { index, options } = libraries;
  const done: Step[] = [];
  const push = (step: Step): void => {
    done.push(step);
    if (done.length > maxUndoSteps) done.shift();
  };
  /** The head whose file an undo brings back: that is no step of its own. */
  let restoring = '';
  libraries.onReplaced = (id, version) => {
    if (id !== restoring) push({ what: 'version', edited: [], replaced: { id, version } });
  };

  const run = async (
    what: string,
    ids: readonly string[],
    change: (record: LikenessRecord) => LikenessRecord | null,
  ): Promise<number> => {
    const edited = await libraries.edit(ids, change);
    if (edited.length > 0) push({ what: `${what} (${edited.length})`, edited });
    return edited.length;
  };

  /** The head gets the file that it had; false if that is gone. */
  const restored = async ({ id, version }: NonNullable<Step['replaced']>): Promise<boolean> => {
    try {
      await libraries.inTurn(async () => {
        restoring = id;
        await bringBack(libraries, id, version);
      });
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found') return false;
      throw error;
    } finally {
      restoring = '';
    }
  };

  return {
    edit: (ids, changes) => run('edit', ids, (record) => changedRecord(record, changes)),

    async rename(ids, pattern, preview) {
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
        names.push({ id, from: model.name, to: nameByPattern(pattern, fields, model.name) });
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
      for (const step of done) {
        step.edited = step.edited.filter(({ id }) => !gone.has(id));
        if (step.replaced && gone.has(step.replaced.id)) step.replaced = undefined;
      }
    },

    async undo() {
      for (;;) {
        const step = done.pop();
        if (!step) return '';
        if (step.replaced && (await restored(step.replaced))) return step.what;
        const before = new Map(step.edited.map((edited) => [edited.id, edited.before]));
        const undone = await libraries.edit([...before.keys()], (record) => {
          const was = before.get(record.id);
          // A newer file stays: undo only reverts the edited fields.
          return was
            ? {
                ...was,
                ...makingOf(record),
                earlier: record.earlier,
                thumbnailVersion: record.thumbnailVersion,
              }
            : null;
        });
        if (undone.length > 0) return step.what;
      }
    },
  };
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
  };
  return JSON.stringify(after) === JSON.stringify(record) ? null : after;
}
