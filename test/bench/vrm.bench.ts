/** How long heads and takes take to leave the studio as VRM and under other names. */

import { builtInTable } from '@likeness/gltf/formats/names/built_in_tables.ts';
import { renameTargets } from '@likeness/gltf/formats/names/rename_targets.ts';
import { writeVrm } from '@likeness/gltf/formats/vrm/write_vrm.ts';
import { writeVrma } from '@likeness/gltf/formats/vrm/write_vrma.ts';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { defaultHead } from '@likeness/synthetic-heads/default_head.ts';
import { report } from './limits.ts';

const io = await gltfIo();
const glb = await defaultHead();
/** The shortest of three: the first also loads the writer. Seconds. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const before = performance.now();
    await work();
    times.push((performance.now() - before) / 1000);
  }
  return Math.min(...times);
}

for (const version of ['1.0', '0.x'] as const) {
  report({
    name: `a head as VRM ${version}, from its GLB`,
    value: await fastest(async () =>
      writeVrm(await io.readBinary(glb), { version, meta: { name: 'bench' } }),
    ),
    unit: 's',
    limit: 2,
    kind: 'most',
  });
}
report({
  name: 'a head’s shapes under MetaHuman’s names',
  value: await fastest(async () => renameTargets(await io.readBinary(glb), builtInTable('metahuman')!)),
  unit: 's',
  limit: 2,
  kind: 'most',
});
const minutes = 10;
const frames = Array.from({ length: minutes * 60 * 60 }, (_, n) => ({
  timeCode: n / 60,
  weights: Float32Array.from(arkitBlendshapeNames, (_, channel) => Math.abs(Math.sin(n / 50 + channel))),
  headPose: {
    translation: [0, 0, 0] as const,
    rotation: [0, Math.sin(n / 999), 0, Math.cos(n / 999)] as const,
  },
  eyeGaze: { leftYaw: 0.1, rightYaw: 0.1, leftPitch: 0, rightPitch: 0 },
}));
let bytes = 0;
report({
  name: `a take of ${minutes} minutes at 60 frames a second as VRMA`,
  value: await fastest(async () => {
    bytes = (await writeVrma({ channelNames: arkitBlendshapeNames, frames }, { name: 'bench' })).length;
  }),
  unit: 's',
  limit: 2,
  kind: 'most',
});
report({ name: 'its size', value: bytes / 1e6, unit: 'MB', limit: 40, kind: 'most' });
