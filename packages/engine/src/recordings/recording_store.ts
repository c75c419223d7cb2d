import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeardShare } from './recording_orders.ts';

/** A cached recording. */
export interface KeptRecording extends HeardShare {
  /** Path of the analysis. */
  readonly path: string;
  readonly bytes: number;
}

export interface RecordingStore {
  /** Returns an unused path for a new analysis. */
  newPath(): string;
  /** Keeps the file at `path`; drops the least recently used recordings if the store is full. */
  keep(id: string, path: string, heard: HeardShare): Promise<void>;
  /** Uses a recording: it stays until `use` has ended. @returns undefined if it is not cached */
  withRecording<T>(id: string, use: (kept: KeptRecording) => Promise<T>): Promise<T | undefined>;
  /** Drops a recording, even if it is in use. */
  drop(id: string): Promise<void>;
  /** Returns the entry of a cached recording. */
  find(id: string): KeptRecording | undefined;
}

/**
 * Caches the analyses of recordings in files of the engine's folder while the engine runs.
 *
 * @param folder emptied by its owner at each start and at the end
 * @param maxBytes limit for all analyses together
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
      // The newest stays at any size: its caller is about to use it.
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
