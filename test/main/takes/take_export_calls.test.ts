/** Several takes at once: names, one archive, progress, stopping, and what is wrong with one of them. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@likeness/node-kit/failure.ts';
import { mergedFace, type TakeFace } from '@likeness/proto/take_stream.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { EventPayload } from '#contract';
import { ExportedTakes } from '../../../main/takes/export/exported_takes.ts';
import type { ConvertTake } from '../../../main/takes/export/take_export.ts';
import { takeExportCalls } from '../../../main/takes/export/take_export_calls.ts';
import { readZip } from '../../support/read_zip.ts';
import { waveTake } from '../../support/wave_take.ts';

type Progress = EventPayload<'takeExports', 'progress'>;

const recorded = Buffer.from(encodeWav({ sampleRate: 48_000, samples: new Float32Array(72_000) }));
const records = [
  { id: 'a', name: 'Hello', createdAt: 3000, seconds: 1.5, frameRate: 60, model: 'ada' },
  { id: 'b', name: 'Hello', createdAt: 1000, seconds: 1.5, frameRate: 60, model: '' },
  { id: 'c', name: 'No face', createdAt: 2000, seconds: 1.5, frameRate: 60, model: '' },
];

function room(
  convertTake: ConvertTake = async () => Uint8Array.of(1),
  played: Readonly<Record<string, number>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-exports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sound = join(folder, 'audio.wav');
  writeFileSync(sound, recorded);
  let number = 0;
  const exports = new ExportedTakes(folder, () => {
    number += 1;
    return `id${number}`;
  });
  const told: Progress[] = [];
  const heads: (string | null)[] = [];
  let now = 0;
  const { frames } = waveTake(60, 91);
  const face: TakeFace = {
    tier: 'local',
    channelNames: waveTake(60, 91).channelNames,
    frameRate: 60,
    frames: frames.map((frame, index) => ({ kind: 'frame', index, vertices: undefined, ...frame }) as never),
  };
  const calls = takeExportCalls({
    takes: {
      list: () => records,
      record(id: string) {
        const found = records.find((one) => one.id === id);
        if (!found) throw new Failure('not_found', 'gone');
        return found;
      },
      playedFace: async (id: string) => mergedFace(id === 'c' ? [] : [face]),
      file: async () => sound,
      folderOf: () => '',
      edits: { edits: async () => noEdits, open: async (id: string) => ({ seconds: played[id] ?? 1.5 }) },
    } as never,
    analysis: { wordsInScript: async () => null } as never,
    exports,
    head: async (modelId) => {
      heads.push(modelId);
      return Buffer.from('head');
    },
    drives: () => [],
    convertTake,
    onProgress: (progress) => told.push(progress),
    clock() {
      now += 1000;
      return now;
    },
  });
  return { calls, exports, told, heads, folder };
}

const order = {
  ids: ['a', 'b'],
  formats: ['csv', 'jsonl'],
  rate: '24',
  fileName: '{name}_{take}_{rate}_{number:2}',
  firstNumber: 1,
} as const;
const orderOf = (changes: object = {}) =>
  ({ ...order, ids: [...order.ids], formats: [...order.formats], ...changes }) as never;

test('names are made of the pattern, takes of one name counted by when they were recorded', async () => {
  const { calls } = room();
  const { files } = await calls.make(orderOf({ as: 'files' }));
  expect(files.map(({ fileName }) => fileName)).toEqual(
    ['Hello_2_24_01', 'Hello_1_24_02'].flatMap((name) => [
      `${name}.face.csv`,
      `${name}.jsonl`,
      `${name}.wav`,
    ]),
  );
  expect(await calls.preview(orderOf())).toEqual({
    fileNames: ['Hello_2_24_01.face.csv', 'Hello_2_24_01.jsonl', 'Hello_2_24_01.wav'],
    frames: 37,
    withoutWords: [],
  });
  expect(await calls.preview(orderOf({ formats: ['srt'] }))).toMatchObject({
    withoutWords: ['Hello', 'Hello'],
  });
  await expect(async () => calls.make(orderOf({ fileName: '{nome}', as: 'files' }))).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('frames are counted of what the take plays, not of what was recorded', async () => {
  const { calls } = room(undefined, { a: 0.5 });
  expect(await calls.preview(orderOf())).toMatchObject({ frames: 13 });
});

test('a part of a run names its takes among all of the run', async () => {
  const { calls } = room();
  const part = { fileName: '{number} {name}', formats: ['csv'], among: ['b', 'a'], as: 'files' };
  const { files } = await calls.make(orderOf({ ...part, ids: ['a'] }));
  expect(files.map(({ fileName }) => fileName)).toEqual(['2 Hello.face.csv', '2 Hello.wav']);
  const second = await calls.make(orderOf({ ...part, ids: ['a'], fileName: '{name}' }));
  expect(second.files.map(({ fileName }) => fileName)).toEqual(['Hello (2).face.csv', 'Hello (2).wav']);
});

test('takes that would have one name get numbers', async () => {
  const { calls } = room();
  const { files } = await calls.make(orderOf({ fileName: '{name}', formats: ['csv'], as: 'files' }));
  expect(files.map(({ fileName }) => fileName)).toEqual([
    'Hello.face.csv',
    'Hello.wav',
    'Hello (2).face.csv',
    'Hello (2).wav',
  ]);
});

test('one archive holds all, and the folder nothing else', async () => {
  const { calls, exports } = room();
  const { files, takes } = await calls.make(orderOf({ as: 'zip' }));
  expect([files.length, takes]).toEqual([1, 2]);
  const path = exports.file(files[0]!.exportId)!;
  expect(readdirSync(join(path, '..'))).toEqual([files[0]!.fileName]);
  const inside = readZip(readFileSync(path));
  expect([...inside.keys()].toSorted()).toEqual([
    'Hello_1_24_02.face.csv',
    'Hello_1_24_02.jsonl',
    'Hello_1_24_02.wav',
    'Hello_2_24_01.face.csv',
    'Hello_2_24_01.jsonl',
    'Hello_2_24_01.wav',
  ]);
  expect(inside.get('Hello_1_24_02.wav')).toEqual(recorded);
});

test('each take goes out on its own head, unless one is named', async () => {
  const { calls, heads } = room();
  await calls.make(orderOf({ formats: ['glb'], as: 'files' }));
  await calls.make(orderOf({ formats: ['glb'], modelId: 'eve', as: 'files' }));
  await calls.make(orderOf({ formats: ['glb'], modelId: null, as: 'files' }));
  expect(heads).toEqual(['ada', null, 'eve', 'eve', null, null]);
});

test('a take that can’t be exported is told by its name, and the others go on', async () => {
  const broken: ConvertTake = async (_, { face }) => {
    if (face.frames.length === 0) throw new Error('no face in it');
    return Uint8Array.of(1);
  };
  const { calls } = room(broken);
  const { takes, problems } = await calls.make(
    orderOf({ ids: ['a', 'c', 'b'], formats: ['vrma'], as: 'files' }),
  );
  expect(takes).toBe(2);
  expect(problems).toEqual([{ id: 'c', name: 'No face', problem: expect.anything() }]);
  await expect(async () =>
    calls.make(orderOf({ ids: ['c'], formats: ['vrma'], as: 'zip' })),
  ).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('progress counts takes and formats, and says how long the rest takes once that is known', async () => {
  const { calls, told } = room();
  await calls.make(orderOf({ as: 'files' }));
  expect(told[0]).toEqual({ done: 0, total: 4, name: 'Hello', secondsLeft: null });
  expect(told.at(-1)).toMatchObject({ done: 4, total: 4, secondsLeft: 0 });
  expect(told.filter(({ secondsLeft }) => secondsLeft !== null).length).toBeGreaterThan(1);
});

test('stopped in the middle it is told so, and nothing of it is left', async () => {
  let begun = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { calls, folder, exports } = room(
    (_, __, signal) =>
      new Promise((___, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        begun();
      }),
  );
  const made = Promise.resolve(calls.make(orderOf({ formats: ['csv', 'vrma'], as: 'zip' })));
  const caught = made.catch((error: unknown) => error);
  await waiting;
  await calls.cancel(undefined);
  expect(await caught).toMatchObject({ code: 'cancelled' });
  const all = join(folder, 'take-exports');
  expect(existsSync(all) ? readdirSync(all) : []).toEqual([]);
  expect(exports.file('id2')).toBeNull();
  // The next one is not stopped with it.
  expect(await calls.make(orderOf({ formats: ['csv'], as: 'files' }))).toMatchObject({ takes: 2 });
});

test('a full disk is told, and nothing half written is left', async () => {
  const { calls, folder } = room(async () => {
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  });
  await expect(async () =>
    calls.make(orderOf({ formats: ['csv', 'vrma'], as: 'zip' })),
  ).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/full|room/i),
  });
  const all = join(folder, 'take-exports');
  expect(existsSync(all) ? readdirSync(all) : []).toEqual([]);
});

test('what a take or a head is in goes when it is erased, and the rest of the same export stays', async () => {
  const { calls, exports } = room();
  const { files } = await calls.make(orderOf({ formats: ['glb'], as: 'files' }));
  await exports.erase({ takes: new Set(['b']), models: new Set() });
  expect(files.map(({ exportId }) => exports.file(exportId) !== null)).toEqual([true, true, false, false]);
  await exports.erase({ takes: new Set(), models: new Set(['ada']) });
  expect(files.map(({ exportId }) => exports.file(exportId))).toEqual([null, null, null, null]);
});
