/** How long the speech engine takes for 20 ms of a microphone, and whether it stays as small as it began. */

import { percentile } from '@likeness/proto/percentile.ts';
import { loadSpeechModel, SpeechFace } from '@likeness/speech';
import { report } from './limits.ts';

const rate = 48_000;
const block = 960;
const minutes = 30;
const face = new SpeechFace(loadSpeechModel(), { sampleRate: rate, channels: 1 });

let state = 7;
const noise = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2147483648 - 1;
};
/** Ten seconds of something that rises and falls like speech. */
const sound = Float32Array.from({ length: rate * 10 }, (_, i) => {
  const t = i / rate;
  const loud = Math.max(0, Math.sin(2 * Math.PI * 2.3 * t)) * Number(t % 3 < 2.2);
  return (
    0.2 * loud * (Math.sin(2 * Math.PI * 140 * t) + 0.5 * Math.sin(2 * Math.PI * 910 * t) + 0.2 * noise())
  );
});

const times: number[] = [];
let frames = 0;
let early = 0;
const blocks = (minutes * 60 * rate) / block;
for (let k = 0; k < blocks; k++) {
  const from = (k * block) % (sound.length - block);
  const before = performance.now();
  frames += face.push(sound.subarray(from, from + block)).length;
  times.push(performance.now() - before);
  if (k === 3000) {
    globalThis.gc?.();
    early = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  }
}
frames += face.end().length;
globalThis.gc?.();
const late = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - times.length * 8;

const settled = times.slice(500);
report({
  name: 'solve of a 20 ms block, P50',
  value: percentile(settled, 0.5),
  unit: 'ms',
  limit: 1,
  kind: 'most',
});
report({
  name: 'solve of a 20 ms block, P95',
  value: percentile(settled, 0.95),
  unit: 'ms',
  limit: 2,
  kind: 'most',
});
report({
  name: 'real-time factor, resampling to frames',
  value: times.reduce((sum, x) => sum + x, 0) / (minutes * 60_000),
  unit: '',
  limit: 0.03,
  kind: 'most',
});
report({
  name: 'memory after 30 minutes',
  value: (late - early) / 1e6,
  unit: 'MB more',
  limit: 2,
  kind: 'most',
});
report({
  name: 'frames missing of 30 minutes',
  value: Math.abs(frames - minutes * 60 * 60),
  unit: 'frames',
  limit: 0,
  kind: 'most',
});
