/**
 * Every format on one time base: a take whose mouth opens at its start and at its end, read back by other people's
 * readers where there are some, at each rate.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { type ExportRate, exportRates, frameRateOf, hertz } from '@likeness/proto/takes/frame_rates.ts';
import { parse as parseCaptions } from '@plussub/srt-vtt-parser';
import { parse as parseCsv } from 'csv-parse/sync';
import { validateBytes } from 'gltf-validator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeFormats } from '#contract';
import {
  exportTake,
  type TakeFormat,
  type TakeToExport,
  takeFileNames,
} from '../../../main/takes/export/take_export.ts';
import { readTextGrid } from '../../../main/takes/formats/text_grid.ts';
import { readVrma } from '../../support/heads/read_vrm.ts';
import { sized } from '../../support/sizes.ts';

vi.setConfig({ testTimeout: 240_000 });

/**
 * Seconds of the take at a rate. In 70 seconds a time base of 30 instead of 29.97, or of 60 instead of 59.94, is off by
 * more than a frame, and drop-frame time code has passed a minute; only in ten minutes has it passed a tenth.
 */
const secondsAt = (rate: ExportRate): number => sized(rate === '29.97' ? 600 : 70, 600);
/** When the mouth opens, seconds: once at the start, once at the end. */
const openedIn = (seconds: number) => [0.5, seconds - 0.8] as const;
const openFor = 0.3;
const names = [...arkitBlendshapeNames, ...oculusVisemeNames];

function faceOf(seconds: number): PlayableFace {
  const frameCount = seconds * 60 + 1;
  const isOpen = (time: number): boolean =>
    openedIn(seconds).some((at) => time >= at - 1e-6 && time < at + openFor - 1e-6);
  return {
    channelNames: names,
    frameRate: 60,
    serverShare: new Float32Array(frameCount),
    frames: Array.from({ length: frameCount }, (_, index) => {
      const weights = new Float32Array(names.length);
      if (isOpen(index / 60)) {
        weights[names.indexOf('jawOpen')] = 0.6;
        weights[names.indexOf('viseme_aa')] = 1;
      } else weights[names.indexOf('viseme_sil')] = 1;
      return {
        timeCode: index / 60,
        weights,
        headPose: { translation: [0, 0, 0.01], rotation: [0, Math.sin(0.1), 0, Math.cos(0.1)] },
        eyeGaze: { leftYaw: 0.1, leftPitch: 0.2, rightYaw: 0.1, rightPitch: 0.2 },
      };
    }),
  };
}
const script = 'Ah. Ah.';
const wordAt = (start: number, from: number): AlignedWord => ({
  text: 'Ah',
  from,
  to: from + 2,
  language: 'en',
  start,
  end: start + openFor,
  confidence: 1,
  flag: null,
  pinned: false,
  phones: [{ phone: 'AA', start, end: start + openFor, confidence: 1 }],
});
function takeOf(seconds: number): TakeToExport {
  const [first, last] = openedIn(seconds);
  return {
    name: 'Opened twice',
    createdAt: new Date(2026, 0, 1, 10, 0, 0).getTime(),
    face: faceOf(seconds),
    seconds,
    audio: Buffer.from('sound'),
    words: {
      script,
      alignment: { verdict: 'aligned', words: [wordAt(first, 0), wordAt(last, 4)], unknown: [] },
    },
    head: async () => readFileSync(join(import.meta.dirname, '../../../out/main/default-head.glb')),
  };
}

