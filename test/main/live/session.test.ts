import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediately } from 'node:timers/promises';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { LiveFace } from '@likeness/proto/live/live_message.ts';
import { mergedFace } from '@likeness/proto/take_stream.ts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FarService, startFarService } from '../../fixtures/service/far_service.ts';
import type { TestEngine } from '../../support/service/engine_harness.ts';
import {
  buzz,
  type LiveStage,
  openLiveStage,
  type Page,
  type Remote,
  speak,
  startLiveEngine,
  until,
} from './live_stage.ts';

let sharedEngine: TestEngine;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-live-engine-'));
  sharedEngine = await startLiveEngine(folder);
  return async () => {
    await sharedEngine.kill();
    rmSync(folder, { recursive: true, force: true });
  };
});

async function setLiveStage(remote?: Remote): Promise<LiveStage> {
  const stage = await openLiveStage(remote, { engine: sharedEngine });
  onTestFinished(() => stage.close());
  return stage;
}

function framesOf(faces: readonly LiveFace[]): { timeCode: number; weights: Float32Array }[] {
  let decoder = new FaceStreamDecoder();
  const frames: { timeCode: number; weights: Float32Array }[] = [];
  for (const { kind, message } of faces) {
    if (kind === 'header') decoder = new FaceStreamDecoder();
    const read = decoder.accept(message);
    if (read.kind === 'frame') frames.push(read);
  }
  return frames;
}

describe('a live session with the built-in engine', () => {
  test('gives a face for each sixtieth of a second while one speaks', async () => {
    const stage = await setLiveStage();
    const page = stage.open();
    await until(() => page.reports.length > 0);
    await speak(page, buzz(1.5));
    await until(() => (framesOf(page.faces).at(-1)?.timeCode ?? 0) > 1.4);
    const frames = framesOf(page.faces);
    // From half a block on, so that what is certain with a block's end is in that block.
    for (const [index, { timeCode }] of frames.entries()) expect(timeCode).toBeCloseTo(0.005 + index / 60, 6);
    expect(page.faces.every(({ tier }) => tier === 'local')).toBe(true);
    page.close();
    await page.closed;
    // Fifty requests a second are one line in the journal.
    expect(stage.entries).toHaveLength(1);
    expect(stage.entries[0]).toMatchObject({ profileId: 'built-in', operation: 'audio_to_face' });
    expect(stage.entries[0]!.billedSeconds).toBeGreaterThan(1.3);
  });

  test('gives the same face for a file as for the same sound in one piece', async () => {
    const stage = await setLiveStage();
    const sound = buzz(2);
    const whole = stage.open({ source: 'file' });
    await until(() => whole.reports.length > 0);
    whole.say(sound);
    whole.order({ order: 'end' });
    await whole.closed;
    const inBlocks = stage.open({ source: 'file' });
    await until(() => inBlocks.reports.length > 0);
    for (let at = 0; at < sound.length; at += 48_000) inBlocks.say(sound.slice(at, at + 48_000));
    inBlocks.order({ order: 'end' });
    await inBlocks.closed;
    const [a, b] = [framesOf(whole.faces), framesOf(inBlocks.faces)];
    expect(a).toHaveLength(120);
    expect(b).toHaveLength(120);
    for (const [index, { weights }] of a.entries()) {
      for (const [channel, weight] of weights.entries()) {
        expect(Math.abs(weight - b[index]!.weights[channel]!)).toBeLessThan(0.02);
      }
    }
  });

  test('drops what is not wanted any more and goes on', async () => {
    const stage = await setLiveStage();
    // A file's sound is never dropped for coming too fast: what is missing was interrupted.
    const page = stage.open({ source: 'file' });
    await until(() => page.reports.length > 0);
    page.say(buzz(20));
    page.order({ order: 'interrupt' });
    page.say(buzz(0.5));
    page.order({ order: 'end' });
    await page.closed;
    const times = framesOf(page.faces).map(({ timeCode }) => timeCode);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // Of 20 s at most what was under way is answered; of what follows, all.
    expect(times.filter((time) => time < 20).length).toBeLessThan(5 * 60);
    expect(times.filter((time) => time >= 20)).toHaveLength(30);
  });
});

