import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commitFile, removeUnfinished, unfinishedPath } from '@likeness/node-kit/storage/atomic_file.ts';
import { pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { threadFailures } from '@likeness/node-kit/threads/thread_failures.ts';
import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { takeFiles } from '../take_record.ts';
import { renderSound, type SoundOrder } from './render_sound.ts';

/** Makes an audio file. @throws Failure */
export type RenderSound = (order: SoundOrder, seconds: number) => Promise<void>;

/** Version, raised when the same cuts produce different audio. */
const method = 1;
/** Audio of edited takes, which can be made again. */
export const editedName = /^edited-[0-9a-f]{16}\.wav$/;
/** Timeout, milliseconds: for the thread to start, and per second of audio. */
const limit = { start: 30_000, second: 500 };

/** Renders on a separate thread. @param entry its script, `out/main/sound-thread.js` */
export function createSoundThread(entry: string | URL): { render: RenderSound; close: () => Promise<void> } {
  const pool = new ThreadPool<SoundOrder, 'sound'>({
    entry,
    name: 'sound-thread',
    lanes: { sound: 1 },
    memory: { maxOldGenerationSizeMb: 512 },
    errors: threadFailures,
  });
  return {
    async render(order, seconds) {
      const milliseconds = limit.start + limit.second * seconds;
      await pool.run(order, { lane: 'sound', milliseconds: async () => milliseconds });
    },
    close: () => pool.close(),
  };
}

/**
 * Audio of takes that were cut or retimed. Each file is made at its first request and kept in the take's
 * folder, named after its cuts; other files of the same take are deleted.
 */
export class EditedSounds {
  readonly #render: RenderSound;
  readonly #running = new Map<string, Promise<string>>();

  /** @param render default: in this thread */
  constructor(render: RenderSound = renderSound) {
    this.#render = render;
  }

  /**
   * Absolute path of the edited audio, or of the recording if nothing is cut. Null: the take has no readable
   * audio.
   *
   * @param folder of the take @throws Failure `storage`
   */
  async path(folder: string, map: TimeMap): Promise<string | null> {
    const recorded = await pathInside(dirname(folder), join(folder, takeFiles.audio));
    if (recorded === null || map.isWhole) return recorded;
    const path = join(folder, nameOf(map.pieces));
    if (existsSync(path)) return pathInside(dirname(folder), path);
    const making = this.#running.get(path) ?? this.#make(recorded, path, map);
    this.#running.set(path, making);
    return making.finally(() => this.#running.delete(path));
  }

  async #make(from: string, path: string, { pieces, seconds }: TimeMap): Promise<string> {
    const folder = dirname(path);
    const to = unfinishedPath(path);
    try {
      await removeUnfinished(folder);
      await this.#render({ from, to, pieces }, seconds);
      await commitFile(to, path);
      for (const name of await readdir(folder))
        if (editedName.test(name) && join(folder, name) !== path)
          await rm(join(folder, name), { force: true });
      return path;
    } catch (error) {
      await rm(to, { force: true }).catch(() => undefined);
      throw storageFailure(error, path);
    }
  }
}

const nameOf = (pieces: readonly Piece[]): string => {
  const cuts = JSON.stringify([method, pieces.map(({ from, to, speed }) => [from, to, speed])]);
  return `edited-${createHash('sha256').update(cuts).digest('hex').slice(0, 16)}.wav`;
};
