/** What a person does with the studio and the service, as operations that a failing disk may interrupt. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '@likeness/journal/journal.ts';
import type { CallRecord } from '@likeness/journal/metered_call.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import type { ShownExpression } from '@likeness/proto/takes/performed_expressions.ts';
import { addKey, revokeKey } from '@likeness/service/keys/key_administration.ts';
import { readKeys } from '@likeness/service/keys/key_file.ts';
import { defaultScopes } from '@likeness/service/keys/service_key.ts';
import { KeyStore } from '../../../main/connections/vault/key_store.ts';
import { openConfFile } from '../../../main/connections/vault/secret_file.ts';
import { Libraries } from '../../../main/library/libraries.ts';
import { createModelEditing } from '../../../main/library/model/model_editing.ts';
import { importModel } from '../../../main/library/model/model_import.ts';
import { openSettings } from '../../../main/settings/settings.ts';
import { editsCalls } from '../../../main/takes/edits/edits_calls.ts';
import { exportTake } from '../../../main/takes/export/take_export.ts';
import { finishedTake } from '../../../main/takes/finished_take.ts';
import type { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import { takeId } from '../../../main/takes/take_record.ts';
import type { Takes } from '../../../main/takes/takes.ts';
import { makeGlb } from '../../fixtures/service/glb.ts';
import type { FaultedOperation } from '../../support/fault_sweep.ts';
import { openTakes, recordTake, takeBeginning } from '../../support/recorded_takes.ts';

/** All files but unfinished ones, which a break may leave: never under a final name. */
const filesOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => !/(^|\/)\.|\.part$/.test(name),
      )
    : [];

const call = (subject: string): CallRecord => ({
  profileId: 'p1',
  profileName: 'Cloud',
  operation: 'generate_model',
  subject,
  outcome: 'ok',
  httpStatus: 200,
  envelopeCode: 200,
  message: '',
  bytesSent: 1,
  bytesReceived: 1,
  firstByteMs: 1,
  totalMs: 1,
  billedSeconds: 0,
  billedFrames: 0,
  billedModels: 1,
  cost: 0.5,
  currency: 'USD',
});

const openJournal = (folder: string): Journal =>
  new Journal({
    folder: join(folder, 'journal'),
    clock: Date.now,
    scrub: (text) => text,
    onAppended: () => undefined,
    processId: 1,
    run: 'run',
    isProcessAlive: () => false,
  });

const journal: FaultedOperation = {
  name: 'journal append',
  async prepare(folder) {
    const opened = openJournal(folder);
    opened.append(call('before'));
    opened.close();
  },
  async work(folder) {
    const opened = openJournal(folder);
    try {
      opened.append(call('first'));
      await opened.shared.append(call('second'));
    } finally {
      opened.close();
    }
  },
  async check(folder, isDone) {
    const opened = openJournal(folder);
    try {
      const subjects: string[] = [];
      for await (const entries of opened.matching({}))
        subjects.push(...entries.map(({ subject }) => subject));
      const problems = opened.openLosses.map((loss) => `the journal reports a loss: ${loss}`);
      if (!(await opened.verify()).ok) problems.push('the chain does not verify');
      if (!subjects.includes('before')) problems.push('an entry of before is gone');
      if (isDone && !subjects.includes('second')) problems.push('an entry that was written is gone');
      return problems;
    } finally {
      opened.close();
    }
  },
};

const settingsIn = (folder: string) =>
  openSettings({ path: join(folder, 'settings.json'), clock: Date.now, systemLanguage: 'en' });

const settings: FaultedOperation = {
  name: 'settings',
  async prepare(folder) {
    mkdirSync(folder);
    await (await settingsIn(folder)).change({ theme: 'light' });
  },
  work: async (folder) => (await settingsIn(folder)).change({ theme: 'dark' }),
  async check(folder, isDone) {
    const { problem, get } = await settingsIn(folder);
    const { theme } = get();
    const problems = problem === null ? [] : ['the file counts as damaged'];
    if (theme !== 'dark' && (isDone || theme !== 'light')) problems.push(`the theme is ${theme}`);
    return problems;
  },
};

const keyStoreIn = (folder: string): Promise<KeyStore> =>
  KeyStore.open({
    folder: join(folder, 'keys'),
    openFile: openConfFile,
    system: {
      backend: async () => 'gnome_libsecret',
      encrypt: async (plain) => Buffer.from(plain).map((byte) => byte ^ 7),
      decrypt: async (sealed) => Buffer.from(sealed.map((byte) => byte ^ 7)).toString('utf8'),
    },
    clock: Date.now,
    know: () => {},
    scryptCost: { N: 2 ** 10, r: 8, p: 1 },
  });
const secret = (value: string) => ({ value, origin: 'https://api.example.com' });