test('sessions say that the engine is gone: one can be closed, the other goes on with the next engine', async () => {
  const stage = await openLiveStage();
  onTestFinished(() => stage.close());
  const [closed, page] = [stage.open(), stage.open()];
  await until(() => closed.reports.length > 0 && page.reports.length > 0);
  await speak(page, buzz(0.4));
  await stage.engine.kill();
  await Promise.all([speak(closed, buzz(0.4), true), speak(page, buzz(0.4), true)]);
  for (const { reports } of [closed, page]) await until(() => reports.some(({ trouble }) => trouble !== ''));
  closed.close();
  await closed.closed;
  await stage.startEngineAgain();
  const told = page.faces.length;
  expect(await speakUntil(page, () => page.faces.length >= told + 30, buzz(0.4))).toBe(true);
  await until(() => page.reports.at(-1)!.trouble === '');
  page.close();
  await page.closed;
});

/** The voice goes on after an order to stop: the recording's last frames are certain with the sound after them. */
async function goOnSpeaking(page: Page): Promise<void> {
  await immediately();
  await speak(page, buzz(0.2));
}

describe('a recording', () => {
  test('holds sound and face on one clock', async () => {
    const stage = await setLiveStage();
    const page = stage.open();
    await until(() => page.reports.length > 0);
    await speak(page, buzz(0.4));
    const script = { text: 'Buzz', language: 'en', fileName: 'buzz.txt' } as const;
    page.order({ order: 'record', name: 'One', notes: 'n', model: '', script });
    await until(() => page.reports.at(-1)!.recording !== '');
    await speak(page, buzz(1));
    page.order({ order: 'stop_recording', latency: { p50: 40, p95: 60 } });
    await goOnSpeaking(page);
    await until(() => page.reports.at(-1)!.recorded !== '');
    const [take] = stage.takes.list();
    expect(take).toMatchObject({
      name: 'One',
      notes: 'n',
      recovered: false,
      tiers: ['local'],
      latency: { p95: 60 },
    });
    expect(stage.takes.record(take!.id)).toMatchObject({ script, secondHearing: 'wanted' });
    expect(take!.seconds).toBeCloseTo(1, 2);
    const [face] = await stage.takes.faces(take!.id);
    expect(face!.frames[0]!.timeCode).toBeLessThan(1 / 60);
    expect(face!.frames.at(-1)!.timeCode).toBeGreaterThan(0.95);
    page.close();
    await page.closed;
  });

  test('has the expressions that were shown, as blocks that can be moved', async () => {
    const stage = await setLiveStage();
    const page = stage.open();
    await until(() => page.reports.length > 0);
    const laugh = { name: 'Laugh', weights: { mouthSmileLeft: 1 } };
    page.order({ order: 'record', name: 'Merry', notes: '', model: '' });
    await until(() => page.reports.at(-1)!.recording !== '');
    await speak(page, buzz(0.5));
    page.order({ order: 'expression', expression: laugh });
    await speak(page, buzz(1));
    page.order({ order: 'expression', expression: null });
    await speak(page, buzz(0.5));
    // The session ends with the recording under way: as when a person presses Stop.
    page.close();
    await page.closed;
    const [take] = stage.takes.list();
    const { presets, expressions } = await stage.takes.edits.edits(take!.id);
    expect(presets).toEqual({ Laugh: laugh.weights });
    expect(expressions.map(({ preset, weight }) => [preset, weight])).toEqual([
      ['Laugh', 0],
      ['Laugh', 1],
      ['Laugh', 1],
      ['Laugh', 0],
    ]);
    expect(expressions[0]!.time).toBeCloseTo(0.5, 2);
    expect(expressions[2]!.time).toBeCloseTo(1.5, 2);
  });

  test('has its face made from the sound where the machine was too busy for it', async () => {
    const stage = await setLiveStage();
    const page = stage.open();
    await until(() => page.reports.length > 0);
    page.order({ order: 'record', name: 'Busy', notes: '', model: '' });
    await until(() => page.reports.at(-1)!.recording !== '');
    await speak(page, buzz(0.4));
    // What waits for over a second is given up: here three at once.
    page.say(buzz(3));
    await speak(page, buzz(0.6));
    page.order({ order: 'stop_recording', latency: null });
    await goOnSpeaking(page);
    await until(() => page.reports.at(-1)!.recorded !== '');
    await until(() => (stage.takes.list()[0]?.addedSeconds ?? 0) > 0);
    const [take] = stage.takes.list();
    expect(take!.addedSeconds).toBeGreaterThan(1.5);
    expect(take!.missingSeconds).toBe(0);
    const faces = await stage.takes.faces(take!.id);
    expect(faces.map(({ tier }) => tier)).toEqual(['local', 'afterwards']);
    const [, afterwards] = faces;
    for (const [index, { timeCode }] of afterwards!.frames.entries())
      expect(timeCode).toBeCloseTo(index / 60, 6);
    expect(afterwards!.frames.at(-1)!.timeCode).toBeGreaterThan(3.95);
    // The buzz opens the mouth in the part that was given up, too.
    const { channelNames, frames } = mergedFace(faces);
    const jaw = frames.map(({ weights }) => weights[channelNames.indexOf('jawOpen')]!);
    expect(Math.max(...jaw.slice(90, 150))).toBeGreaterThan(0.1);
    page.close();
    await page.closed;
  });

  test('is kept when the window is closed in the middle of it', async () => {
    const stage = await setLiveStage();
    const page = stage.open();
    await until(() => page.reports.length > 0);
    page.order({ order: 'record', name: 'Cut', notes: '', model: '' });
    await until(() => page.reports.at(-1)!.recording !== '');
    await speak(page, buzz(0.6));
    page.close();
    await page.closed;
    expect(stage.takes.list()[0]!.seconds).toBeCloseTo(0.6, 2);
  });
});

