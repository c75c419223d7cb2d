import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readFileIfThere, writeFileAtomically } from '../storage/atomic_file.ts';

const Listed = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  /** Its last known name, for when its disk is not there. */
  name: z.string(),
  /** Absolute path. */
  folder: z.string().min(1),
  isDefault: z.boolean(),
});
export type Listed = z.output<typeof Listed>;
export const libraryListName = 'libraries.json';
const ListFile = z.object({ schema: z.literal(1), libraries: z.array(Listed) });

/** Which libraries this studio knows, and where they are: `libraries.json` in its own data folder. */
export async function readLibraryList(dataFolder: string): Promise<Listed[]> {
  const bytes = await readFileIfThere(join(dataFolder, libraryListName));
  if (!bytes) return [];
  try {
    return ListFile.parse(JSON.parse(bytes.toString('utf8'))).libraries;
  } catch {
    // The libraries themselves are elsewhere and whole; the person opens them again.
    return [];
  }
}

export const writeLibraryList = (dataFolder: string, libraries: readonly Listed[]): Promise<void> =>
  writeFileAtomically(
    join(dataFolder, libraryListName),
    `${JSON.stringify({ schema: 1, libraries }, null, 2)}\n`,
  );

/** Changes with the list; empty where there is none. */
export async function libraryListStamp(dataFolder: string): Promise<string> {
  const file = await stat(join(dataFolder, libraryListName)).catch(() => null);
  return file ? `${file.ino} ${file.mtimeMs} ${file.size}` : '';
}
