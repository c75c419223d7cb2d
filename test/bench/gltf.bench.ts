/**
 * Writing a head as GLB, and a take of ten minutes into one: time, and the memory that it needs at the peak.
 */

import { readHead, writeHead, writeWebHead } from '@likeness/gltf/head_file.ts';
import { addTake } from '@likeness/gltf/take_animation.ts';
import { writeGlb } from '@likeness/portrait/gltf/write_glb.ts';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { defaultHeadModel } from '@likeness/synthetic-heads/default_head.ts';
import { report } from './limits.ts';

const model = await defaultHeadModel();
let glb = await writeGlb(model);
const writes: number[] = [];
for (let round = 0; round < 9; round++) {
  const start = performance.now();
  glb = await writeGlb(model);
  writes.push(performance.now() - start);
}
report({ name: 'GLB of one head', value: percentile(writes, 0.5), unit: 'ms', limit: 150, kind: 'most' });
report({ name: 'its size', value: glb.byteLength / 1e6, unit: 'MB', limit: 3, kind: 'most' });
const web = await writeWebHead(await readHead(glb));
report({ name: 'its size for the web', value: web.byteLength / 1e6, unit: 'MB', limit: 1.6, kind: 'most' });

const [rate, seconds] = [60, 600];
const face: PlayableFace = {
  channelNames: arkitBlendshapeNames,
  frameRate: rate,
  serverShare: new Float32Array(rate * seconds),
  frames: Array.from({ length: rate * seconds }, (_, index) => ({
    timeCode: index / rate,
    weights: Float32Array.from(
      arkitBlendshapeNames,
      (_name, channel) => Math.sin(index / 9 + channel) / 2 + 0.5,
    ),
    headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(index / 90) / 9, 0, 1] },
    eyeGaze: undefined,
  })),
};
globalThis.gc?.();
const before = process.memoryUsage().rss;
let peak = 0;
const look = (): void => {
  peak = Math.max(peak, process.memoryUsage().rss - before);
};
const start = performance.now();
const document = await readHead(glb);
look();
addTake(document, face, 'Ten minutes');
look();
const written = await writeHead(document);
look();
report({
  name: 'GLB of a 10-minute take',
  value: (performance.now() - start) / 1000,
  unit: 's',
  limit: 2,
  kind: 'most',
});
report({ name: 'memory that it takes', value: peak / 1e6, unit: 'MB', limit: 300, kind: 'most' });
console.log(`  ${(written.byteLength / 1e6).toFixed(1)} MB`);
process.exit();
