/** The whole studio over an engine that is killed, hangs or is restarted: all work finishes by itself, once. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { decodeToPage, encodeSound } from '@likeness/proto/live/live_message.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { builtInProfileId, type StudioStream } from '#contract';
import { runCommand } from '../../../main/commands/run_command.ts';
import { openConfFile } from '../../../main/connections/vault/secret_file.ts';
import { forkNode } from '../../../main/shell/none/child_process.ts';
import { createTerminalShell } from '../../../main/shell/none/shell.ts';
import { createStudio, type Studio } from '../../../main/studio.ts';
import { openTakes, recordTake } from '../../support/recorded_takes.ts';
import { picture } from '../../support/service/engine_harness.ts';

type Step = 'check' | 'head' | 'hear' | 'speak';

const root = join(import.meta.dirname, '../../..');
const entry = join(import.meta.dirname, 'held_makers_entry.ts');
let home: string;
let gates: string;
let studio: Studio;
let pid: number;
/** A take that was recorded before. */
let take: string;
let photoCount = 0;

const hold = (step: Step): void => writeFileSync(join(gates, `${step}-held`), '');
const release = (step: Step): void => rmSync(join(gates, `${step}-held`));
const begun = (step: Step): Promise<void> =>
  vi.waitFor(() => expect(readFileSync(join(gates, `${step}-begun`), 'utf8')).toBe(String(pid)), {
    timeout: 60_000,
    interval: 20,
  });
const kill = (): void => void process.kill(pid, 'SIGKILL');

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-engine-restart-'));
  gates = join(home, 'gates');
  mkdirSync(gates);
  const takes = await openTakes(prepareDataFolder(join(home, 'data')).takesFolder);
  take = await recordTake(takes);
  studio = await createStudio(
    createTerminalShell({
      kind: 'browser',
      dataFolder: join(home, 'data'),
      writeLine: () => {},
      fork(_entry, options) {
        const child = forkNode(entry, { ...options, env: { ...options.env, GATES: gates } });
        pid = child.pid!;
        return child;
      },
    }),
    {
      openSecretFile: openConfFile,
      pageOrigin: () => null,
      engineEntry: join(root, 'out/main/engine.js'),
      packageFile: join(root, 'package.json'),
      environment: {},
    },
  );
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});
beforeEach(() => {
  for (const step of ['check', 'head', 'hear', 'speak'] as const)
    for (const mark of ['begun', 'held']) rmSync(join(gates, `${step}-${mark}`), { force: true });
});

/** Takes new photos in. @returns their ids */
async function addPhotos(count: number): Promise<string[]> {
  const { batch } = studio.handlers;
  const dropIds: string[] = [];
  for (let at = 0; at < count; at += 1) {
    photoCount += 1;
    const name = `photo-${photoCount}.png`;
    const path = join(home, name);
    writeFileSync(path, await picture(photoCount));
    dropIds.push(studio.dropped.register({ path, name, temporary: false }));
  }
  await batch.addDropped({ dropIds });
  await studio.heads.importer.settled();
  const { photos } = await batch.photos({ offset: 0, limit: 100, filter: {} });
  const ids = photos.filter(({ sex }) => sex === null).map(({ id }) => id);
  expect(ids).toHaveLength(count);
  await batch.tag({ selection: { ids }, set: { sex: 'female' } });
  return ids;
}
const isChecked = (id: string): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await studio.handlers.batch.photo({ id })).toMatchObject({ check: 'ok', findings: [] }),
    { timeout: 10_000, interval: 20 },
  );
async function order(ids: string[]): Promise<void> {
  const asked = { selection: { ids }, profileId: builtInProfileId, libraryId: undefined, again: false };
  expect(await studio.handlers.batch.start(asked)).toMatchObject({ queued: ids.length });
}
/** Waits until the queue is empty. */
async function expectHeads(count: number): Promise<void> {
  await studio.heads.batch.idle();
  const { jobs } = await studio.handlers.batch.jobs({ offset: 0, limit: 100, states: [] });
  expect(jobs.map(({ state, message }) => [state, message])).toEqual(Array(count).fill(['done', '']));
}

test('killed while it checks a photo', async () => {
  hold('check');
  const [id = ''] = await addPhotos(1);
  await begun('check');
  kill();
  release('check');
  await isChecked(id);
  await order([id]);
  await expectHeads(1);
});

test('killed while it makes a head, and again between two photos', async () => {
  const ids = await addPhotos(3);
  hold('head');
  await order(ids.slice(0, 2));
  await begun('head');
  kill();
  release('head');
  await expectHeads(3);
  kill();
  await order(ids.slice(2));
  await expectHeads(4);
});

