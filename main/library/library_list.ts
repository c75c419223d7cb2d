import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { quarantinePath } from '@likeness/node-kit/storage/quarantine.ts';
import { z } from 'zod';

const Listed = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  /** Its last known name, used while its disk is disconnected. */
  name: z.string(),
  /** Absolute path. */
  folder: z.string().min(1),
  isDefault: z.boolean(),
});
export type Listed = z.output<typeof Listed>;
export const libraryListName = 'libraries.json';
const ListFile = z.object({ schema: z.literal(1), libraries: z.array(Listed) });

/** The list of libraries and their folders: `libraries.json` in the studio's data folder. */
export async function readLibraryList(dataFolder: string): Promise<Listed[]> {
  const bytes = await readFileIfThere(join(dataFolder, libraryListName));
  if (!bytes) return [];
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    value = null;
  }
  const { data } = ListFile.safeParse(value);
  if (data) return data.libraries;
  const path = join(dataFolder, libraryListName);
  const version = Number((value as { schema?: unknown } | null)?.schema ?? 0);
  if (version > 1) {
    throw new Failure('storage', t('storage.newer_schema', { file: libraryListName, version, known: 1 }), {
      hint: t('storage.update_file'),
    });
  }
  // The libraries themselves are unaffected: the user can open them again, or repair the list.
  await rename(path, quarantinePath(path, Date.now()));
  return [];
}

export const writeLibraryList = (dataFolder: string, libraries: readonly Listed[]): Promise<void> =>
  writeFileAtomically(
    join(dataFolder, libraryListName),
    `${JSON.stringify({ schema: 1, libraries }, null, 2)}\n`,
  );

/** Changes with the list; empty if there is none. */
export async function libraryListStamp(dataFolder: string): Promise<string> {
  const file = await stat(join(dataFolder, libraryListName)).catch(() => null);
  return file ? `${file.ino} ${file.mtimeMs} ${file.size}` : '';
}
