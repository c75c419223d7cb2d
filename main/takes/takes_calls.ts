import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Handlers } from '#contract';
import { say } from '#sentences';
import { Failure, saidOf } from '../failure.ts';
import { finishedTake } from './finished_take.ts';
import { joinTakes } from './list/join_takes.ts';
import type { TakeList } from './list/take_list.ts';
import { scoreCalls } from './scorecard/score_calls.ts';
import { scriptOf } from './script_file.ts';
import { type ConvertTake, exportTake, holdsHead } from './take_export.ts';
import type { TakeHearings } from './take_hearing.ts';
import type { Takes } from './takes.ts';

export interface TakesCallsOptions {
  takes: Takes;
  list: TakeList;
  hearings: TakeHearings;
  reveal: (path: string) => Promise<void>;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Buffer>;
  exports: TakeExports;
  convertTake: ConvertTake;
}

/**
 * What an exported file was made of: a take and, for a GLB or FBX, a head; empty where it was the default
 * one.
 */
interface ExportedFrom {
  take: string;
  model: string;
}

/** Exported files for the page to fetch. */
export class TakeExports {
  readonly #folder: string;
  readonly #randomId: () => string;
  readonly #files = new Map<string, { path: string; from: ExportedFrom }>();

  /** @param folder for files that may be removed while the studio is not running */
  constructor(folder: string, randomId: () => string) {
    this.#folder = folder;
    this.#randomId = randomId;
  }

  /** Absolute path; null where there is none. */
  file(exportId: string): string | null {
    return this.#files.get(exportId)?.path ?? null;
  }

  newFolder(): string {
    return join(this.#all, this.#randomId());
  }

  async add(path: string, from: ExportedFrom): Promise<{ exportId: string; bytes: number }> {
    const exportId = this.#randomId();
    this.#files.set(exportId, { path, from });
    return { exportId, bytes: (await stat(path)).size };
  }

  /** Removes exports of these takes or heads, and those that an earlier run left. @returns How many files. */
  async erase(gone: { takes: ReadonlySet<string>; models: ReadonlySet<string> }): Promise<number> {
    for (const [exportId, { from }] of this.#files) {
      if (gone.takes.has(from.take) || gone.models.has(from.model)) this.#files.delete(exportId);
    }
    const kept = new Set([...this.#files.values()].map(({ path }) => dirname(path)));
    let removed = 0;
    for (const name of await readdir(this.#all).catch(() => [])) {
      const folder = join(this.#all, name);
      if (kept.has(folder)) continue;
      removed += (await readdir(folder).catch(() => [])).length;
      await rm(folder, { recursive: true, force: true });
    }
    return removed;
  }

  /** Removes those that this studio made. */
  async close(): Promise<void> {
    const folders = new Set([...this.#files.values()].map(({ path }) => dirname(path)));
    this.#files.clear();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }

  get #all(): string {
    return join(this.#folder, 'take-exports');
  }
}

/** The room `takes` of the contract. */
export function takesCalls({
  takes,
  list,
  hearings,
  reveal,
  head,
  exports,
  convertTake,
}: TakesCallsOptions): Handlers['takes'] {
  return {
    ...listCalls(takes, list, hearings),
    edit: ({ id, changes }) => takes.edit(id, given(changes)),
    ...hearingCalls(takes, hearings),
    ...scoreCalls({ takes, hearings, head }),
    async trash({ id }) {
      await hearings.stop(id);
      await takes.trash(id);
      return undefined;
    },
    restore: ({ id }) => takes.restore(id),
    trashed: () => takes.trashed(),
    async erase({ ids }) {
      for (const id of ids) await hearings.stop(id);
      const erased = await takes.erase(ids);
      await exports.erase({ takes: new Set(ids), models: new Set() });
      return { erased };
    },
    async emptyTrash() {
      const trashed = await takes.trashed();
      const erased = await takes.emptyTrash();
      await exports.erase({ takes: new Set(trashed.map(({ id }) => id)), models: new Set() });
      return { erased };
    },
    async reveal({ id }) {
      await reveal(takes.folderOf(id));
      return undefined;
    },
    async export({ id, format, modelId }) {
      const { record, ...finished } = await finishedTake(takes, hearings, id);
      const { name, createdAt } = record;
      const folder = exports.newFolder();
      const from = { take: id, model: holdsHead(format) ? (modelId ?? '') : '' };
      const take = { ...finished, name, createdAt, head: () => head(modelId) };
      const written = await exportTake(take, [format], folder, convertTake, { isPrivate: true }).catch(
        (error: unknown) => {
          if (error instanceof Failure) throw error;
          throw new Failure('invalid_input', saidOf(error), {
            hint: say('takes.other_head'),
          });
        },
      );
      const files = await Promise.all(
        written.map(async (fileName) => ({ fileName, ...(await exports.add(join(folder, fileName), from)) })),
      );
      return { files };
    },
  };
}

/** What was given, without what was left out. */
const given = <T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;

/** What is found among the takes, and what is done with many of them. */
const listCalls = (
  takes: Takes,
  list: TakeList,
  hearings: TakeHearings,
): Pick<
  Handlers['takes'],
  'list' | 'take' | 'search' | 'tags' | 'editMany' | 'undoEdit' | 'join' | 'trashMany' | 'restoreMany'
> => ({
  list: () => takes.list(),
  take: ({ id }) => takes.listed(id),
  search: (asked) => list.search(asked),
  tags: () => list.tags(),
  editMany: async (asked) => ({ changed: await list.edit(asked) }),
  undoEdit: async () => ({ changed: await list.undoEdit() }),
  async join({ ids, name }) {
    const finished = (id: string) => finishedTake(takes, hearings, id);
    return takes.listed(await joinTakes(ids, name, { takes, finished }));
  },
  trashMany: async ({ selection }) => ({
    trashed: await list.trash(selection, (id) => hearings.stop(id)),
  }),
  restoreMany: async ({ ids }) => ({ restored: await list.restore(ids) }),
});

/** What is heard in a take, and its second face. */
const hearingCalls = (
  takes: Takes,
  hearings: TakeHearings,
): Pick<
  Handlers['takes'],
  | 'hearAgain'
  | 'stopHearing'
  | 'hearings'
  | 'script'
  | 'readScript'
  | 'setScript'
  | 'words'
  | 'moveWord'
  | 'undoMove'
  | 'setDials'
  | 'showFace'
> => ({
  async hearAgain({ id }) {
    await hearings.want(id);
    return undefined;
  },
  async stopHearing({ id }) {
    await hearings.stop(id);
    return undefined;
  },
  hearings: () => hearings.list(),
  script: ({ id }) => takes.record(id).script,
  readScript: ({ fileName, bytes }) => scriptOf(Buffer.from(bytes, 'base64'), fileName),
  setScript: ({ id, script }) => hearings.setScript(id, script),
  words: ({ id }) => hearings.words(id),
  moveWord: ({ id, index, start, end }) => hearings.moveWord(id, { index, start, end }),
  undoMove: ({ id }) => hearings.undoMove(id),
  setDials: ({ id, jaw, lips }) => hearings.setDials(id, { jaw, lips }),
  showFace: ({ id, face }) => hearings.show(id, face),
});
