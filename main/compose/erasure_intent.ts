import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readFileIfThere, syncFolder, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { z } from 'zod';

/**
 * A pending erasure: saved before anything is removed and deleted at the end, so that a power cut leaves
 * nothing half erased.
 */
const ErasureIntent = z.object({
  schema: z.literal(1),
  takes: z.array(z.string()),
  models: z.array(
    z.object({
      id: z.string(),
      libraryId: z.string(),
      library: z.string(),
      folder: z.string(),
      photoHash: z.string(),
      // Missing in a file of an older studio.
      otherHashes: z.array(z.string()).default([]),
      photoPath: z.string(),
      profileId: z.string(),
      profileName: z.string(),
      remoteModelId: z.string(),
      // Missing in a file of an older studio.
      earlier: z.array(z.object({ profileId: z.string(), remoteModelId: z.string() })).default([]),
      names: z.array(z.string()),
    }),
  ),
});
export type ErasureIntent = z.output<typeof ErasureIntent>;

/** The file of the intent. */
export class ErasureIntentFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async isThere(): Promise<boolean> {
    return (await readFileIfThere(this.#path)) !== null;
  }

  /** @returns null if there is none, or if a newer studio wrote it and will finish it. */
  async read(): Promise<ErasureIntent | null> {
    const bytes = await readFileIfThere(this.#path);
    if (!bytes) return null;
    try {
      return ErasureIntent.parse(JSON.parse(bytes.toString('utf8')));
    } catch {
      return null;
    }
  }

  async write(intent: ErasureIntent): Promise<void> {
    await writeFileAtomically(this.#path, JSON.stringify(intent));
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
    await syncFolder(dirname(this.#path));
  }
}
