import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Handlers } from '#contract';
import { mergedFace } from '#proto/take_stream.ts';
import { Failure } from '../failure.ts';
import { exportTake } from './take_export.ts';
import type { Takes } from './takes.ts';

export interface TakesCallsOptions {
  takes: Takes;
  reveal: (path: string) => Promise<void>;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Buffer>;
  exports: TakeExports;
}

/** Files that were made for the page to fetch. */
export class TakeExports {
  readonly #folder: string;
  readonly #randomId: () => string;
  readonly #files = new Map<string, string>();

  /** @param folder for files that may go when the studio is not running */
  constructor(folder: string, randomId: () => string) {
    this.#folder = folder;
    this.#randomId = randomId;
  }

  /** Absolute path; null where there is none. */
  file(exportId: string): string | null {
    return this.#files.get(exportId) ?? null;
  }

  newFolder(): string {
    return join(this.#folder, 'take-exports', this.#randomId());
  }

  async add(path: string): Promise<{ exportId: string; bytes: number }> {
    const exportId = this.#randomId();
    this.#files.set(exportId, path);
    return { exportId, bytes: (await stat(path)).size };
  }
}

/** The room `takes` of the contract. */
export function takesCalls({ takes, reveal, head, exports }: TakesCallsOptions): Handlers['takes'] {
  return {
    list: () => takes.list(),
    edit: ({ id, changes: { name, notes } }) =>
      takes.edit(id, { ...(name === undefined ? {} : { name }), ...(notes === undefined ? {} : { notes }) }),
    async trash({ id }) {
      await takes.trash(id);
      return undefined;
    },
    restore: ({ id }) => takes.restore(id),
    async reveal({ id }) {
      await reveal(takes.folderOf(id));
      return undefined;
    },
    async export({ id, format, modelId }) {
      const { name, createdAt } = takes.record(id);
      const [faces, audio] = await Promise.all([takes.faces(id), takes.audio(id)]);
      const folder = exports.newFolder();
      const take = { name, createdAt, face: mergedFace(faces), audio, head: () => head(modelId) };
      const written = await exportTake(take, [format], folder, { isPrivate: true }).catch(
        (error: unknown) => {
          if (error instanceof Failure) throw error;
          throw new Failure('invalid_input', error instanceof Error ? error.message : String(error), {
            hint: 'Choose another head, or another take.',
          });
        },
      );
      const files = await Promise.all(
        written.map(async (fileName) => ({ fileName, ...(await exports.add(join(folder, fileName))) })),
      );
      return { files };
    },
  };
}