test('restarted by the person while jobs wait', async () => {
  const ids = await addPhotos(2);
  hold('head');
  await order(ids);
  await begun('head');
  const restarted = studio.handlers.engine.restart(undefined);
  release('head');
  expect(await restarted).toMatchObject({ state: 'running', restarts: 0 });
  await expectHeads(6);
});

test('killed while idle: a new photo is made', async () => {
  kill();
  await vi.waitFor(() => expect(studio.engineStatus()).toMatchObject({ state: 'running', restarts: 1 }), {
    timeout: 60_000,
  });
  const ids = await addPhotos(1);
  await order(ids);
  await expectHeads(7);
});

test('killed during the second analysis of a take', async () => {
  const { takes } = studio.handlers;
  hold('hear');
  await takes.reanalyse({ id: take });
  await begun('hear');
  kill();
  release('hear');
  await vi.waitFor(async () => expect(await takes.take({ id: take })).toMatchObject({ fullPass: 'done' }), {
    timeout: 10_000,
  });
});

test('killed while somebody speaks: the live face goes on', async () => {
  let listener: (bytes: Uint8Array) => void = () => {};
  let close: () => void = () => {};
  const faces: number[] = [];
  const stream: StudioStream = {
    send(bytes) {
      if (decodeToPage(bytes)?.kind !== 'report') faces.push(pid);
    },
    onMessage: (listen) => {
      listener = listen;
    },
    onClose: (closer) => {
      close = closer;
    },
    close: () => close(),
  };
  const closed = Promise.resolve(
    studio.handlers.live.open(
      {
        profileId: builtInProfileId,
        sampleRate: 48_000,
        frameRate: 60,
        lookahead: 20,
        suppressNoise: false,
        source: 'microphone',
      },
      stream,
    ),
  );
  let firstSample = 0;
  const speaking = setInterval(() => {
    const samples = new Float32Array(960);
    listener(encodeSound({ capturedAt: Date.now(), firstSample, samples }));
    firstSample += samples.length;
  }, 20);
  const facesOf = (process: number): Promise<void> =>
    vi.waitFor(() => expect(faces.filter((made) => made === process).length).toBeGreaterThan(5), {
      timeout: 60_000,
    });
  const before = pid;
  await facesOf(before);
  kill();
  await vi.waitFor(() => expect(pid).not.toBe(before), { timeout: 10_000 });
  await facesOf(pid);
  clearInterval(speaking);
  close();
  await closed;
});

test('killed during `likeness batch` in a pipe: one line says that it was started again', async () => {
  const folder = join(home, 'folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'piped.png'), await picture(200));
  let out = '';
  let error = '';
  hold('head');
  const command = runCommand(['batch', folder, '--sex', 'female'], {
    terminal: {
      out: (text) => (out += text),
      error: (text) => (error += text),
      environment: { LANG: 'en_US.UTF-8' },
    },
    version: '1',
    engineOptions: {},
    cwd: home,
    signal: new AbortController().signal,
    inOpenStudio: true,
    async withStudio(action) {
      await action(studio);
      return null;
    },
  });
  await begun('head');
  kill();
  release('head');
  expect(await command).toBe(0);
  expect(out).toContain('1 done');
  // Where the restart takes long, the queue also says that it waits.
  expect(error.match(/^The engine on this machine ended and was restarted\.$/gm)).toHaveLength(1);
});

test('everything was ordered, made and billed once', async () => {
  const entries: { operation: string; billedModels: number }[] = [];
  let text = '';
  for await (const piece of studio.exportJournal('jsonl')) text += piece;
  for (const line of text.split('\n').filter(Boolean)) entries.push(JSON.parse(line));
  const billed = entries.filter(({ billedModels }) => billedModels > 0);
  expect(billed.map(({ operation }) => operation)).toEqual(Array(8).fill('generate_model'));
  const { models } = await studio.handlers.library.search({ query: {}, offset: 0, limit: 100 });
  expect(models).toHaveLength(8);
  await studio.close();
  const { engineFolder } = prepareDataFolder(join(home, 'data'));
  expect(existsSync(join(engineFolder, '2'))).toBe(false);
  const database = new DatabaseSync(join(engineFolder, '1/engine.sqlite'), { readOnly: true });
  expect(database.prepare('SELECT count(*) AS n FROM model').get()).toMatchObject({ n: 8 });
  database.close();
});
