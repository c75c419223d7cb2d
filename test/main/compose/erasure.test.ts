/**
 * The built studio with everything that it can know of a person, and what is left of it after an erasing:
 * every file of the data folder is searched, byte by byte.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { engineFiles } from '@likeness/engine/engine_folder.ts';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openConfFile } from '../../../main/connections/vault/secret_file.ts';
import { createTerminalShell } from '../../../main/shell/none/shell.ts';
import { createStudio, type Studio } from '../../../main/studio.ts';
import { Takes } from '../../../main/takes/takes.ts';
import { commandLine, spawnCommand } from '../../support/command_line.ts';
import { putModel } from '../../support/heads/heads.ts';
import { sharedPhoto } from '../../support/shared_heads.ts';

const root = join(import.meta.dirname, '../../..');
const person = 'Jane Q Unmistakable';
const words = [person, 'Unmistakable', 'xylotomy', 'consent of J. Q.', 'her voice'];

let home: string;
let photo: Uint8Array;
let studio: Studio;
/** The data folder as it was before the erasing, to be killed in the middle. */
let killed: {
  id: string;
  pieces: Buffer[];
  copy: string;
  /** In the data folder: its file, and the folder of a take with it. */
  glb: string;
  take: string;
};

const open = (): Promise<Studio> =>
  createStudio(createTerminalShell({ kind: 'browser', dataFolder: home, writeLine: () => {} }), {
    openSecretFile: openConfFile,
    pageOrigin: () => null,
    engineEntry: join(root, 'out/main/engine.js'),
    packageFile: join(root, 'package.json'),
    environment: {},
  });

/** Pieces of 64 bytes that occur in nothing else: with many different bytes. */
function piecesOf(bytes: Uint8Array): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 64 <= bytes.length; at += Math.max(64, Math.floor(bytes.length / 300))) {
    const piece = Buffer.from(bytes.subarray(at, at + 64));
    if (new Set(piece).size > 40) pieces.push(piece);
  }
  return pieces;
}

/** Files of the data folder in which something of the person is, by name or by content. */
function found(pieces: readonly Buffer[], folder = home): string[] {
  const wanted = [
    ...words.flatMap((word) => [Buffer.from(word, 'utf8'), Buffer.from(word, 'utf16le')]),
    ...pieces,
  ];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .filter(({ path, isFile }) => {
      const name = relative(folder, path);
      if (words.some((word) => name.includes(word))) return true;
      const bytes = isFile ? readFileSync(path) : Buffer.alloc(0);
      return wanted.some((piece) => bytes.includes(piece));
    })
    .map(({ path }) => relative(folder, path))
    .sort();
}

async function makeHead(): Promise<string> {
  const upload = join(home, 'temporary', 'uploads', 'upload');
  await mkdir(join(upload, '..'), { recursive: true });
  await writeFile(upload, photo);
  const dropId = studio.dropped.register({ path: upload, name: `${person}.png`, temporary: true });
  const { batch, library } = studio.handlers;
  await batch.addDropped({ dropIds: [dropId] });
  await studio.heads.importer.settled();
  const { photos } = await batch.photos({ offset: 0, limit: 10, filter: {} });
  const ids = photos.map(({ id }) => id);
  expect(photos).toMatchObject([{ name: person }]);
  await studio.asset('photo-small', ids[0] ?? '');
  await batch.tag({ selection: { ids }, set: { sex: 'female', tags: ['xylotomy'] } });
  await batch.submitImages({ selection: { ids }, profileId: 'built-in' });
  await vi.waitFor(
    async () => expect((await batch.imageTasks({ offset: 0, limit: 9 })).total).toBe(1),
    60_000,
  );
  await vi.waitFor(
    async () => expect((await batch.photo({ id: ids[0] ?? '' })).check).not.toBe('pending'),
    60_000,
  );
  const order = { selection: { ids }, profileId: 'built-in', libraryId: undefined, again: false };
  expect(await batch.start(order)).toMatchObject({ queued: 1 });
  await studio.heads.batch.idle();
  const { models } = await library.search({ query: {}, offset: 0, limit: 9 });
  expect(models).toHaveLength(1);
  return models[0]?.id ?? '';
}

/** A take with this head, as a live session leaves it. */
async function record(modelId: string): Promise<string> {
  const takes = await Takes.open({
    folder: prepareDataFolder(home).takesFolder,
    clock: Date.now,
    randomId: () => Math.random().toString(16).slice(2, 10),
    speak: () => Promise.reject(new Error('not now')),
    warn: () => {},
    onChanged: () => {},
  });
  const recorder = await takes.start({
    name: `${person} says hello`,
    notes: 'her voice',
    model: modelId,
    source: 'microphone',
    sampleRate: 48_000,
    frameRate: 60,
    profileId: 'built-in',
    profileName: 'Built-in engine',
  });
  recorder.sound(Float32Array.from({ length: 24_000 }, (_, at) => Math.sin(at / 20) / 2));
  return (await recorder.finish({ latency: null })).id;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-erasure-'));
  photo = await sharedPhoto('female');
});
afterAll(async () => {
  for (const folder of [home, ...(killed ? [killed.copy] : [])])
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function copyOf(folder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'likeness-erasure-copy-'));
  await cp(folder, copy, { recursive: true });
  return copy;
}

