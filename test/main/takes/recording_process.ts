/**
 * Records a take into the folder it is given, at the pace of speech, until it is killed, or for so many
 * seconds. An expression is shown from its tenth of a second on. Says how much it was given, and at the end how
 * it went.
 */

import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { Takes } from '../../../main/takes/takes.ts';

const sampleRate = 48_000;
const blockSeconds = 0.02;

const takes = await Takes.open({
  folder: process.argv[2] ?? '',
  clock: Date.now,
  randomId: () => 'crash',
  speak: () => Promise.reject(new Error('nothing speaks here')),
  warn: (text) => console.error(text),
  onChanged: () => {},
});
const recorder = await takes.start({
  name: 'Cut off',
  notes: '',
  model: '',
  source: 'microphone',
  sampleRate,
  frameRate: 50,
  profileId: 'built-in',
  profileName: 'Built-in engine',
});
recorder.face({
  arrivedAt: 0,
  tier: 'local',
  message: encodeBareMessage({
    kind: 'header',
    traceId: 't',
    frameRate: 50,
    channelNames: ['jawOpen'],
    mesh: undefined,
  }),
});
const ends = Number(process.argv[3] ?? Number.POSITIVE_INFINITY);
const begun = performance.now();
for (let block = 0; block * blockSeconds < ends; block++) {
  const at = block * blockSeconds;
  const early = begun + at * 1000 - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  // Each block tells where it belongs.
  recorder.sound(new Float32Array(sampleRate * blockSeconds).fill((block % 100) / 100));
  recorder.face({
    arrivedAt: at,
    tier: 'local',
    message: encodeBareMessage({
      kind: 'frame',
      index: block,
      timeCode: at,
      weights: Float32Array.of((block % 100) / 100),
      headPose: undefined,
      eyeGaze: undefined,
      vertices: undefined,
    }),
  });
  if (block === 5) recorder.express({ at, expression: { name: 'Laugh', weights: { mouthSmileLeft: 1 } } });
  process.stdout.write(`${(block + 1) * blockSeconds}\n`);
}
const trouble = recorder.trouble();
const failure = await recorder.finish({ latency: null }).then(
  () => '',
  (error: unknown) => String(error),
);
process.stdout.write(
  `${JSON.stringify({ trouble, failure, takes: takes.list(), edits: await takes.edits.edits(recorder.id) })}\n`,
);
