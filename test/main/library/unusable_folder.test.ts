/** Studios whose folder of libraries can't be made or read: nothing ends with a stack, and nothing is overwritten. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInProfileId } from '#contract';
import { openConfFile } from '../../../main/connections/vault/secret_file.ts';
import { Libraries } from '../../../main/library/libraries.ts';
import { createTerminalShell } from '../../../main/shell/none/shell.ts';
import { createStudio, type Studio } from '../../../main/studio.ts';
import { commandLine } from '../../support/command_line.ts';
import { type Fault, withFault } from '../../support/disk_faults.ts';

const root = join(import.meta.dirname, '../../..');
let home: string;
let studio: Studio | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-unusable-library-'));
});
afterEach(async () => {
  await studio?.close();
  studio = undefined;
  await rm(home, { recursive: true, force: true });
});

const open = async (): Promise<Studio> => {
  studio = await createStudio(createTerminalShell({ kind: 'none', dataFolder: home, writeLine: () => {} }), {
    openSecretFile: openConfFile,
    pageOrigin: () => null,
    engineEntry: join(root, 'out/main/engine.js'),
    packageFile: join(root, 'package.json'),
    environment: {},
  });
  return studio;
};

test.each<[string, (library: string) => void]>([
  ['a link to a disk that is away', (library) => symlinkSync(join(home, 'away/library'), library)],
  ['a file', (library) => writeFileSync(library, 'mine')],
])(
  'where the folder is %s, the studio opens without libraries and says so',
  async (_, put) => {
    const library = join(home, 'library');
    put(library);
    const { handlers, heads } = await open();
    expect(await handlers.library.libraries(undefined)).toMatchObject([
      { folder: library, available: false, writable: false, isDefault: true },
    ]);
    const refused = { code: 'storage', message: expect.stringContaining(library), retryable: true };
    expect(() => heads.libraries.defaultId()).toThrow(expect.objectContaining(refused));
    // Nothing is ordered for a library that isn't there, whichever one the page names.
    const order = { selection: { ids: [] }, profileId: builtInProfileId, again: false };
    await expect(handlers.batch.start({ ...order, libraryId: undefined })).rejects.toMatchObject(refused);
    await expect(handlers.batch.start({ ...order, libraryId: 'unusable' })).rejects.toMatchObject(refused);
    // A job of before waits for its library and is not given up.
    await expect(heads.libraries.folderToFill('known-before')).rejects.toMatchObject(refused);
    await expect(heads.libraries.add(join(home, 'other'))).rejects.toMatchObject(refused);
    await studio?.close();
    studio = undefined;
    // With the disk back it is as ever.
    rmSync(library);
    expect(await (await open()).handlers.library.libraries(undefined)).toMatchObject([{ available: true }]);
  },
  20_000,
);

test.each<Fault>(['ENOSPC', 'EACCES', 'EIO'])('the same for %s while it is made', async (fault) => {
  const dataFolder = join(home, 'library');
  const troubles: unknown[] = [];
  const onTrouble = (error: unknown): void => void troubles.push(error);
  await withFault({ folder: dataFolder, fault, at: 1 }, async () => {
    const libraries = await Libraries.open({ dataFolder, clock: Date.now, watch: false, onTrouble });
    expect(libraries.list()).toMatchObject([{ available: false }]);
    expect(troubles).toMatchObject([{ code: 'storage', message: expect.stringContaining(dataFolder) }]);
    await libraries.close();
  });
});

test('a list of a newer studio is refused, a broken one is kept aside', async () => {
  const dataFolder = join(home, 'library');
  const list = join(dataFolder, 'libraries.json');
  mkdirSync(dataFolder);
  const newer = '{"schema":2,"libraries":[{"place":"elsewhere"}]}';
  writeFileSync(list, newer);
  const openLibraries = (): Promise<Libraries> =>
    Libraries.open({ dataFolder, clock: Date.now, watch: false });
  await expect(openLibraries()).rejects.toMatchObject({ code: 'storage' });
  expect(readFileSync(list, 'utf8')).toBe(newer);
  expect(existsSync(join(dataFolder, 'Heads'))).toBe(false);

  writeFileSync(list, '{"schema":1,"libraries":[{"id":"a"');
  const libraries = await openLibraries();
  expect(libraries.list()).toHaveLength(1);
  await libraries.close();
  const kept = readdirSync(dataFolder).filter((name) => /^libraries\.damaged-\w+\.json$/.test(name));
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(dataFolder, kept[0]!), 'utf8')).toBe('{"schema":1,"libraries":[{"id":"a"');
});

test('the command line tells a library that can’t be read from an empty one', async () => {
  const likeness = commandLine(() => ({ LIKENESS_HOME: home }));
  const library = join(home, 'library');
  expect(await likeness('library', 'list')).toEqual({ code: 0, out: '0 heads\n', error: '' });
  rmSync(library, { recursive: true });
  symlinkSync(join(home, 'away/library'), library);
  const error = `The library “library” in ${library} is not connected.\n`;
  expect(await likeness('library', 'list')).toEqual({ code: 0, out: '0 heads\n', error });
  expect(await likeness('library', 'search', 'ada', '--json')).toMatchObject({ code: 0, error });
  expect(await likeness('library', 'verify')).toMatchObject({ code: 1, error });
  const records = await likeness('library', 'records', '-o', join(home, 'records.csv'));
  expect(records).toMatchObject({ code: 0, error });
  const exported = await likeness('library', 'export', '--all', '-o', join(home, 'heads'));
  expect(exported).toMatchObject({ code: 1, error: `${error}No head was found.\n` });
});
