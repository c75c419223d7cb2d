import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';
import { silence, vowel, vowels } from '../../../test/support/voice.ts';
import { joinedFloats } from '../src/joined_floats.ts';

it('the example prints the jaw of a voice, frame by frame', async () => {
  const folder = await exampleFolder();
  const samples = joinedFloats(silence(0.5), vowel(vowels.aa, 0.5), silence(0.5));
  await writeFile(join(folder, 'voice.wav'), encodeWav({ sampleRate: 16_000, samples }));
  const { stdout } = await runExample('packages/speech', folder);
  const [summary, ...lines] = stdout.trimEnd().split('\n');
  expect(summary).toBe('90 frames, 67 channels');
  const jaw = lines.map((line) => line.split(' ').map(Number) as [number, number]);
  expect(jaw).toHaveLength(90);
  const widest = (from: number, to: number): number =>
    Math.max(...jaw.filter(([time]) => time >= from && time < to).map(([, open]) => open));
  expect(widest(0.6, 0.9)).toBeGreaterThan(0.2);
  expect(widest(0, 0.3)).toBeLessThan(0.1);
});