const studioKey: FaultedOperation = {
  name: 'key change in the studio',
  async prepare(folder) {
    mkdirSync(folder);
    await (await keyStoreIn(folder)).set('p1', 'apiKey', secret('old-planted-secret'));
  },
  work: async (folder) => (await keyStoreIn(folder)).set('p1', 'apiKey', secret('new-planted-secret')),
  async check(folder, isDone) {
    const store = await keyStoreIn(folder);
    const value = (await store.get('p1', 'apiKey'))?.value;
    const { damaged } = await store.state();
    const problems = damaged.map(({ fileName }) => `${fileName} counts as damaged`);
    if (value !== 'new-planted-secret' && (isDone || value !== 'old-planted-secret'))
      problems.push(`the key is ${value}`);
    return problems;
  },
};

const newKey = (name: string) => ({
  name,
  tenant: name,
  groups: ['A' as const, 'B' as const],
  scopes: [...defaultScopes],
  expiresAt: null,
  caps: { seconds: null, frames: null, models: null },
  rate: { perSecond: 0, burst: 0 },
  atOnce: 1,
});

const serviceKey: FaultedOperation = {
  name: 'key change in the service',
  async prepare(folder) {
    mkdirSync(folder);
    await addKey(folder, newKey('ann'), 1);
  },
  async work(folder) {
    await addKey(folder, newKey('bob'), 2);
    await revokeKey(folder, 'ann', 3);
  },
  async check(folder, isDone) {
    const keys = await readKeys(folder);
    const isRevoked = keys.find(({ name }) => name === 'ann')?.revokedAt ?? null;
    const problems = keys.some(({ name }) => name === 'ann') ? [] : ['a key of before is gone'];
    if (isDone && (keys.length !== 2 || isRevoked === null)) problems.push('a change that was made is gone');
    await addKey(folder, newKey('later'), 4);
    return problems;
  },
};

const analysis = { wordsInScript: async () => null, stop: async () => undefined } as unknown as TakeAnalysis;
const noHead = (): Promise<never> => Promise.reject(new Error('none of these formats needs a head'));
/** The id that `openTakes` gives the first take. */
const onlyTake = takeId(1_700_000_000_000, 't1');
const takesIn = (folder: string, more = {}): Promise<Takes> => openTakes(join(folder, 'takes'), more);

/** A second of sound with a face. @param shown expression from its middle on */
async function recordFace(takes: Takes, name: string, shown: ShownExpression = null): Promise<string> {
  const recorder = await takes.start({ ...takeBeginning, name });
  recorder.sound(Float32Array.from({ length: 48_000 }, (_, at) => Math.sin(at / 9)));
  const face = (message: Parameters<typeof encodeBareMessage>[0]): void =>
    recorder.face({ arrivedAt: 0, tier: 'local', message: encodeBareMessage(message) });
  face({ kind: 'header', traceId: 't', frameRate: 60, channelNames: ['jawOpen'], mesh: undefined });
  const rest = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
  for (let index = 0; index < 60; index += 1)
    face({ kind: 'frame', index, timeCode: index / 60, weights: Float32Array.of(index / 60), ...rest });
  if (shown) recorder.express({ at: 0.5, expression: shown });
  return (await recorder.finish({ latency: null })).id;
}

const recording: FaultedOperation = {
  name: 'recording a take',
  async prepare(folder) {
    await recordTake(await takesIn(folder), { name: 'Before' });
  },
  async work(folder) {
    const takes = await takesIn(folder, { randomId: () => 'recorded' });
    await recordFace(takes, 'Recorded', { name: 'Laugh', weights: { mouthSmileLeft: 1 } });
  },
  async check(folder, isDone) {
    const takes = await takesIn(folder);
    const all = takes.list();
    const names = all.map(({ name }) => name);
    const problems = all.flatMap(({ name, damaged }) => (damaged ? [`“${name}” counts as damaged`] : []));
    if (!names.includes('Before')) problems.push('a take of before is gone');
    const recorded = all.find(({ name }) => name === 'Recorded');
    if (isDone && !recorded) problems.push('the recording is gone');
    const expressions = isDone && recorded ? (await takes.edits.edits(recorded.id)).expressions : null;
    if (expressions?.length === 0) problems.push('its expression is gone');
    return problems;
  },
};

const cut = { kind: 'pieces' as const, pieces: [{ from: 0.2, to: 0.8, speed: 1 }] };