async function exported(
  formats: readonly TakeFormat[],
  rate: ExportRate,
): Promise<(ending: string) => Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-export-sync-'));
  const threads = createConvertThreads({
    entry: new URL('../../../packages/gltf/src/formats/convert_thread.ts', import.meta.url),
  });
  onTestFinished(async () => {
    await threads.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const take = takeOf(secondsAt(rate));
  const files = await exportTake(take, formats, folder, threads.convertTake, { rate });
  expect(files).toEqual(takeFileNames(take.name, formats));
  return (ending) => readFileSync(join(folder, `${take.name}.${ending}`));
}

/** Where values rise above a half of their most: the times that the mouth opened. */
function rises(values: readonly number[], timeOf: (index: number) => number): number[] {
  const half = values.reduce((max, value) => Math.max(max, value), 0) / 2;
  return values.flatMap((value, index) =>
    value > half && !((values[index - 1] ?? 0) > half) ? [timeOf(index)] : [],
  );
}

function expectInSync(times: readonly number[], rate: ExportRate): void {
  const frame = 1 / hertz(frameRateOf(rate, 60));
  const opened = openedIn(secondsAt(rate));
  expect(times).toHaveLength(opened.length);
  for (const [at, time] of times.entries())
    expect(Math.abs(time - opened[at]!)).toBeLessThanOrEqual(frame + 1e-4);
}

const expectLength = (count: number, rate: ExportRate): void =>
  expect(Math.abs(count / hertz(frameRateOf(rate, 60)) - secondsAt(rate))).toBeLessThanOrEqual(
    1 / hertz(frameRateOf(rate, 60)) + 1e-9,
  );

/** Seconds as Unreal's importer takes a Live Link Face time code: its frames by 60, or by 30 where none is beyond. */
function unrealSeconds(codes: readonly string[]): number[] {
  const parts = codes.map((code) => code.split(':').map(Number));
  const base = parts.some(([, , , frames = 0]) => frames >= 30) ? 60 : 30;
  return parts.map(([h = 0, m = 0, s = 0, frames = 0]) => h * 3600 + m * 60 + s + frames / base);
}

test.each(exportRates)(
  'tables, JSON and Moho at %s begin, end and open the mouth with the sound',
  async (rate) => {
    const file = await exported(['livelink', 'csv', 'jsonl', 'a2f', 'moho'], rate);
    const exact = hertz(frameRateOf(rate, 60));

    const rows = parseCsv<Record<string, string>>(file('csv'), { columns: true });
    expect(Object.keys(rows[0]!)).toHaveLength(63);
    expectLength(rows.length, rate);
    const times = unrealSeconds(rows.map(({ Timecode = '' }) => Timecode)).map((time) => time - 36_000);
    expect(times.every((time, index) => Math.abs(time - index / exact) < 1e-4)).toBe(true);
    expectInSync(
      rises(
        rows.map(({ JawOpen }) => Number(JawOpen)),
        (index) => times[index]!,
      ),
      rate,
    );

    const table = parseCsv<Record<string, string>>(file('face.csv'), { columns: true });
    expectLength(table.length, rate);
    expect(table.at(-1)!.frame).toBe(String(table.length - 1));
    expectInSync(
      rises(
        table.map(({ jawOpen }) => Number(jawOpen)),
        (index) => Number(table[index]!.time),
      ),
      rate,
    );
    expect(Number(table[9]!.headYaw)).toBeCloseTo((0.2 * 180) / Math.PI, 3);
    expect(Number(table[9]!.leftEyePitch)).toBeCloseTo((0.2 * 180) / Math.PI, 3);

    const [head, ...lines] = file('jsonl')
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const jaw = head.channelNames.indexOf('jawOpen');
    expectLength(lines.length, rate);
    expectInSync(
      rises(
        lines.map(({ weights }) => weights[jaw]),
        (index) => lines[index].time,
      ),
      rate,
    );

    const weights = JSON.parse(file('a2f.json').toString());
    expect(weights).toMatchObject({
      trackPath: 'Opened twice.wav',
      numPoses: 52,
      facsNames: arkitBlendshapeNames,
    });
    expect(weights.exportFps).toBeCloseTo(exact, 9);
    expect([weights.weightMat.length, weights.rotations.length, weights.translations.length]).toEqual(
      Array(3).fill(weights.numFrames),
    );
    expectLength(weights.numFrames, rate);
    const place = weights.facsNames.indexOf('jawOpen');
    expectInSync(
      rises(
        weights.weightMat.map((row: number[]) => row[place]),
        (index) => index / weights.exportFps,
      ),
      rate,
    );

    const [magic, ...changes] = file('dat').toString().trim().split('\n');
    expect(magic).toBe('MohoSwitch1');
    // Moho's grammar: a frame from 1, a blank, the name of a drawing; frames rise.
    for (const line of changes) expect(line).toMatch(/^[1-9]\d* (?:rest|AI|E|O|U|FV|L|MBP|WQ|etc)$/);
    const mouths = changes
      .map((line) => line.split(' '))
      .map(([frame, name]) => ({ frame: Number(frame), name }));
    expect(mouths.every(({ frame }, at) => at === 0 || frame > mouths[at - 1]!.frame)).toBe(true);
    expectInSync(
      mouths.filter(({ name }) => name === 'AI').map(({ frame }) => (frame - 1) / exact),
      rate,
    );
    expect(Math.abs((mouths.at(-1)!.frame - 1) / exact - secondsAt(rate))).toBeLessThanOrEqual(1 / exact);
  },
);

test('visemes, words and subtitles of ten minutes stand by the clock, whatever the rate', async () => {
  const file = await exported(['visemes', 'rhubarb', 'blair', 'textgrid', 'srt', 'vtt'], '29.97');
  const seconds = secondsAt('29.97');
  const opened = openedIn(seconds);
  const listed = (ending: string, mouth: string): number[] => {
    const lines = file(ending)
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines.at(-1)![0]).toBe('600.00');
    return lines.filter(([, name]) => name === mouth).map(([time]) => Number(time));
  };
  expect(listed('visemes.tsv', 'aa')).toEqual([...opened]);
  expect(listed('rhubarb.tsv', 'D')).toEqual([...opened]);
  expect(listed('blair.tsv', 'AI')).toEqual([...opened]);
  const tiers = readTextGrid(file('TextGrid').toString())!;
  for (const { intervals } of tiers) {
    expect(intervals.at(-1)!.end).toBe(seconds);
    expect(intervals.filter(({ label }) => label !== '').map(({ start }) => start)).toEqual([...opened]);
  }
  for (const ending of ['srt', 'vtt']) {
    const { entries } = parseCaptions(file(ending).toString());
    expect(entries.map(({ from }) => from / 1000)).toEqual([...opened]);
  }
});

