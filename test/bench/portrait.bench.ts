/**
 * How long a head takes with every worker busy, the first one after a cold start, and how much memory it all
 * needs. On portraits of nobody; LIKENESS_PORTRAITS may name a folder of photos to use instead.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { defaultHeadModel } from '../../main/engine/portrait/default_head.ts';
import { createPortraitEngine, PortraitError } from '../../main/engine/portrait/index.ts';
import { meanFace } from '../../main/engine/portrait/mean_face.ts';
import { renderHead } from '../../main/engine/portrait/rasteriser.ts';
import { percentile, report } from './limits.ts';

const rounds = 24;
const folder = process.env.LIKENESS_PORTRAITS;

/** Portraits that differ: widths, brightness. */
async function portraits(): Promise<Uint8Array[]> {
  if (folder) {
    return readdirSync(folder)
      .filter((name) => /\.(jpe?g|png)$/i.test(name))
      .map((name) => new Uint8Array(readFileSync(join(folder, name))));
  }
  return Promise.all(
    Array.from({ length: rounds }, async (_, k) => {
      const face = meanFace.map((v, i) => (i % 3 === 0 ? v * (0.96 + 0.004 * k) : v));
      const picture = renderHead(await defaultHeadModel('female', face), {
        size: 860,
        width: 720,
        middle: 0.15,
        unlit: true,
        background: [172, 178, 184],
      });
      const image = sharp(picture.data, {
        raw: { width: picture.width, height: picture.height, channels: 4 },
      }).removeAlpha();
      return new Uint8Array(await image.jpeg({ quality: 90 }).toBuffer());
    }),
  );
}

const photos = await portraits();
const workers = Math.max(1, availableParallelism() - 1);
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 50);
const start = performance.now();
const engine = await createPortraitEngine({ workers });
await engine.head({ photo: photos[0]!, sex: 'female' }).catch((error: unknown) => {
  if (!(error instanceof PortraitError)) throw error;
});
const cold = performance.now() - start;

const times: number[] = [];
const sizes: number[] = [];
const before = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: workers }, async () => {
    while (next < photos.length) {
      const photo = photos[next++]!;
      const begin = performance.now();
      try {
        sizes.push((await engine.head({ photo, sex: 'female' })).glb.byteLength);
        times.push(performance.now() - begin);
      } catch (error) {
        if (!(error instanceof PortraitError)) throw error;
      }
    }
  }),
);
const wall = performance.now() - before;
clearInterval(watch);
await engine.close();

report({ name: 'first head after a cold start', value: cold / 1000, unit: 's', limit: 4, kind: 'most' });
report({ name: 'a head, median', value: percentile(times, 0.5) / 1000, unit: 's', limit: 2, kind: 'most' });
report({
  name: 'a head, 95th percentile',
  value: percentile(times, 0.95) / 1000,
  unit: 's',
  limit: 4,
  kind: 'most',
});
report({
  name: `heads a minute, ${workers} workers`,
  value: (60_000 * times.length) / wall,
  unit: '',
  limit: 20,
  kind: 'least',
});
report({
  name: 'a head’s file, largest',
  value: Math.max(...sizes) / 1e6,
  unit: 'MB',
  limit: 2.5,
  kind: 'most',
});
report({
  name: 'memory of the whole process, peak',
  value: peak / 1e6,
  unit: 'MB',
  limit: 500,
  kind: 'most',
});