const editing: FaultedOperation = {
  name: 'editing a take',
  async prepare(folder) {
    await recordFace(await takesIn(folder), 'Edited');
  },
  async work(folder) {
    const takes = await takesIn(folder);
    await editsCalls(takes, analysis).apply({ id: onlyTake, after: 0, operations: [cut] });
  },
  async check(folder, isDone) {
    const takes = await takesIn(folder);
    const { seconds, face } = await finishedTake(takes, analysis, onlyTake);
    const isWhole = seconds === 1 || Math.abs(seconds - 0.6) < 0.01;
    const problems = isWhole && face.frames.length > 30 ? [] : [`the take has ${seconds} s`];
    if (isDone && seconds === 1) problems.push('the edit is gone');
    return problems;
  },
};

const exportedFormats = ['csv', 'jsonl', 'livelink'] as const;

const exporting = (format: (typeof exportedFormats)[number]): FaultedOperation => {
  const write = async (folder: string, into: string): Promise<void> => {
    const takes = await takesIn(folder);
    const { record, ...take } = await finishedTake(takes, analysis, onlyTake);
    const { name, createdAt } = record;
    await exportTake({ ...take, name, createdAt, head: noHead }, [format], join(folder, into), noHead);
  };
  return {
    name: `exporting a take as ${format}`,
    async prepare(folder) {
      await recordFace(await takesIn(folder), 'Exported');
      await write(folder, 'whole');
    },
    work: (folder) => write(folder, 'out'),
    async check(folder, isDone) {
      const whole = filesOf(join(folder, 'whole'));
      const made = filesOf(join(folder, 'out'));
      const problems = made
        .filter(
          (name) =>
            !readFileSync(join(folder, 'out', name)).equals(readFileSync(join(folder, 'whole', name))),
        )
        .map((name) => `${name} is not whole`);
      if (isDone && made.length !== whole.length) problems.push(`${made.length} of ${whole.length} files`);
      return problems;
    },
  };
};

const openLibraries = (folder: string): Promise<Libraries> =>
  Libraries.open({ dataFolder: join(folder, 'library'), clock: Date.now, watch: false });

async function withLibraries<T>(folder: string, use: (libraries: Libraries) => Promise<T>): Promise<T> {
  const libraries = await openLibraries(folder);
  try {
    return await use(libraries);
  } finally {
    await libraries.close();
  }
}

const putHead = (folder: string, name: string): Promise<unknown> => {
  const path = join(folder, `${name}.glb`);
  writeFileSync(path, makeGlb());
  return withLibraries(folder, (libraries) => importModel(libraries, libraries.defaultId(), { path, name }));
};

/** The library's heads by name and state, in the trash as well. */
const heads = (libraries: Libraries): string[] =>
  [false, true].flatMap((trash) =>
    libraries
      .search({ trash }, 0, 10)
      .models.map(({ name, state }) =>
        state === 'ok' ? `${trash ? 'trashed ' : ''}${name}` : `${state} ${name}`,
      ),
  );

const checkHeads =
  (allowed: readonly string[], done: string) =>
  (folder: string, isDone: boolean): Promise<string[]> =>
    withLibraries(folder, async (libraries) => {
      const found = heads(libraries).toSorted().join(', ');
      const right = isDone ? [done] : [...allowed, done];
      return right.includes(found) ? [] : [`the library has ${found || 'nothing'}`];
    });

const importing: FaultedOperation = {
  name: 'import into the library',
  async prepare(folder) {
    mkdirSync(folder);
    await putHead(folder, 'Before');
    writeFileSync(join(folder, 'New.glb'), makeGlb());
  },
  work: (folder) =>
    withLibraries(folder, (libraries) =>
      importModel(libraries, libraries.defaultId(), { path: join(folder, 'New.glb'), name: 'New' }),
    ),
  check: checkHeads(['Before'], 'Before, New'),
};

const deleting: FaultedOperation = {
  name: 'delete and undo in the library',
  async prepare(folder) {
    mkdirSync(folder);
    await putHead(folder, 'Before');
  },
  work: (folder) =>
    withLibraries(folder, async (libraries) => {
      const editing = createModelEditing(libraries);
      await editing.trash(libraries.selected({ query: {} }));
      await editing.undo();
    }),
  check: checkHeads(['trashed Before'], 'Before'),
};

const moving: FaultedOperation = {
  name: 'library move',
  async prepare(folder) {
    mkdirSync(join(folder, 'elsewhere'), { recursive: true });
    await putHead(folder, 'Before');
  },
  work: (folder) =>
    withLibraries(folder, (libraries) => libraries.move(libraries.defaultId(), join(folder, 'elsewhere'))),
  check: checkHeads([], 'Before'),
};

/** Fast enough for every n. */
export const cheapOperations: readonly FaultedOperation[] = [journal, settings, serviceKey, studioKey];
export const takeOperations: readonly FaultedOperation[] = [
  recording,
  editing,
  ...exportedFormats.map(exporting),
];
export const libraryOperations: readonly FaultedOperation[] = [importing, deleting, moving];
