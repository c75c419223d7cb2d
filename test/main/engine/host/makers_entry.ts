/**
 * The engine's process with parts that compute something quick and predictable in place of heads and
 * faces. What it does is steered by the order itself, so that a test needs no second channel:
 * eyelid type 1 with sex 0: a photo at fault; eyelid type 2 with sex 0: the process dies a moment later.
 */

import { setTimeout } from 'node:timers/promises';
import { runEngineProcess } from '../../../../main/engine/engine_process.ts';
import type { HeadMaker, HeadOrder } from '../../../../main/engine/models/head_maker.ts';

class PhotoAtFault extends Error {}

const headMaker: HeadMaker = {
  version: process.env.TEST_VERSION ?? '1',
  parallel: 2,
  async makeHead({ photo, sex, eyelidType, corrections, anyway, onStage, signal }: HeadOrder) {
    if (sex === 0 && eyelidType === 2) void setTimeout(300).then(() => process.kill(process.pid, 'SIGKILL'));
    onStage?.('landmarks', 0.25);
    await setTimeout(Number(process.env.TEST_MILLISECONDS ?? 50), undefined, { signal });
    if (sex === 0 && eyelidType === 1) throw new PhotoAtFault();
    const said = Buffer.from((corrections ? JSON.stringify(corrections) : '') + (anyway ? 'anyway' : ''));
    return Buffer.concat([Buffer.from('glTF'), Buffer.from(photo).reverse(), said, Buffer.alloc(5000, 7)]);
  },
  explain: (error) =>
    error instanceof PhotoAtFault ? { en: 'No face was found.', zh: '未检测到人脸。' } : null,
  yieldTo: (isSpeaking) => process.stdout.write(isSpeaking ? 'heads yield\n' : 'heads go on\n'),
  close: async () => {},
};

runEngineProcess({
  loadHeadMaker: async () => headMaker,
  loadFaceMaker: async () => ({
    channelNames: ['jawOpen', 'mouthClose'],
    loadMesh: async () => ({
      topology: { vertexCount: 3, triangleIndices: Uint32Array.of(0, 1, 2) },
      pose: ([jawOpen = 0]) => Float32Array.of(0, 0, 0, 1, 0, 0, 0, -jawOpen, 0),
    }),
    open({ sampleRate, channels, frameRate }) {
      const perFrame = (sampleRate / frameRate) * channels;
      let samples = 0;
      let frame = 0;
      let sum = 0;
      const next = () => {
        const weights = new Float32Array([sum / perFrame, 0]);
        sum = 0;
        frame += 1;
        return { timeCode: frame / frameRate, weights };
      };
      return {
        push(pcm) {
          const frames = [];
          for (const sample of pcm) {
            sum += Math.abs(sample);
            samples += 1;
            if (samples >= (frame + 1) * perFrame) frames.push(next());
          }
          return frames;
        },
        end: () => [next()],
      };
    },
  }),
});
