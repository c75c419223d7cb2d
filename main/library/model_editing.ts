import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CallInput } from '#contract';
import { Failure } from '../failure.ts';
import { nameByPattern } from '../name_pattern.ts';
import { syncFolder } from '../storage/atomic_file.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import type { Edited, Libraries } from './libraries.ts';
import type { LikenessRecord } from './likeness_record.ts';

export type ModelChanges = CallInput<'library', 'edit'>['changes'];

/** Edits that can be taken back. */
const mostUndone = 50;

/** What people do to models: change, rename, trash, restore, erase; the last ones can be taken back. */
export interface ModelEditing {
  edit(ids: readonly string[], changes: ModelChanges): Promise<number>;
  rename(
    ids: readonly string[],
    pattern: string,
    preview: boolean,
  ): Promise<{ id: string; from: string; to: string }[]>;
  trash(ids: readonly string[]): Promise<number>;
  restore(ids: readonly string[]): Promise<number>;
  /** For good. @returns How many were erased. */
  erase(ids: readonly string[]): Promise<number>;
  /** What was taken back, in words; empty where there was nothing. */
  undo(): Promise<string>;
}

export function createModelEditing(libraries: Libraries): ModelEditing {
  const { index, options } = libraries;
  const done: { what: string; edited: Edited[] }[] = [];

  const run = async (
    what: string,
    ids: readonly string[],
    change: (record: LikenessRecord) => LikenessRecord | null,
  ): Promise<number> => {
    const edited = await libraries.edit(ids, change);
    if (edited.length > 0) done.push({ what: `${what} (${edited.length})`, edited });
    if (done.length > mostUndone) done.shift();
    return edited.length;
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
          date: model.createdAt > 0 ? new Date(model.createdAt).toISOString().slice(0, 10) : '',
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

    async erase(ids) {
      const erased: { id: string; photoHash: string }[] = [];
      const failed: unknown[] = [];
      const touched = new Set<string>();
      for (const [position, id] of ids.entries()) {
        if (!index.place(id)) continue;
        try {
          const folder = libraries.modelFolder(id);
          const photoHash = index.model(id)?.photoHash ?? '';
          await rm(folder, { recursive: true, force: true });
          touched.add(folder.slice(0, -basename(folder).length));
          erased.push({ id, photoHash });
        } catch (error) {
          failed.push(error);
        }
        if (position % 50 === 49)
          options.onWorking?.({ what: 'erase', done: position + 1, total: ids.length });
      }
      for (const library of touched) await syncFolder(join(library, '.'));
      const erasedIds = erased.map(({ id }) => id);
      libraries.forget(erasedIds);
      await options.onErased?.(erased);
      // What was before an edit names the person too.
      const gone = new Set(erasedIds);
      for (const step of done) step.edited = step.edited.filter(({ id }) => !gone.has(id));
      // By id only: a receipt proves the erasing and says nothing about the person.
      for (const id of erasedIds) {
        options.receipt?.({
          operation: 'erase',
          subject: id,
          message: 'Model, photo, thumbnail and index rows were erased.',
        });
      }
      if (failed.length > 0) {
        const first = storageFailure(failed[0], 'model');
        const why = first instanceof Failure ? first.message : 'The system refused.';
        throw new Failure('storage', `${failed.length} of ${ids.length} models could not be erased: ${why}`, {
          hint: 'Close programs that use them, then try again.',
          retryable: true,
          cause: failed[0],
        });
      }
      return erased.length;
    },

    async undo() {
      for (;;) {
        const step = done.pop();
        if (!step) return '';
        const before = new Map(step.edited.map((edited) => [edited.id, edited.before]));
        const undone = await libraries.edit([...before.keys()], (record) => before.get(record.id) ?? null);
        if (undone.length > 0) return step.what;
      }
    },
  };
}

function changedRecord(record: LikenessRecord, changes: ModelChanges): LikenessRecord | null {
  const { name, rating, notes, addTags, removeTags, addCollection, removeCollection, consent } = changes;
  const less = (list: readonly string[], taken: readonly string[]): string[] =>
    list.filter((one) => !taken.includes(one));
  const tags = less([...new Set([...record.tags, ...(addTags ?? [])])], removeTags ?? []);
  const collections = less(
    [...new Set([...record.collections, ...(addCollection ? [addCollection] : [])])],
    removeCollection ? [removeCollection] : [],
  );
  if (tags.length > 50) {
    throw new Failure('invalid_input', `“${record.name}” would have more than 50 tags.`, {
      field: 'changes.addTags',
    });
  }
  const after: LikenessRecord = {
    ...record,
    name: name ?? record.name,
    rating: rating ?? record.rating,
    notes: notes ?? record.notes,
    tags,
    collections,
    consent: consent ?? record.consent,
  };
  return JSON.stringify(after) === JSON.stringify(record) ? null : after;
}