test.each(['own', '24', '29.97'] as const)(
  'GLB and VRMA at %s begin, end and open the mouth with the sound, by the validator and other readers',
  async (rate) => {
    const file = await exported(['glb', 'vrma'], rate);
    const glb = file('glb');
    expect((await validateBytes(glb)).issues).toMatchObject({ numErrors: 0 });
    const document = await (await gltfIo()).readBinary(glb);
    const [animation] = document.getRoot().listAnimations();
    const skin = animation!.listChannels().find((channel) => {
      const targets = channel.getTargetNode()?.getMesh()?.getExtras().targetNames;
      return channel.getTargetPath() === 'weights' && Array.isArray(targets) && targets.includes('jawOpen');
    })!;
    const targets = skin.getTargetNode()!.getMesh()!.getExtras().targetNames as string[];
    const times = skin.getSampler()!.getInput()!.getArray()!;
    const values = skin.getSampler()!.getOutput()!.getArray()!;
    const jaw = Array.from(times, (_, row) => values[row * targets.length + targets.indexOf('jawOpen')]!);
    expectLength(times.length, rate);
    expectInSync(
      rises(jaw, (index) => times[index]!),
      rate,
    );

    const vrma = file('vrma');
    expect((await validateBytes(vrma)).issues).toMatchObject({ numErrors: 0 });
    const track = (await readVrma(vrma)).expressionTracks.custom.get('jawOpen')!;
    expectLength(track.times.length, rate);
    expectInSync(
      rises([...track.values], (index) => track.times[index]!),
      rate,
    );
  },
);

test('every format has a test of its sync', () => {
  const tested = [
    'livelink',
    'csv',
    'jsonl',
    'a2f',
    'moho',
    'visemes',
    'rhubarb',
    'blair',
    'textgrid',
    'srt',
    'vtt',
  ];
  // FBX: test/readers/take_files.test.ts, in Blender.
  expect([...tested, 'glb', 'vrma', 'fbx'].toSorted()).toEqual([...takeFormats].toSorted());
});