test('of an erased head nothing is found in the data folder, at once and after the next start', {
  timeout: 240_000,
}, async () => {
  studio = await open();
  const id = await makeHead();
  const takeIds = [await record(id), await record(id)];
  await studio.close();
  studio = await open();
  const { library, takes, takeExports, batch, journal } = studio.handlers;
  const selection = { ids: [id] };
  await library.edit({
    selection,
    changes: {
      notes: `xylotomy of ${person}`,
      addTags: ['xylotomy'],
      consent: { who: person, basis: 'consent of J. Q.', until: null },
    },
  });
  // The engine makes the faces of both.
  const missing = async (): Promise<number> =>
    (await takes.list(undefined)).reduce((sum, { missingSeconds }) => sum + missingSeconds, 0);
  await vi.waitFor(async () => expect(await missing()).toBe(0), 60_000);
  await library.exportModels({ selection, formats: ['zip'], names: 'as-is' });
  const exported = await takeExports.make({
    ids: [takeIds[0] ?? ''],
    formats: ['glb'],
    rate: 'own',
    fileName: '{name}',
    firstNumber: 1,
    modelId: id,
    as: 'files',
  });
  expect(exported.files.map(({ fileName }) => fileName)).toContain(`${person} says hello.glb`);
  await takes.trash({ id: takeIds[1] ?? '' });
  studio.report('library', new Error(`ENOSPC: no space left on device, write '/x/${person} 1234/model.glb'`));
  const glbFile = (await studio.asset('model', id)) ?? '';
  const glb = readFileSync(glbFile);
  // What a run that was killed leaves.
  const { temporaryFolder, engineFolder, takesFolder } = prepareDataFolder(home);
  await writeFile(join(temporaryFolder, 'uploads', 'left'), photo);
  await writeFile(join(temporaryFolder, 'exports', 'left.zip'), glb);
  await writeFile(join(engineFolder, '1', 'engine.sqlite.damaged-1'), person);

  const take = join(takesFolder, takeIds[0] ?? '');
  const voice = readFileSync(join(take, 'audio.wav'));
  const pieces = [...piecesOf(photo), ...piecesOf(glb), ...piecesOf(voice)];
  expect(pieces.length).toBeGreaterThan(200);
  expect(found(pieces).length).toBeGreaterThan(12);

  killed = {
    id,
    pieces,
    copy: await copyOf(home),
    glb: relative(home, glbFile),
    take: relative(home, take),
  };

  expect(await library.beforeErase({ selection })).toEqual({ heads: 1, takes: 1, trashedTakes: 1 });
  const receipt = await library.erase({ selection, takes: true });
  expect(found(pieces)).toEqual([]);
  expect(receipt).toMatchObject({ ids: [id], erased: 1, failed: 0, isFinished: true });
  const removed = Object.fromEntries(receipt.removed.map(({ what, count }) => [what, count]));
  expect(removed).toMatchObject({
    heads: 1,
    photos: 1,
    previews: 1,
    jobs: 1,
    image_tasks: 1,
    uploads: 1,
    takes: 2,
    log_names: 2,
  });
  expect(removed.exports).toBeGreaterThanOrEqual(4);
  expect(removed.engine).toBeGreaterThanOrEqual(3);
  expect(receipt.kept.map(({ what }) => what)).toEqual(['originals', 'journal', 'saved_exports', 'backups']);
  expect(JSON.stringify(receipt)).not.toContain('Unmistakable');
  expect((await batch.imageTasks({ offset: 0, limit: 9 })).tasks).toMatchObject([{ fileName: '–' }]);
  expect(await journal.verify(undefined)).toMatchObject({ ok: true });

  await studio.close();
  expect(found(pieces)).toEqual([]);
  studio = await open();
  expect((await studio.handlers.library.search({ query: {}, offset: 0, limit: 9 })).total).toBe(0);
  await studio.close();
  expect(found(pieces)).toEqual([]);
  expect(existsSync(join(home, 'erasing.json'))).toBe(false);
});

test.each<[string, (home: string) => boolean]>([
  ['at once', (home) => existsSync(join(home, 'erasing.json'))],
  ['when the head is gone', (home) => !existsSync(join(home, killed.glb))],
  ['when its take is gone', (home) => !existsSync(join(home, killed.take))],
])('one that is killed %s is finished by the next start', { timeout: 60_000 }, async (_, isReached) => {
  await rm(home, { recursive: true, force: true });
  await cp(killed.copy, home, { recursive: true });
  const intent = join(home, 'erasing.json');
  // Where the engine's database is in use, the erasing waits, and leaves the rest to the next start.
  const engine = new DatabaseSync(join(prepareDataFolder(home).engineFolder, '1', engineFiles.database));
  engine.exec('BEGIN IMMEDIATE');
  const erasing = spawnCommand(['library', 'erase', killed.id, '--takes', '--yes'], { LIKENESS_HOME: home });
  await vi.waitFor(() => expect(isReached(home)).toBe(true), { timeout: 30_000, interval: 1 });
  erasing.process.kill('SIGKILL');
  await erasing.ended;
  engine.close();
  expect(existsSync(intent)).toBe(true);
  expect((await commandLine(() => ({ LIKENESS_HOME: home }))('library', 'list')).out).toContain('0 heads');
  expect(existsSync(intent)).toBe(false);
  expect(found(killed.pieces)).toEqual([]);
});

test('the command line asks first, and prints a receipt that names nobody', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-erasure-cli-'));
  const likeness = commandLine(() => ({ LIKENESS_HOME: folder }));
  const libraryFolder = join(folder, 'library', 'Heads');
  await likeness('library', 'list');
  const { id } = await putModel(libraryFolder, { name: person });
  await likeness('library', 'list');
  expect((await likeness('library', 'erase', id)).out).toBe('');
  expect((await likeness('library', 'list')).out).toContain(person);
  const { out: receipt } = await likeness('library', 'erase', id, '--yes');
  expect(receipt).toContain(`1 head, with photo, picture and record\n`);
  expect(receipt).toContain(`Head ${id}`);
  expect(receipt).toContain('Backups');
  expect(receipt).not.toContain(person);
  expect(found([], folder)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});
