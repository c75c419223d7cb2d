/** FBX and USDZ of the studio's own head, and of the same with a take of ten minutes in it. */
import type { Document } from '@gltf-transform/core';
import { writeFbx } from '@likeness/gltf/formats/fbx/write_fbx.ts';
import { writeUsdz } from '@likeness/gltf/formats/usdz/write_usdz.ts';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { defaultHead } from '@likeness/synthetic-heads';
import { report } from './limits.ts';

const rate = 60;
const minutes = 10;

/** Every shape in motion all the time: no curve is still, and none repeats. */
function addTake(document: Document): void {
  const frames = minutes * 60 * rate;
  const buffer = document.getRoot().listBuffers()[0]!;
  const accessor = (values: Float32Array<ArrayBuffer>) =>
    document.createAccessor().setType('SCALAR').setArray(values).setBuffer(buffer);
  const times = accessor(Float32Array.from({ length: frames }, (_, frame) => frame / rate));
  const animation = document.createAnimation('Ten minutes');
  for (const node of document.getRoot().listNodes()) {
    const count = node.getMesh()?.listPrimitives()[0]?.listTargets().length ?? 0;
    if (count === 0) continue;
    const values = new Float32Array(frames * count);
    for (let i = 0; i < values.length; i++)
      values[i] = 0.5 + 0.5 * Math.sin(Math.floor(i / count) * (0.01 + 0.003 * (i % count)));
    const sampler = document.createAnimationSampler().setInput(times).setOutput(accessor(values));
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('weights');
    animation.addSampler(sampler).addChannel(channel.setSampler(sampler));
  }
}

/** Milliseconds and bytes of a run, and how much memory it took beside what was there, MB. */
async function measured(write: (document: Document) => Promise<Uint8Array>, document: Document) {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let max = before;
  const watch = setInterval(() => {
    max = Math.max(max, process.memoryUsage().rss);
  }, 20);
  const begin = performance.now();
  const { length } = await write(document);
  const milliseconds = performance.now() - begin;
  clearInterval(watch);
  max = Math.max(max, process.memoryUsage().rss);
  return { milliseconds, megabytes: length / 1e6, memory: (max - before) / 1e6 };
}

const document = await (await gltfIo()).readBinary(await defaultHead());
for (const [name, write] of [
  ['FBX', writeFbx],
  ['USDZ', writeUsdz],
] as const) {
  const samples: number[] = [];
  let megabytes = 0;
  for (let run = 0; run < 5; run += 1) {
    const result = await measured(write, document);
    samples.push(result.milliseconds);
    megabytes = result.megabytes;
  }
  console.log(`${name} of a head: ${megabytes.toFixed(1)} MB`);
  report({
    name: `${name} of a head, P50`,
    value: percentile(samples, 0.5),
    unit: 'ms',
    limit: 2000,
    kind: 'most',
  });
}
addTake(document);
for (const [name, write] of [
  ['FBX', writeFbx],
  ['USDZ', writeUsdz],
] as const) {
  const { milliseconds, megabytes, memory } = await measured(write, document);
  console.log(
    `${name} with a take of ${minutes} minutes at ${rate} frames/s: ${(milliseconds / 1000).toFixed(1)} s, ${megabytes.toFixed(1)} MB, ${memory.toFixed(0)} MB of memory`,
  );
}
// The vision runtime keeps timers that would hold the process.
process.exit();
