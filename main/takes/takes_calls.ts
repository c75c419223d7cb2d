import type { Handlers } from '#contract';
import type { ExportedTakes } from './export/exported_takes.ts';
import type { TakeList } from './list/take_list.ts';
import { scoreCalls } from './scorecard/score_calls.ts';
import { scriptOf } from './script_file.ts';
import type { TakeAnalysis } from './take_analysis.ts';
import type { Takes } from './takes.ts';

export interface TakesCallsOptions {
  takes: Takes;
  list: TakeList;
  analysis: TakeAnalysis;
  reveal: (path: string) => Promise<void>;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Buffer>;
  /** Deletes exported files that contain a take. */
  exports: Pick<ExportedTakes, 'erase'>;
}

/** Implements the room `takes` of the contract. */
export function takesCalls({
  takes,
  list,
  analysis,
  reveal,
  head,
  exports,
}: TakesCallsOptions): Handlers['takes'] {
  return {
    ...listCalls(takes, list, analysis),
    edit: ({ id, changes }) => takes.edit(id, given(changes)),
    ...analysisCalls(takes, analysis),
    ...scoreCalls({ takes, analysis, head }),
    async trash({ id }) {
      await analysis.stop(id);
      await takes.trash(id);
      return undefined;
    },
    restore: ({ id }) => takes.restore(id),
    trashed: () => takes.trashed(),
    async erase({ ids }) {
      for (const id of ids) await analysis.stop(id);
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
  };
}

/** Returns the given fields without undefined ones. */
const given = <T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;

/** Calls for search and bulk changes of takes. */
const listCalls = (
  takes: Takes,
  list: TakeList,
  analysis: TakeAnalysis,
): Pick<
  Handlers['takes'],
  'list' | 'take' | 'search' | 'tags' | 'editMany' | 'undoEdit' | 'trashMany' | 'restoreMany'
> => ({
  list: () => takes.list(),
  take: ({ id }) => takes.listed(id),
  search: (asked) => list.search(asked),
  tags: () => list.tags(),
  editMany: (asked) => list.edit(asked),
  undoEdit: async ({ step }) => ({ changed: await list.undoEdit(step) }),
  trashMany: async ({ selection }) => ({
    trashed: await list.trash(selection, (id) => analysis.stop(id)),
  }),
  restoreMany: async ({ ids }) => ({ restored: await list.restore(ids) }),
});

/** Calls for a take's transcript, words and second face. */
const analysisCalls = (
  takes: Takes,
  analysis: TakeAnalysis,
): Pick<
  Handlers['takes'],
  | 'reanalyse'
  | 'stopAnalysis'
  | 'analyses'
  | 'script'
  | 'readScript'
  | 'setScript'
  | 'words'
  | 'moveWord'
  | 'undoMove'
  | 'setDials'
  | 'setNoise'
  | 'showFace'
> => ({
  async reanalyse({ id }) {
    await analysis.want(id);
    return undefined;
  },
  async stopAnalysis({ id }) {
    await analysis.stop(id);
    return undefined;
  },
  analyses: () => analysis.list(),
  script: ({ id }) => takes.record(id).script,
  readScript: ({ fileName, bytes }) => scriptOf(Buffer.from(bytes, 'base64'), fileName),
  setScript: ({ id, script }) => analysis.setScript(id, script),
  words: ({ id }) => analysis.words(id),
  moveWord: ({ id, index, start, end }) => analysis.moveWord(id, { index, start, end }),
  undoMove: ({ id }) => analysis.undoMove(id),
  setDials: ({ id, jaw, lips }) => analysis.setDials(id, { jaw, lips }),
  setNoise: ({ id, noise }) => analysis.setNoise(id, noise),
  showFace: ({ id, face }) => analysis.show(id, face),
});
