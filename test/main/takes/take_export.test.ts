/** Takes as other programs read them: three's FBX loader, pixiv's three-vrm-animation, the glTF validator. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import { writeFbx } from '@likeness/gltf/formats/fbx/write_fbx.ts';
import { readHead } from '@likeness/gltf/head_file.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { mergedFace, type PlayableFace } from '@likeness/proto/take_stream.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { parse as parseCaptions } from '@plussub/srt-vtt-parser';
import { parseBinary } from 'fbx-parser';
import { validateBytes } from 'gltf-validator';
import type { KeyframeTrack, SkinnedMesh } from 'three';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { takeFormats } from '#contract';
import { ExportedTakes } from '../../../main/takes/export/exported_takes.ts';
import {
  exportTake,
  type TakeFormat,
  type TakeWords,
  takeFileNames,
} from '../../../main/takes/export/take_export.ts';
import { takeExportCalls } from '../../../main/takes/export/take_export_calls.ts';
import { takeVisemes } from '../../../main/takes/formats/take_visemes.ts';
import { visemeName } from '../../../main/takes/formats/viseme_changes.ts';
import { readFbx } from '../../support/heads/read_fbx.ts';
import { readVrma } from '../../support/heads/read_vrm.ts';
import { waveTake } from '../../support/wave_take.ts';

vi.setConfig({ testTimeout: 120_000 });

const [rate, count] = [60, 91];
const face = waveTake(rate, count);
const script = 'Hello there, Bob.';
const spokenWord = (
  text: string,
  start: number,
  end: number,
  flag: AlignedWord['flag'] = null,
): AlignedWord => ({
  text,
  from: script.indexOf(text),
  to: script.indexOf(text) + text.length,
  language: 'en',
  start,
  end,
  confidence: 1,
  flag,
  pinned: false,
  phones: flag === 'left_out' ? [] : [{ phone: text === 'Bob' ? 'B' : 'AH', start, end, confidence: 1 }],
});
const words: TakeWords = {
  script,
  alignment: {
    verdict: 'aligned',
    words: [spokenWord('Hello', 0.2, 0.5), spokenWord('there', 0.5, 0.8), spokenWord('Bob', 1.1, 1.3)],
    unknown: [],
  },
};
const jaw = face.frames.map(({ weights }) => weights[arkitBlendshapeNames.indexOf('jawOpen')]!);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'likeness-take-export-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
const defaultHead = async (): Promise<Buffer> =>
  readFileSync(join(import.meta.dirname, '../../../out/main/default-head.glb'));
function threads() {
  const those = createConvertThreads({
    entry: new URL('../../../packages/gltf/src/formats/convert_thread.ts', import.meta.url),
  });
  onTestFinished(() => those.close());
  return those;
}

const take = { name: 'Hello', createdAt: 0, face, seconds: 1.5, words, audio: Buffer.from('sound') };

let readTaken: ReturnType<typeof readFbx> | undefined;
/** Its FBX as three's loader reads it. */
function takenFbx(): ReturnType<typeof readFbx> {
  readTaken ??= readFbx(readFileSync(join(exported, 'Hello.fbx')));
  return readTaken;
}

/** A folder with the take in every format. */
let exported = '';
beforeAll(async () => {
  exported = mkdtempSync(join(tmpdir(), 'likeness-take-exported-'));
  const those = createConvertThreads({
    entry: new URL('../../../packages/gltf/src/formats/convert_thread.ts', import.meta.url),
  });
  await exportTake({ ...take, head: defaultHead }, takeFormats, exported, those.convertTake);
  await those.close();
  return () => rmSync(exported, { recursive: true, force: true });
});

test('each form has an ending of its own, so that none is written over another', async () => {
  const names = takeFileNames('Hello', takeFormats);
  expect(new Set(names).size).toBe(names.length);
  expect(readdirSync(exported).sort()).toEqual(names.toSorted());
});

