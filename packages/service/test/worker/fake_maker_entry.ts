/**
 * A maker of heads that is quick and predictable. What it does is written in the photo: `poison …` kills its process,
 * `bad …` is a photo at fault, `defect …` an error of ours; any other becomes a head that holds it.
 */
import { setTimeout } from 'node:timers/promises';
import { runMakerProcess } from '../../src/worker/maker_process.ts';
import { fakeHead } from './fake_head.ts';

class PhotoAtFault extends Error {}

await runMakerProcess(async () => ({
  version: process.env.TEST_VERSION ?? '1',
  parallel: 8,
  async makeHead({ photo, others = [], onStage, signal }) {
    const text = Buffer.from(photo).toString();
    onStage?.('landmarks', 0.25);
    await setTimeout(Number(process.env.TEST_MILLISECONDS ?? 20), undefined, { signal });
    if (text.startsWith('poison')) process.kill(process.pid, 'SIGKILL');
    if (text.startsWith('bad')) throw new PhotoAtFault();
    if (text.startsWith('defect')) throw new Error('a defect');
    const glb = fakeHead([photo, ...others]);
    if (others.length === 0) return { glb };
    return { glb, photos: others.map((_, i) => ({ index: i + 1, used: true, view: 'left', yaw: 30 })) };
  },
  photos: {
    check: () => Promise.reject(new Error('not here')),
    outline: () => Promise.reject(new Error('not here')),
    crop: () => Promise.reject(new Error('not here')),
  },
  explain: (error) =>
    error instanceof PhotoAtFault ? { en: 'No face was found.', zh: '未检测到人脸。' } : null,
  close: async () => {},
}));