describe('a session with a server', () => {
  test('has both faces, marked, and is billed for the server alone', async () => {
    // The same engine, as a third party's server.
    const stage = await setLiveStage({ url: sharedEngine.url });
    const page = stage.open({ profileId: 'remote' });
    await until(() => page.reports.length > 0);
    await speak(page, buzz(1));
    await until(() => page.faces.some(({ tier, kind }) => tier === 'server' && kind === 'frame'));
    await until(() => page.reports.at(-1)!.server === 'live');
    page.close();
    await page.closed;
    expect(stage.entries.map(({ profileId }) => profileId).toSorted()).toEqual(['built-in', 'remote']);
  });

  test('goes on with the built-in face when the server does not answer', async () => {
    const stage = await setLiveStage({ url: 'http://127.0.0.1:9' });
    const page = stage.open({ profileId: 'remote' });
    await until(() => page.reports.length > 0);
    // The server's part begins when it was asked in vain, and is sent at a pause.
    const sound = Float32Array.of(...buzz(0.8), ...new Float32Array(19_200));
    expect(await speakUntil(page, () => page.reports.at(-1)!.server === 'gone', sound)).toBe(true);
    const told = ofTier(page, 'local').length;
    expect(await speakUntil(page, () => ofTier(page, 'local').length > told)).toBe(true);
    expect(page.reports.at(-1)!.trouble).not.toBe('');
    page.close();
    await page.closed;
  });
});

/** A session whose server is an engine behind a line that can be spoilt. */
async function farStage(): Promise<{ stage: LiveStage; far: FarService }> {
  const remote = { url: '' };
  const stage = await setLiveStage(remote);
  const far = await startFarService(sharedEngine.url);
  onTestFinished(() => far.close());
  remote.url = far.url;
  return { stage, far };
}
const ofTier = (page: Page, tier: 'local' | 'server') => page.faces.filter((face) => face.tier === tier);
/** Speaks until it holds; false when it did not within 25 seconds. */
async function speakUntil(page: Page, holds: () => boolean, sound = buzz(0.2)): Promise<boolean> {
  for (const end = Date.now() + 25_000; Date.now() < end && !holds(); ) await speak(page, sound);
  return holds();
}