test('as FBX it is the head with the take: three’s loader has all shapes, and each weight within 1e-3', async () => {
  const root = takenFbx();
  const meshes: SkinnedMesh[] = [];
  root.traverse((object) => {
    if ('morphTargetDictionary' in object) meshes.push(object as SkinnedMesh);
  });
  const skin = meshes.find(({ morphTargetDictionary }) => morphTargetDictionary?.jawOpen !== undefined)!;
  const names = Object.keys(skin.morphTargetDictionary!);
  expect(names).toEqual([...arkitBlendshapeNames, ...oculusVisemeNames]);
  const [clip, ...others] = root.animations;
  expect(others).toEqual([]);
  expect(clip!.name).toBe('Hello');
  expect(clip!.duration).toBeCloseTo((count - 1) / rate, 5);
  const track = clip!.tracks.find(({ name }) =>
    name.endsWith(`.morphTargetInfluences[${names.indexOf('jawOpen')}]`),
  );
  const { times, values } = track as KeyframeTrack;
  expect(times).toHaveLength(count);
  for (const [frame, weight] of jaw.entries()) expect(Math.abs(values[frame]! - weight)).toBeLessThan(1e-3);
  expect(clip!.tracks.map(({ name }) => name)).toContain('Head.quaternion');
});

test('as FBX it has the places of the head’s own FBX by the same names, so that it plays on that too', async () => {
  const placesOf = (root: ReturnType<typeof readFbx>): string[] => {
    const places: string[] = [];
    root.traverse(({ name }) => places.push(name));
    return places;
  };
  const alone = await writeFbx(await readHead(await defaultHead()));
  expect(placesOf(takenFbx())).toEqual(placesOf(readFbx(alone)));
});

test('as FBX it has one stack and one layer for all that moves, as its own parser reads it', async () => {
  const file = parseBinary(readFileSync(join(exported, 'Hello.fbx')));
  const { nodes } = file.find(({ name }) => name === 'Objects')!;
  const counted = (kind: string): number => nodes.filter(({ name }) => name === kind).length;
  expect([counted('AnimationStack'), counted('AnimationLayer')]).toEqual([1, 1]);
  expect(counted('AnimationCurve')).toBeGreaterThan(arkitBlendshapeNames.length);
});

test('as VRMA it moves an avatar without a head of ours: pixiv’s reader has its weights and turns', async () => {
  const out = folder();
  const head = () => Promise.reject(new Error('no head is needed'));
  await exportTake({ ...take, head }, ['vrma'], out, threads().convertTake);
  const bytes = readFileSync(join(out, 'Hello.vrma'));
  expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  const animation = await readVrma(bytes);
  expect(animation.duration).toBeCloseTo((count - 1) / rate, 5);
  const { values } = animation.expressionTracks.custom.get('jawOpen')!;
  expect(values).toHaveLength(count);
  for (const [frame, weight] of jaw.entries()) expect(Math.abs(values[frame]! - weight)).toBeLessThan(1e-3);
  expect(animation.humanoidTracks.rotation.has('head')).toBe(true);
});

test('what can’t be made is told with its reason, and nothing is left half written', async () => {
  const out = folder();
  const wordless = { ...take, words: null, head: async () => Buffer.from('no head') };
  const { convertTake } = threads();
  await expect(exportTake(wordless, ['livelink', 'fbx'], out, convertTake)).rejects.toMatchObject({
    code: expect.stringMatching(/unsupported|invalid_input/),
    message: expect.stringMatching(/GLB/),
  });
  const empty = { ...wordless, face: { ...face, frames: [] }, head: defaultHead };
  for (const format of ['fbx', 'vrma'] as const)
    await expect(exportTake(empty, [format], out, convertTake)).rejects.toThrow('has no face');
  expect(readdirSync(out)).toEqual([]);
});

