import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeardShare } from './recording_orders.ts';

/** What is kept of a recording. */
export interface KeptRecording extends HeardShare {
  /** Where what was heard lies. */
  readonly path: string;
  readonly bytes: number;
}

export interface RecordingStore {
  /** A path of its own for something that is to be kept. */
  newPath(): string;
  /** Keeps what lies at `path`; what was used longest ago goes where there is too much. */
  keep(id: string, path: string, heard: HeardShare): Promise<void>;
  /** Uses a recording: it stays until `use` has ended. @returns undefined where it is not kept */
  withRecording<T>(id: string, use: (kept: KeptRecording) => Promise<T>): Promise<T | undefined>;
  /** Keeps a recording no longer, whoever uses it. */
  drop(id: string): Promise<void>;
  /** What is known of one that is kept. */
  find(id: string): KeptRecording | undefined;
}

/**
 * What was heard in recordings, in files of the engine's folder, for as long as the engine runs.
 *
 * @param folder emptied at each start and at the end, by whoever owns it
 * @param maxBytes of all together
 */
export function createRecordingStore(folder: string, maxBytes: number): RecordingStore {
  /** In order of use. */
  const kept = new Map<string, KeptRecording>();
  const used = new Map<string, number>();
  const newPath = (): string => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, randomBytes(16).toString('hex'));
  };
  const touch = (id: string, recording: KeptRecording): void => {
    kept.delete(id);
    kept.set(id, recording);
  };

  async function makeRoom(): Promise<void> {
    let bytes = [...kept.values()].reduce((sum, recording) => sum + recording.bytes, 0);
    for (const [id, recording] of [...kept]) {
      // The newest stays, however large it is: its caller is about to ask for it.
      if (bytes <= maxBytes || kept.size === 1) return;
      if (used.has(id)) continue;
      kept.delete(id);
      bytes -= recording.bytes;
      await rm(recording.path, { force: true });
    }
  }

  return {
    newPath,
    async keep(id, path, heard) {
      const { size } = await stat(path);
      const before = kept.get(id);
      touch(id, { ...heard, path, bytes: size });
      if (before) await rm(before.path, { force: true });
      await makeRoom();
    },
    async withRecording(id, use) {
      const recording = kept.get(id);
      if (!recording) return undefined;
      touch(id, recording);
      used.set(id, (used.get(id) ?? 0) + 1);
      try {
        return await use(recording);
      } finally {
        const users = (used.get(id) ?? 1) - 1;
        if (users > 0) used.set(id, users);
        else used.delete(id);
        await makeRoom();
      }
    },
    async drop(id) {
      const recording = kept.get(id);
      kept.delete(id);
      if (recording) await rm(recording.path, { force: true });
    },
    find(id) {
      const recording = kept.get(id);
      if (recording) touch(id, recording);
      return recording;
    },
  };
}
