import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { readJsonFile } from '@likeness/node-kit/storage/json_file.ts';
import { z } from 'zod';
import type { ExternalAccess } from './external_listener.ts';

const Stored = z.object({ schemaVersion: z.literal(1), enabled: z.boolean(), port: z.number().int() });

/** The part of the vault that this setting's key needs. */
interface KeyStorage {
  get(owner: string, name: 'apiKey'): Promise<{ value: string } | undefined>;
  set(owner: string, name: 'apiKey', secret: { value: string; origin: string }): Promise<void>;
}

/** The key's owner id among the profiles' keys. */
const owner = 'engine-external';

/**
 * Stores the fixed port for other programs, and whether it is open, in a separate file. The key for them is
 * in the vault with all other keys.
 */
export function externalAccessIn(path: string, keys: KeyStorage) {
  return {
    /** Null if it was never set, or the file is invalid. Rejects while the keys are locked. */
    async load(): Promise<ExternalAccess | null> {
      const stored = await readJsonFile(path, Stored);
      if (!stored) return null;
      const { enabled, port } = stored;
      return { enabled, port, key: (await keys.get(owner, 'apiKey'))?.value ?? null };
    },

    /**
     * Saves the key first: a file that says "open" is useless without a key. @throws Failure `locked`,
     * `storage`
     */
    async save({ enabled, port, key }: ExternalAccess): Promise<void> {
      if (key !== null && (await keys.get(owner, 'apiKey'))?.value !== key) {
        await keys.set(owner, 'apiKey', { value: key, origin: '' });
      }
      const stored: z.output<typeof Stored> = { schemaVersion: 1, enabled, port };
      await writeFileAtomically(path, JSON.stringify(stored));
    },
  };
}