test('when a head is erased, what shows it goes: GLB and FBX, and nothing that is the take’s alone', async () => {
  const exports = new ExportedTakes(folder(), () => String(Math.random()).slice(2));
  const sound = join(folder(), 'audio.wav');
  writeFileSync(sound, encodeWav({ sampleRate: 48_000, samples: new Float32Array(72_000) }));
  const calls = takeExportCalls({
    takes: {
      list: () => [],
      record: (id: string) => ({ id, name: 'Hello', createdAt: 0, seconds: 1.5, frameRate: 60, model: '' }),
      folderOf: () => '',
      edits: { edits: async () => noEdits },
      playedFace: async () => mergedFace([]),
      file: async () => sound,
    } as never,
    analysis: { wordsInScript: async () => words } as never,
    head: defaultHead,
    drives: () => [],
    exports,
    convertTake: async () => Uint8Array.of(1),
    onProgress: () => undefined,
    clock: () => 0,
  });
  const order = {
    ids: ['take'],
    rate: 'own' as const,
    fileName: '{name}',
    firstNumber: 1,
    as: 'files' as const,
  };
  const kept: TakeFormat[] = [];
  const made = new Map<TakeFormat, string>();
  for (const format of takeFormats) {
    const { files } = await calls.make({ ...order, formats: [format], modelId: 'ada' });
    made.set(format, files[0]!.exportId);
  }
  await exports.erase({ takes: new Set(), models: new Set(['ada']) });
  for (const [format, id] of made) if (exports.file(id)) kept.push(format);
  expect(kept).toEqual(takeFormats.filter((format) => format !== 'glb' && format !== 'fbx'));
});

describe('what is made of the words', () => {
  const text = (name: string): string => readFileSync(join(exported, name), 'utf8');

  test('visemes begin at 0.00, change with the words, and end with the sound', () => {
    expect(text('Hello.visemes.tsv').split('\n')).toEqual([
      '0.00\tsil',
      '0.20\taa',
      '0.80\tsil',
      '1.10\tPP',
      '1.30\tsil',
      '1.50\tsil',
      '',
    ]);
  });

  test('subtitles have the script’s words and marks, as somebody else’s parser reads them', () => {
    for (const file of ['Hello.srt', 'Hello.vtt']) {
      const { entries } = parseCaptions(text(file));
      expect(entries.map(({ text }) => text)).toEqual([script]);
      expect(entries[0]).toMatchObject({ from: 200 });
    }
  });

  test('Rhubarb’s two files say the same', () => {
    const { metadata, mouthCues } = JSON.parse(text('Hello.rhubarb.json')) as {
      metadata: unknown;
      mouthCues: { start: number; value: string }[];
    };
    expect(metadata).toEqual({ soundFile: 'Hello.wav', duration: 1.5 });
    const lines = text('Hello.rhubarb.tsv').trim().split('\n');
    expect(lines.slice(0, -1)).toEqual(mouthCues.map(({ start, value }) => `${start.toFixed(2)}\t${value}`));
    expect(lines.at(-1)).toBe('1.50\tX');
  });

  test('without words it is said what to do, and nothing is written', async () => {
    const out = folder();
    const wordless = { ...take, words: null, head: defaultHead };
    const { convertTake } = threads();
    for (const format of ['textgrid', 'srt', 'vtt', 'visemes', 'rhubarb'] as const) {
      await expect(exportTake(wordless, ['jsonl', format], out, convertTake)).rejects.toMatchObject({
        code: 'unsupported',
        hint: expect.stringContaining('Add a transcript'),
      });
    }
    expect(readdirSync(out)).toEqual([]);
  });
});

describe('visemes of a take', () => {
  /** The mouth rounds all the time. */
  const rounded: PlayableFace = {
    channelNames: oculusVisemeNames,
    frameRate: 60,
    serverShare: new Float32Array(90),
    frames: Array.from({ length: 90 }, (_, index) => ({
      timeCode: index / 60,
      weights: Float32Array.from(oculusVisemeNames, (name) => (name === 'viseme_O' ? 0.5 : 0)),
      headPose: undefined,
      eyeGaze: undefined,
    })),
  };
  const changesOf = (alignment: SpeechAlignment | null): [number, string][] =>
    takeVisemes(rounded, alignment, 1.5)!.changes.map(({ seconds, viseme }) => [seconds, visemeName(viseme)]);

  test('come from the face where no words are known', () => {
    expect(changesOf(null)).toEqual([[0, 'O']]);
  });

  test('come from the face where the sound disagrees with the words, and around it', () => {
    const { alignment } = words;
    const [hello, there, bob] = alignment.words;
    const flagged = { ...alignment, words: [hello!, { ...there!, flag: 'changed' as const }, bob!] };
    expect(changesOf(flagged)).toEqual([
      [0, 'O'],
      [0.2, 'aa'],
      [0.5, 'O'],
      [1.1, 'PP'],
      [1.3, 'sil'],
    ]);
  });
});
