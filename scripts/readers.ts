import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages, mayInstallDebianPackages } from './debian.ts';

/** Third-party programs in which the tests open the studio's files, and some that serve or speak for them. */
const readers = {
  blender: { variable: 'LIKENESS_BLENDER', packages: ['blender', 'python3-numpy'] },
  assimp: { variable: 'LIKENESS_ASSIMP', packages: ['assimp-utils'] },
  ffprobe: { variable: 'LIKENESS_FFPROBE', packages: ['ffmpeg'] },
  'redis-server': { variable: 'LIKENESS_REDIS', packages: ['redis-server'] },
  flite: { variable: 'LIKENESS_FLITE', packages: ['flite'] },
} as const;
export type Reader = keyof typeof readers;

/** Where a reader is: as its variable (`LIKENESS_BLENDER`, …) says, else on the PATH. */
export function findReader(reader: Reader): string | null {
  const named = process.env[readers[reader].variable];
  if (named) return existsSync(named) ? named : null;
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, reader));
  return onPath.find((file) => existsSync(file)) ?? null;
}

/**
 * On CI installs the optional readers. Tests skip a missing reader, and say so.
 *
 * @param print takes a line for the log
 */
export function ensureReaders(print: (line: string) => void): void {
  for (const reader of Object.keys(readers) as Reader[]) {
    const { variable, packages } = readers[reader];
    if (!findReader(reader) && process.env.CI && !process.env[variable] && mayInstallDebianPackages()) {
      print(`${reader}: none found; installing Debian's packages ${packages.join(' ')} …`);
      installDebianPackages(packages);
    }
    print(`${reader}: ${findReader(reader) ?? 'not here; tests that need it are skipped'}`);
  }
}
