import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '#contract';
import { scoreCalls } from '../../../../main/takes/scorecard/score_calls.ts';
import { syllables } from '../../../fixtures/made_face.ts';
import { headGlb } from '../../../fixtures/studio/head_glb.ts';
import { defaultHeadGlb } from '../../../support/heads/default_head_glb.ts';
import { openTakes, takeBeginning } from '../../../support/recorded_takes.ts';

/** A take of six seconds: the jaw follows the hum 100 ms late; each frame comes 50 ms after its moment. */
async function recorded() {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-scored-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const takes = await openTakes(folder);
  const recorder = await takes.start(takeBeginning);
  recorder.sound(
    Float32Array.from({ length: 6 * 48_000 }, (_, at) => syllables(at / 48_000) * Math.sin(at / 40)),
  );
  const channelNames = [...arkitBlendshapeNames];
  const send = (message: Uint8Array, arrivedAt: number): void =>
    recorder.face({ arrivedAt, tier: 'local', message });
  send(encodeBareMessage({ kind: 'header', traceId: 't', frameRate: 60, channelNames, mesh: undefined }), 0);
  for (let index = 0; index < 360; index++) {
    const timeCode = index / 60;
    const jaw = syllables(timeCode - 0.1);
    const weights = Float32Array.from(channelNames, (name) => (name === 'jawOpen' ? jaw : 0));
    const pose = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
    send(encodeBareMessage({ kind: 'frame', index, timeCode, weights, ...pose }), timeCode + 0.05);
  }
  const { id } = await recorder.finish({ latency: { p50: 80, p95: 140 } });
  return { takes, id };
}

const analysis = { wordsInScript: async () => null } as never;

test('a recorded take is scored on a head, and saved for other programs', async () => {
  const { takes, id } = await recorded();
  const calls = scoreCalls({ takes, analysis, head: () => defaultHeadGlb() });
  const card = contract.takes.calls.score.out.parse(await calls.score({ id, modelId: null }));
  const figure = (key: string) => card.figures.find((one) => one.key === key)!;
  expect(Math.abs(figure('jawLag').value! - 100)).toBeLessThan(6);
  expect(inEnglish(figure('jawLag').text)).toMatch(/^\d+ ms after it$/);
  expect(figure('closures').value).toBe(1);
  expect(figure('missing').value).toBe(0);
  expect(inEnglish(figure('late').text)).toBe('0 of 360; P50 50 ms, P95 50 ms');
  expect(inEnglish(figure('offset').text)).toBe('P50 80 ms, P95 140 ms');
  expect(figure('range').value).toBe(1);
  expect(inEnglish(figure('peaks').text)).toBe('No edits: all peaks are kept.');
  expect(card.figures.every(({ meaning }) => inEnglish(meaning).endsWith('.'))).toBe(true);
  expect(card.channels).toHaveLength(52);

  const json = await calls.exportScore({ id, modelId: null, format: 'json' });
  expect(json.fileName).toBe('Hello.score.json');
  expect(JSON.parse(json.text)).toMatchObject({ format: 'likeness-score', id, figures: { length: 10 } });
  const csv = await calls.exportScore({ id, modelId: null, format: 'csv' });
  expect(csv.text.split('\r\n').filter((line) => line.startsWith('missing,0,count,'))).toHaveLength(1);
  expect(csv.text).toContain('\r\njawOpen,0,');
});

test('on a head without a mouth to measure, that figure says so and the others stand', async () => {
  const { takes, id } = await recorded();
  const heads = [() => Promise.resolve(Buffer.from(headGlb())), () => Promise.reject(new Error('gone'))];
  for (const head of heads) {
    const { figures } = await scoreCalls({ takes, analysis, head }).score({ id, modelId: null });
    const closures = figures.find(({ key }) => key === 'closures')!;
    expect([closures.value, inEnglish(closures.text)]).toEqual([
      null,
      expect.stringContaining('can’t be measured'),
    ]);
    expect(figures.filter(({ value }) => value !== null).length).toBeGreaterThan(6);
  }
});

test('a face of a file has no frames that came late', async () => {
  const { takes, id } = await recorded();
  await takes.edit(id, { source: 'file' });
  const { figures } = await scoreCalls({ takes, analysis, head: () => defaultHeadGlb() }).score({
    id,
    modelId: null,
  });
  expect(figures.find(({ key }) => key === 'late')!.value).toBeNull();
});
