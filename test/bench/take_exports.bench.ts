/** A minute and ten minutes of a face as the files that are texts, to the disk, at its own rate and another. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import type { ExportRate } from '@likeness/proto/takes/frame_rates.ts';
import { exportTake, type TakeFormat } from '../../main/takes/export/take_export.ts';
import { report } from './limits.ts';

const frameRate = 60;
const channelNames = [...arkitBlendshapeNames, ...oculusVisemeNames];

/** Every channel in motion all the time, with a mouth that shuts. */
function faceOf(seconds: number): PlayableFace {
  const count = seconds * frameRate + 1;
  return {
    channelNames,
    frameRate,
    serverShare: new Float32Array(count),
    frames: Array.from({ length: count }, (_, frame) => ({
      timeCode: frame / frameRate,
      weights: Float32Array.from(channelNames, (__, k) => 0.5 + 0.5 * Math.sin(frame * (0.05 + 0.01 * k))),
      headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(frame / 500), 0, Math.cos(frame / 500)] },
      eyeGaze: { leftYaw: 0.1, leftPitch: 0, rightYaw: 0.1, rightPitch: 0 },
    })),
  };
}

/** Milliseconds. */
async function written(
  face: PlayableFace,
  format: TakeFormat,
  rate: ExportRate,
  seconds: number,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-bench-'));
  const take = {
    name: 'Bench',
    createdAt: 0,
    face,
    seconds,
    words: null,
    audio: new Uint8Array(1),
    head: () => Promise.reject(new Error('no head is needed')),
  };
  const begin = performance.now();
  await exportTake(take, [format], folder, () => Promise.reject(new Error('no thread is needed')), { rate });
  const took = performance.now() - begin;
  await rm(folder, { recursive: true });
  return took;
}

const minute = faceOf(60);
for (const [format, rate, limit] of [
  ['livelink', 'own', 300],
  ['livelink', '29.97', 300],
  ['csv', 'own', 300],
  ['jsonl', 'own', 600],
  ['a2f', 'own', 600],
] as const) {
  const samples: number[] = [];
  for (let run = 0; run < 5; run += 1) samples.push(await written(minute, format, rate, 60));
  const name = `60 s as ${format} at ${rate}, P50`;
  report({ name, value: percentile(samples, 0.5), unit: 'ms', limit, kind: 'most' });
}
const long = faceOf(600);
for (const format of ['livelink', 'csv'] as const) {
  const milliseconds = await written(long, format, '24', 600);
  console.log(`600 s as ${format} at 24: ${(milliseconds / 1000).toFixed(1)} s`);
}
