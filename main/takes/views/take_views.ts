/**
 * Cached views of a take for the page: the face in columns, the peaks of the audio. They open many times
 * faster than their sources, can be made again at any time, and may be deleted.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commitFile, removeUnfinished, unfinishedPath } from '@likeness/node-kit/storage/atomic_file.ts';
import { pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { threadFailures } from '@likeness/node-kit/threads/thread_failures.ts';
import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import { takeFiles } from '../take_record.ts';
import { makeView, type ViewTask } from './make_view.ts';

/** Version, raised when the same file produces another view. */
const method = 1;
/** Timeout for making one, milliseconds: for the thread to start and per megabyte read. */
const limit = { start: 30_000, megabyte: 1000 };

/** The files of a take that have a view. */
const viewed = ['face', 'second', 'audio'] as const;
export type Viewed = (typeof viewed)[number];

/** Makes a view's file. @param bytes of its source */
export type MakeView = (order: ViewTask, bytes: number) => Promise<void>;

/** On a separate thread. @param entry its script, `out/main/view-thread.js` */
export function createViewThread(entry: string | URL): { make: MakeView; close: () => Promise<void> } {
  const pool = new ThreadPool<ViewTask, 'view'>({
    entry,
    name: 'view-thread',
    lanes: { view: 1 },
    memory: { maxOldGenerationSizeMb: 512 },
    errors: threadFailures,
  });
  return {
    async make(order, bytes) {
      const milliseconds = limit.start + (bytes / 1e6) * limit.megabyte;
      await pool.run(order, { lane: 'view', milliseconds: async () => milliseconds, isBackground: true });
    },
    close: () => pool.close(),
  };
}

export class TakeViews {
  readonly #make: MakeView;
  readonly #warn: (text: string) => void;
  readonly #running = new Map<string, Promise<void>>();

  /** @param make default: in this thread */
  constructor(warn: (text: string) => void, make: MakeView = async (order) => makeView(order)) {
    this.#warn = warn;
    this.#make = make;
  }

  /**
   * Returns the absolute path of a view, or of the source file while the view is being made.
   *
   * @param file of the take, absolute; null: it has none that is readable
   */
  async path(file: string | null, what: Viewed): Promise<string | null> {
    if (file === null) return null;
    const folder = dirname(file);
    const named = await this.#nameOf(folder, what);
    if (!named) return null;
    const path = await pathInside(dirname(folder), join(folder, named.name));
    if (path === null) void this.#begin(folder, what, named);
    return path ?? named.from;
  }

  /** Makes missing views. @param folder of the take */
  async want(folder: string): Promise<void> {
    for (const what of viewed) {
      const named = await this.#nameOf(folder, what);
      const isThere = named && (await pathInside(dirname(folder), join(folder, named.name)));
      if (named && !isThere) await this.#begin(folder, what, named);
    }
  }

  /** A view's name contains its source's stamp: another face has another view. */
  async #nameOf(folder: string, what: Viewed): Promise<Named | null> {
    const from = await pathInside(dirname(folder), join(folder, takeFiles[what]));
    const found = from === null ? null : await stat(from).catch(() => null);
    if (from === null || !found) return null;
    const { size, mtimeMs } = found;
    return { from, size, name: `.view-${what}-${method}-${size}-${Math.floor(mtimeMs)}` };
  }

  /** A failure is harmless: the page then reads the take itself. */
  #begin(folder: string, what: Viewed, named: Named): Promise<void> {
    const key = join(folder, named.name);
    const making = this.#running.get(key) ?? this.#write(folder, what, named);
    this.#running.set(key, making);
    return making
      .catch((error: unknown) => this.#warn(`What is shown of ${key} can't be made: ${error}`))
      .finally(() => this.#running.delete(key));
  }

  async #write(folder: string, what: Viewed, { from, size, name }: Named): Promise<void> {
    const path = join(folder, name);
    const to = unfinishedPath(path);
    try {
      await removeUnfinished(folder);
      await this.#make({ kind: what === 'audio' ? 'peaks' : 'face', from, to }, size);
      await commitFile(to, path);
      for (const other of await readdir(folder))
        if (other.startsWith(`.view-${what}-`) && other !== name)
          await rm(join(folder, other), { force: true });
    } finally {
      await rm(to, { force: true }).catch(() => undefined);
    }
  }
}

interface Named {
  from: string;
  size: number;
  name: string;
}
