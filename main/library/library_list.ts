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
const ListFile = z.object({ schema: z.literal(1), libraries: z.array(Listed) });

/** Which libraries this studio knows, and where they are: `libraries.json` in its own data folder. */
export async function readLibraryList(dataFolder: string): Promise<Listed[]> {
  const bytes = await readFileIfThere(join(dataFolder, 'libraries.json'));
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
    join(dataFolder, 'libraries.json'),
    `${JSON.stringify({ schema: 1, libraries }, null, 2)}\n`,
  );
