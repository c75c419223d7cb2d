import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { facesOf, readArrivals, type TakeFace } from '@likeness/proto/take_stream.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AnalysisProgress } from '#contract';
import type { SpeechAnalyser } from '../../../main/takes/speech_analyser.ts';
import { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import { openTakes, recordTake, takeBeginning } from '../../support/recorded_takes.ts';

const word = (text: string, from: number, start: number, end: number): AlignedWord => ({
  text,
  from,
  to: from + text.length,
  language: 'en',
  start,
  end,
  confidence: 1,
  flag: null,
  pinned: false,
  phones: [{ phone: 'AH', start, end, confidence: 1 }],
});
const hello: SpeechAlignment = {
  verdict: 'aligned',
  words: [word('Hello', 0, 0.1, 0.5), word('there', 6, 0.5, 0.9)],
  unknown: [],
};
const script = { text: 'Hello there', language: 'en', fileName: '' } as const;

/** A face whose jaw says how it was made. */
const faceOf = (jaw: number, from = 0, to = 1): TakeFace => ({
  tier: 'afterwards',
  channelNames: ['jawOpen'],
  frameRate: 60,
  frames: Array.from({ length: 60 }, (_, k) => k / 60)
    .filter((timeCode) => timeCode >= from && timeCode < to)
    .map((timeCode, index) => ({
      kind: 'frame' as const,
      index,
      timeCode,
      weights: Float32Array.of(jaw),
      headPose: undefined,
      eyeGaze: undefined,
      vertices: undefined,
    })),
});

/** An engine that hears at once, and keeps what it heard until it forgets. */
function fakeEngine(more: Partial<SpeechAnalyser> = {}) {
  const kept = new Set<string>();
  const asked: string[] = [];
  const keep = (recording: string): void => {
    if (!kept.has(recording)) throw new Failure('not_found', t('recording.not_kept'));
  };
  const speech: SpeechAnalyser = {
    async hear(sound, { onProgress, noise = 'auto' }) {
      asked.push(noise === 'auto' ? 'hear' : `hear, noise ${noise}`);
      onProgress(0.5);
      const recording = `${sound} ${noise}`;
      kept.add(recording);
      return { recording };
    },
    async align({ recording }) {
      asked.push('align');
      keep(recording);
      return hello;
    },
    async face({ recording, alignment, jaw, from, to }) {
      asked.push(alignment ? 'face by words' : 'face');
      keep(recording);
      return faceOf(jaw / 2, from, to);
    },
    async streamedFace(order, signal) {
      const { frames, ...face } = await this.face({ ...order, from: 0, to: 1 }, signal);
      return {
        ...face,
        frames: (async function* () {
          yield* frames;
        })(),
      };
    },
    async forget(recording) {
      kept.delete(recording);
    },
    ...more,
  };
  return { speech, asked, kept, forget: () => kept.clear() };
}

async function studio(engine = fakeEngine(), folder = mkdtempSync(join(tmpdir(), 'likeness-hearing-'))) {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: AnalysisProgress[] = [];
  let wanted: (id: string) => void = () => {};
  let forgotten: (ids: readonly string[]) => void = () => {};
  const takes = await openTakes(folder, {
    onChanged: ({ removed }) => forgotten(removed),
    onRecorded: (id) => wanted(id),
  });
  const hearings = new TakeAnalysis({
    takes,
    speech: engine.speech,
    pronunciations: () => ({}),
    onProgress: (progress) => told.push(progress),
    warn: () => {},
  });
  wanted = (id) => void hearings.want(id);
  forgotten = (ids) => void hearings.forget(ids);
  const settled = (count = 1): Promise<unknown> =>
    vi.waitFor(() =>
      expect(told.filter(({ stage }) => ['done', 'failed', 'stopped'].includes(stage))).toHaveLength(count),
    );
  return { takes, hearings, told, settled, folder, engine };
}

const jawIn = (folder: string, id: string): number[] =>
  facesOf(readArrivals(readFileSync(join(folder, id, 'second.pb'))).arrivals)[0]!.frames.map(
    ({ weights }) => weights[0]!,
  );

describe('a recording that has ended', () => {
  test('is heard again by itself, and its second face is what is shown', async () => {
    const { takes, told, settled, folder } = await studio();
    const id = await recordTake(takes);
    await settled();
    expect(told.map(({ stage }) => stage)).toEqual(['waiting', 'analysing', 'making', 'done']);
    expect(takes.list()[0]).toMatchObject({ fullPass: 'done', shownFace: 'second' });
    expect(jawIn(folder, id)).toHaveLength(60);
    expect((await takes.faces(id))[0]!.frames).toHaveLength(60);
  });

  test('keeps its live face to go back to', async () => {
    const { takes, hearings, settled } = await studio();
    const id = await recordTake(takes);
    await settled();
    expect(await hearings.show(id, 'live')).toMatchObject({ shownFace: 'live' });
    expect(await takes.faces(id)).toEqual([]);
    await hearings.want(id);
    await settled(2);
    expect(takes.record(id).shownFace).toBe('live');
  });

  test('is heard anew where its noise is to be treated otherwise, and what was kept is dropped', async () => {
    const { takes, hearings, settled, engine } = await studio();
    const id = await recordTake(takes);
    await settled();
    await hearings.want(id);
    await settled(2);
    expect(engine.asked.filter((what) => what.startsWith('hear'))).toEqual(['hear']);
    expect(await hearings.setNoise(id, 'off')).toMatchObject({ noise: 'off' });
    await settled(3);
    expect(engine.asked.filter((what) => what.startsWith('hear'))).toEqual(['hear', 'hear, noise off']);
    expect([...engine.kept]).toEqual([expect.stringMatching(/ off$/)]);
    expect(takes.record(id)).toMatchObject({ noise: 'off', secondHearing: 'done' });
  });

  test('is told of and stays as it is where the engine fails', async () => {
    const failing = fakeEngine({ hear: () => Promise.reject(new Failure('storage', t('takes.gone'))) });
    const { takes, told, settled, hearings } = await studio(failing);
    const id = await recordTake(takes);
    await settled();
    expect(told.at(-1)).toMatchObject({ stage: 'failed', problem: t('takes.gone') });
    expect(takes.record(id)).toMatchObject({ secondHearing: 'failed', shownFace: 'live' });
    await expect(hearings.show(id, 'second')).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('words', () => {
  test('are aligned, kept, and make the face', async () => {
    const { takes, hearings, settled, engine } = await studio();
    const id = await recordTake(takes);
    await settled();
    await hearings.setScript(id, script);
    await settled(2);
    expect(await hearings.words(id)).toEqual(hello);
    expect(engine.asked.at(-1)).toBe('face by words');
    expect(takes.list()[0]!.script).toEqual({ language: 'en', fileName: '', characters: 11 });
    await hearings.setScript(id, { ...script, text: '  ' });
    await settled(3);
    expect(await hearings.words(id)).toBeNull();
    expect(takes.record(id).script).toBeNull();
  });

  test('that come with their sound are heard by the next studio where this one is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-hearing-'));
    // Nothing hears here: as though the studio were gone once the last sample is on disk, or before.
    const killed = await openTakes(folder);
    const recorded = await recordTake(killed, { source: 'file', script });
    const cut = await killed.start({ ...takeBeginning, source: 'file', script });
    cut.sound(new Float32Array(48_000));
    await vi.waitUntil(() => readFileSync(join(folder, cut.id, 'audio.wav')).length > 4 * 48_000);

    const { takes, hearings, settled } = await studio(fakeEngine(), folder);
    expect(takes.record(cut.id)).toMatchObject({ state: 'recovered', script });
    hearings.resume();
    await settled(2);
    for (const id of [recorded, cut.id]) {
      expect(await hearings.words(id)).toEqual(hello);
      expect(takes.record(id)).toMatchObject({ script, secondHearing: 'done' });
    }
    await cut.finish({ latency: null });
  });

  test('of another recording are told, and the face is made from the sound alone', async () => {
    const other = fakeEngine({ align: async () => ({ verdict: 'other_words', words: [], unknown: [] }) });
    const { takes, hearings, told, settled, engine } = await studio(other);
    const id = await recordTake(takes);
    await settled();
    await hearings.setScript(id, script);
    await settled(2);
    expect(inEnglish(told.at(-1)!.problem)).toMatch(/^The transcript does not match the audio/);
    expect(engine.asked.at(-1)).toBe('face');
    expect(takes.record(id).secondHearing).toBe('done');
  });

  test('that the engine refuses are told with its reason', async () => {
    const refusing = fakeEngine({
      align: () => Promise.reject(new Failure('unsupported', t('takes.no_such_word'))),
    });
    const { takes, hearings, told, settled } = await studio(refusing);
    const id = await recordTake(takes);
    await settled();
    await hearings.setScript(id, script);
    await settled(2);
    expect(told.at(-1)).toMatchObject({ stage: 'done', problem: t('takes.no_such_word') });
  });

  test('are moved by hand: the face follows there, is kept, and stays pinned when heard again', async () => {
    const pins: unknown[] = [];
    const engine = fakeEngine();
    const align = engine.speech.align.bind(engine.speech);
    engine.speech.align = (request, call) => {
      pins.push(...request.pinned);
      return align(request, call);
    };
    const { takes, hearings, settled, folder } = await studio(engine);
    const id = await recordTake(takes);
    await settled();
    await hearings.setScript(id, script);
    await settled(2);
    await takes.edit(id, { jaw: 1.5 });
    const moved = await hearings.moveWord(id, { index: 1, start: 0.6, end: 0.9 });
    expect(moved.alignment.words[1]).toMatchObject({ start: 0.6, end: 0.9, pinned: true });
    const part = facesOf(readArrivals(Buffer.from(moved.face, 'base64')).arrivals)[0]!;
    expect(part.frames[0]!.timeCode).toBeGreaterThanOrEqual(moved.from);
    await hearings.close();
    const jaws = jawIn(folder, id);
    expect(jaws).toHaveLength(60);
    expect([jaws[0], jaws[40]]).toEqual([0.5, 0.75]);
    expect((await hearings.words(id))!.words[1]).toMatchObject({ start: 0.6, pinned: true });
    const next = await studio(engine, folder);
    await next.hearings.want(id);
    await next.settled();
    expect(pins).toEqual([{ index: 1, start: 0.6, end: 0.9 }]);
  });

  test('are moved back one move after the other, with neighbours that gave way, until heard again', async () => {
    const { takes, hearings, settled } = await studio();
    const id = await recordTake(takes);
    await settled();
    await hearings.setScript(id, script);
    await settled(2);
    const first = await hearings.moveWord(id, { index: 1, start: 0.4, end: 0.9 });
    expect(first.alignment.words[0]!.end).toBe(0.4);
    await hearings.moveWord(id, { index: 0, start: 0.2, end: 0.4 });
    expect((await hearings.undoMove(id))!.alignment).toEqual(first.alignment);
    const back = (await hearings.undoMove(id))!;
    expect(back.alignment).toEqual(hello);
    expect(
      facesOf(readArrivals(Buffer.from(back.face, 'base64')).arrivals)[0]!.frames.length,
    ).toBeGreaterThan(0);
    expect(await hearings.undoMove(id)).toBeNull();
    await hearings.moveWord(id, { index: 0, start: 0.2, end: 0.4 });
    await hearings.want(id);
    await settled(3);
    expect(await hearings.undoMove(id)).toBeNull();
  });

  test('can’t be moved where there are none', async () => {
    const { takes, hearings, settled } = await studio();
    const id = await recordTake(takes);
    await settled();
    await expect(hearings.moveWord(id, { index: 0, start: 0, end: 1 })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

test('words of a number, which is not written as it is said, hold and stay pinned', async () => {
  const spoken = { ...word('three', 0, 0.1, 0.5), to: 2 };
  const pins: unknown[] = [];
  const engine = fakeEngine();
  engine.speech.align = async ({ pinned }) => {
    pins.push(...pinned);
    return { ...hello, words: [spoken] };
  };
  const { takes, hearings, settled } = await studio(engine);
  const id = await recordTake(takes);
  await settled();
  await hearings.setScript(id, { ...script, text: '$3' });
  await settled(2);
  expect(await hearings.wordsInScript(id)).toMatchObject({ script: '$3', alignment: { words: [spoken] } });
  await hearings.moveWord(id, { index: 0, start: 0.2, end: 0.6 });
  await hearings.want(id);
  await settled(3);
  expect(pins).toEqual([{ index: 0, start: 0.2, end: 0.6 }]);
  // Another script, whose words were not looked for yet.
  await takes.edit(id, { script: { ...script, text: '$4' } });
  expect(await hearings.wordsInScript(id)).toBeNull();
});

describe('the queue', () => {
  test('hears anew what the engine no longer keeps', async () => {
    const { takes, hearings, settled, engine } = await studio();
    const id = await recordTake(takes);
    await settled();
    engine.forget();
    await hearings.setDials(id, { jaw: 2, lips: 1 });
    await settled(2);
    expect(engine.asked).toEqual(['hear', 'face', 'face', 'hear', 'face']);
  });

  test('is stopped, and goes on after the studio ended', async () => {
    const engine = fakeEngine({ hear: (_, { signal }) => untilAborted(signal) });
    const first = await studio(engine);
    const id = await recordTake(first.takes);
    await vi.waitFor(() => expect(first.hearings.list()).toHaveLength(1));
    await first.hearings.close();
    expect(first.takes.record(id).secondHearing).toBe('wanted');

    const second = await studio(fakeEngine(), first.folder);
    second.hearings.resume();
    await second.settled();
    expect(existsSync(join(first.folder, id, 'second.pb'))).toBe(true);
  });

  test('forgets one that is stopped', async () => {
    const { takes, hearings, told } = await studio(
      fakeEngine({ hear: (_, { signal }) => untilAborted(signal) }),
    );
    const id = await recordTake(takes);
    await vi.waitFor(() => expect(hearings.list()).toHaveLength(1));
    await hearings.stop(id);
    expect(told.at(-1)!.stage).toBe('stopped');
    expect(hearings.list()).toEqual([]);
    expect(takes.record(id)).toMatchObject({ secondHearing: 'none', shownFace: 'live' });
  });

  test('has the engine keep nothing of a take that is erased, and hears nothing more of it', async () => {
    const engine = fakeEngine();
    const { takes, settled, told, hearings } = await studio(engine);
    const ids = [await recordTake(takes), await recordTake(takes)] as const;
    await settled(2);
    expect(engine.kept.size).toBe(2);
    await takes.erase([ids[0]]);
    await vi.waitFor(() => expect([...engine.kept].join()).not.toContain(ids[0]));
    expect([...engine.kept].join()).toContain(ids[1]);

    const hearing = await studio(fakeEngine({ hear: (_, { signal }) => untilAborted(signal) }));
    const id = await recordTake(hearing.takes);
    await vi.waitFor(() => expect(hearing.hearings.list()).toHaveLength(1));
    await hearing.takes.erase([id]);
    expect(hearing.hearings.list()).toEqual([]);
    expect(hearing.told.at(-1)).toMatchObject({ id, stage: 'stopped' });
    expect(told.filter(({ stage }) => stage === 'failed')).toEqual([]);
    expect(hearings.list()).toEqual([]);
  });

  test('takes one after the other', async () => {
    const { takes, settled, told } = await studio();
    const ids = [await recordTake(takes), await recordTake(takes)];
    await settled(2);
    expect(told.filter(({ stage }) => stage === 'done').map(({ id }) => id)).toEqual(ids);
  });
});

test('a take of before is read as one that was never heard again', async () => {
  const { takes, settled, folder } = await studio();
  const id = await recordTake(takes);
  await settled();
  const path = join(folder, id, 'take.json');
  const {
    script: _,
    secondHearing: __,
    shownFace: ___,
    jaw,
    lips,
    ...before
  } = JSON.parse(readFileSync(path, 'utf8'));
  expect([jaw, lips]).toEqual([1, 1]);
  writeFileSync(path, JSON.stringify(before));
  const again = await studio(fakeEngine(), folder);
  expect(again.takes.list()[0]).toMatchObject({ fullPass: 'none', shownFace: 'live', script: null });
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