describe('a server on a bad line', () => {
  test('is not waited for: the built-in face is there at once', async () => {
    const { stage, far } = await farStage();
    far.roundTrip = 60_000;
    const page = stage.open({ profileId: 'remote' });
    await until(() => page.reports.length > 0);
    expect(await speakUntil(page, () => ofTier(page, 'local').length > 30)).toBe(true);
    expect(page.reports.at(-1)!.server).toBe('waiting');
    page.close();
    await page.closed;
  });

  test('that was away when the session began is spoken to in a stream when it is back', async () => {
    const { stage, far } = await farStage();
    far.gone = true;
    const page = stage.open({ profileId: 'remote' });
    expect(await speakUntil(page, () => page.reports.at(-1)?.server === 'gone')).toBe(true);
    expect(page.reports.at(-1)!.trouble).not.toBe('');
    far.gone = false;
    // Speech without a pause: were it still taken for a server of whole utterances, its frames came every six
    // seconds.
    const mark = ofTier(page, 'server').length;
    expect(await speakUntil(page, () => ofTier(page, 'server').length > mark + 400)).toBe(true);
    expect(await speakUntil(page, () => page.reports.at(-1)!.server === 'live')).toBe(true);
    expect(page.reports.at(-1)!.trouble).toBe('');
    const local = framesOf(ofTier(page, 'local')).map(({ timeCode }) => timeCode);
    const server = framesOf(ofTier(page, 'server')).map(({ timeCode }) => timeCode);
    expect(server).toEqual(server.toSorted((a, b) => a - b));
    // Both count from the session's first sample.
    expect(Math.abs(server.at(-1)! - local.at(-1)!)).toBeLessThan(1);
    page.close();
    await page.closed;
  });

  test('that dies under way leaves the face to the built-in engine, and comes back', async () => {
    const { stage, far } = await farStage();
    const page = stage.open({ profileId: 'remote' });
    expect(await speakUntil(page, () => page.reports.at(-1)?.server === 'live')).toBe(true);
    far.gone = true;
    expect(await speakUntil(page, () => page.reports.at(-1)!.server === 'gone')).toBe(true);
    const local = ofTier(page, 'local').length;
    expect(await speakUntil(page, () => ofTier(page, 'local').length > local + 60)).toBe(true);
    far.gone = false;
    const mark = ofTier(page, 'server').length;
    expect(await speakUntil(page, () => ofTier(page, 'server').length > mark + 30)).toBe(true);
    expect(await speakUntil(page, () => page.reports.at(-1)!.server === 'live')).toBe(true);
    page.close();
    await page.closed;
  });

  test('is said to be late, and its face still comes', async () => {
    const { stage, far } = await farStage();
    const page = stage.open({ profileId: 'remote' });
    expect(await speakUntil(page, () => page.reports.at(-1)?.server === 'live')).toBe(true);
    far.roundTrip = 1800;
    expect(await speakUntil(page, () => page.reports.at(-1)!.server === 'late')).toBe(true);
    page.close();
    await page.closed;
  });

  test.each([
    [
      'sends frames twice',
      (all: Uint8Array[]) => all.flatMap((one, i) => (i > 0 && i < all.length - 1 ? [one, one] : [one])),
    ],
    [
      'sends frames in disorder',
      (all: Uint8Array[]) => [all[0]!, ...all.slice(1, -1).toReversed(), all.at(-1)!],
    ],
  ])('that %s never turns time back, and the face goes on', async (_, garble) => {
    const { stage, far } = await farStage();
    far.garble = garble;
    const page = stage.open({ profileId: 'remote' });
    await until(() => page.reports.length > 0);
    await speak(page, buzz(2));
    await until(() => (framesOf(ofTier(page, 'local')).at(-1)?.timeCode ?? 0) > 1.8);
    const times = framesOf(ofTier(page, 'server')).map(({ timeCode }) => timeCode);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    // What does not follow the stream's rules is told, or its frames that are new are taken.
    expect(times.length > 0 || page.reports.some(({ server }) => server === 'gone')).toBe(true);
    page.close();
    await page.closed;
  });
});

test('the rest of the studio is told while any session is open, and when the last one has ended', async () => {
  const stage = await setLiveStage();
  const [one, two] = [stage.open(), stage.open()];
  await until(() => one.reports.length > 0 && two.reports.length > 0);
  expect(stage.speaking).toEqual([true]);
  one.close();
  await one.closed;
  expect(stage.speaking).toEqual([true]);
  two.close();
  await two.closed;
  expect(stage.speaking).toEqual([true, false]);
});
