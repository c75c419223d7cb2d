/**
 * The engine's process with parts that compute something quick and predictable in place of heads and
 * faces. What it does is steered by the order itself, so that a test needs no second channel:
 * eyelid type 1 with sex 0: a photo at fault; eyelid type 2 with sex 0: the process dies a moment later;
 * a photo of less than ten bytes that is checked: the process dies at once.
 */

import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { runEngineProcess } from '@likeness/engine/engine_process.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import type { HeadMaker, HeadOrder } from '@likeness/engine/models/head_maker.ts';
import { cropped } from '@likeness/portrait/photo/photo.ts';

class PhotoAtFault extends Error {}

/** The photo of the last outline that is to be kept. */
let kept = '';

const headMaker: HeadMaker = {
  version: process.env.TEST_VERSION ?? '1',
  parallel: 2,
  async makeHead({
    photo,
    others = [],
    sex,
    eyelidType,
    corrections,
    options,
    anyway,
    preview,
    onStage,
    signal,
  }: HeadOrder) {
    if (sex === 0 && eyelidType === 2) void setTimeout(300).then(() => process.kill(process.pid, 'SIGKILL'));
    onStage?.('landmarks', 0.25);
    await setTimeout(Number(process.env.TEST_MILLISECONDS ?? 50), undefined, { signal });
    if (sex === 0 && eyelidType === 1) throw new PhotoAtFault();
    const said = Buffer.from(
      (corrections ? JSON.stringify(corrections) : '') +
        (options ? JSON.stringify(options) : '') +
        (anyway ? 'anyway' : '') +
        (preview ? 'preview' : ''),
    );
    const glb = Buffer.concat([
      Buffer.from('glTF'),
      Buffer.from(photo).reverse(),
      said,
      ...others,
      Buffer.alloc(5000, 7),
    ]);
    if (others.length === 0) return { glb };
    const reason = { en: 'No head.', zh: '没有头部。' };
    return {
      glb,
      photos: others.map((_, i) => ({
        index: i + 1,
        used: i === 0,
        ...(i > 0 && { reason }),
        view: 'left',
        yaw: 30,
      })),
    };
  },
  photos: {
    async check(photo, crop, signal) {
      const { size } = await stat(photo);
      await setTimeout(Number(process.env.TEST_MILLISECONDS ?? 50), undefined, { signal });
      if (size < 10) process.kill(process.pid, 'SIGKILL');
      return { width: size, height: 1, face: crop, yaw: null, view: null, findings: [] };
    },
    async outline({ photo, name, corrections, keep }) {
      if (photo === null && name !== kept) {
        throw new Refusal(404, 'photo_not_kept', { en: 'Send its file.', zh: '请发送文件。' });
      }
      if (keep) kept = name;
      if (corrections?.crown === 0.25)
        throw new Refusal(422, 'no_face', { en: 'No face.', zh: '未检测到人脸。' });
      return { rings: [[corrections?.crown ?? 0]], score: 1, sure: photo !== null, cutOff: false };
    },
    crop: async (photo, crop) => new Uint8Array(await cropped(await readFile(photo), crop)),
  },
  explain: (error) =>
    error instanceof PhotoAtFault ? { en: 'No face was found.', zh: '未检测到人脸。' } : null,
  yieldTo: (isSpeaking) => process.stdout.write(isSpeaking ? 'heads yield\n' : 'heads go on\n'),
  close: async () => {},
};

runEngineProcess({
  loadHeadMaker: async () => headMaker,
  loadRecordingMaker: null,
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
