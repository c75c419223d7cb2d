import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readFileIfThere, syncFolder, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { z } from 'zod';

/**
 * What was begun: written before anything goes, gone when all is. So that a power cut leaves nothing half
 * erased.
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
      // Not in what an older studio began.
      otherHashes: z.array(z.string()).default([]),
      photoPath: z.string(),
      profileId: z.string(),
      profileName: z.string(),
      remoteModelId: z.string(),
      // Not in what an older studio began.
      earlier: z.array(z.object({ profileId: z.string(), remoteModelId: z.string() })).default([]),
      names: z.array(z.string()),
    }),
  ),
});
export type ErasureIntent = z.output<typeof ErasureIntent>;

/** The file that an intent lies in. */
export class ErasureIntentFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async isThere(): Promise<boolean> {
    return (await readFileIfThere(this.#path)) !== null;
  }

  /** @returns null where nothing was begun, or by a newer studio, which will finish it. */
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
