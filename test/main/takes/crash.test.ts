/**
 * A process that records is killed, as by a power cut for it: what it had been given is there, but for a
 * second.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';
import { openTakes } from '../../support/recorded_takes.ts';

/** Records for so many seconds, then kills. @returns seconds that the process had been given */
async function recordAndKill(folder: string, seconds: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'recording_process.ts'), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const gone = new Promise((resolve) => child.once('exit', resolve));
  let given = 0;
  for await (const text of child.stdout) {
    given = Number(String(text).trim().split('\n').at(-1));
    if (given >= seconds) break;
  }
  child.kill('SIGKILL');
  await gone;
  return given;
}

test.each([0.02, 0.3, 0.77, 1.4, 2.6])(
  'killed %d s into a recording',
  { timeout: 60_000 },
  async (seconds) => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-crash-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const given = await recordAndKill(folder, seconds);
    const warnings: string[] = [];
    const takes = await openTakes(folder, { warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([]);
    const [take, ...more] = takes.list();
    expect(more).toEqual([]);
    expect(take).toMatchObject({ name: 'Cut off', recovered: true });
    expect(take!.seconds).toBeGreaterThanOrEqual(given - 1);
    const { samples, sampleRate } = readWavSound(await takes.audio(take!.id));
    expect(samples.length / sampleRate).toBeCloseTo(take!.seconds, 6);
    // Whole, in order, nothing made up: each block is where it belongs.
    for (let block = 0; block * 960 < samples.length; block++)
      expect(samples[block * 960]).toBeCloseTo((block % 100) / 100, 5);
    const frames = (await takes.faces(take!.id))[0]?.frames ?? [];
    expect(frames.at(-1)?.timeCode ?? 0).toBeGreaterThanOrEqual(given - 1.02);
    for (const [index, frame] of frames.entries()) expect(frame.timeCode).toBeCloseTo(index * 0.02, 6);
    // What was shown from the tenth of a second on is a block up to the end; a second start adds nothing.
    const { expressions, presets } = await takes.edits.edits(take!.id);
    const first = given > 0.2 || expressions.length > 0 ? [{ time: 0.1, preset: 'Laugh', weight: 0 }] : [];
    expect(expressions.slice(0, 1)).toMatchObject(first);
    expect(Object.keys(presets)).toEqual(first.map(({ preset }) => preset));
    expect((await openTakes(folder).then((again) => again.edits.open(take!.id))).revision).toBe(
      expressions.length > 0 ? 1 : 0,
    );
  },
);

test.skipIf(process.platform === 'win32')('a disk that takes no more keeps what it took', () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const recording = join(import.meta.dirname, 'recording_process.ts');
  // No file may grow beyond 128 blocks of 512 bytes: a third of a second of sound.
  const said = execFileSync(
    '/bin/sh',
    ['-c', 'ulimit -f 128; exec "$@"', 'sh', process.execPath, '--no-warnings', recording, folder, '1'],
    { encoding: 'utf8' },
  );
  const { trouble, failure, takes, edits } = JSON.parse(said.trim().split('\n').at(-1)!);
  expect(trouble).not.toBe('');
  expect(failure).not.toBe('');
  expect(takes).toMatchObject([{ name: 'Cut off', recovered: true }]);
  expect(takes[0].seconds).toBeGreaterThan(0.25);
  expect(takes[0].seconds).toBeLessThan(0.35);
  expect(edits.expressions[0]).toMatchObject({ time: 0.1, preset: 'Laugh' });
});
