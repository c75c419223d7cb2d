/**
 * The engine's process with parts that cost nothing. Each step writes down that it has begun, and waits while the
 * test holds it: `GATES` names a folder in which a file `<step>-held` holds a step.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runEngineProcess } from '@likeness/engine/engine_process.ts';
import { encodeFrame } from '@likeness/proto/face_stream.ts';
import { makeGlb } from '../../fixtures/service/glb.ts';

const gates = process.env.GATES!;

async function gate(step: 'check' | 'head' | 'hear' | 'speak', signal?: AbortSignal): Promise<void> {
  writeFileSync(join(gates, `${step}-begun`), String(process.pid));
  while (existsSync(join(gates, `${step}-held`))) await setTimeout(20, undefined, { signal });
}

const channelNames = ['jawOpen'];

runEngineProcess({
  loadHeadMaker: async () => ({
    version: '1',
    parallel: 2,
    async makeHead({ signal }) {
      await gate('head', signal);
      return { glb: makeGlb() };
    },
    photos: {
      async check(_photo, crop, signal) {
        await gate('check', signal);
        return { width: 100, height: 100, face: crop, yaw: null, view: null, findings: [] };
      },
      outline: async () => ({ rings: [], score: 1, sure: true, cutOff: false }),
      crop: async (photo) => new Uint8Array(await readFile(photo)),
    },
    explain: () => null,
    yieldTo: () => {},
    close: async () => {},
  }),
  loadRecordingMaker: async () => ({
    channelNames,
    async hear({ into }, { signal }) {
      await gate('hear', signal);
      await writeFile(into, 'heard');
      return { seconds: 1, speech: 1 };
    },
    align: () => Promise.reject(new Error('no script is given here')),
    async face({ options: { frameRate, from = 0, to = 1 } }) {
      const count = Math.round((to - from) * frameRate);
      const frames = Array.from({ length: count }, (_, index) =>
        encodeFrame({ timeCode: from + index / frameRate, weights: Float32Array.of(0.5) }),
      );
      return { bytes: new Uint8Array(Buffer.concat(frames)), frames: count };
    },
    checkWords: async () => {},
    forget: async () => {},
    yieldTo: () => {},
    close: async () => {},
  }),
  loadFaceMaker: async () => ({
    channelNames,
    loadMesh: () => Promise.reject(new Error('no mesh is asked for here')),
    open({ sampleRate, frameRate }) {
      let samples = 0;
      let count = 0;
      writeFileSync(join(gates, 'speak-begun'), String(process.pid));
      const next = () => {
        count += 1;
        return { timeCode: count / frameRate, weights: Float32Array.of(0.5) };
      };
      return {
        push(pcm) {
          samples += pcm.length;
          const due = Math.floor((samples / sampleRate) * frameRate) - count;
          return Array.from({ length: due }, next);
        },
        end: () => [next()],
      };
    },
  }),
});
