/**
 * How many photos a second are looked over before they are queued, by the engine's workers as the studio asks
 * it, after the first of each. On portraits of nobody; LIKENESS_PORTRAITS may name a folder of photos to use
 * instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortraitEngine } from '@likeness/portrait';
import { maxConcurrentPhotos } from '@likeness/portrait/worker_count.ts';
import { portraits } from './drawn_portraits.ts';
import { report } from './limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'likeness-preflight-'));
try {
  const paths = portraits(12).map((photo, k) => {
    const path = join(folder, `${k}.jpg`);
    writeFileSync(path, photo);
    return path;
  });
  const engine = createPortraitEngine({
    workerUrl: new URL('../../out/main/portrait-worker.js', import.meta.url),
  });
  await Promise.all(Array.from({ length: 2 * maxConcurrentPhotos }, () => engine.check(paths[0]!, null)));
  const queue = Array.from({ length: 120 }, (_, k) => paths[k % paths.length]!);
  const start = performance.now();
  let blocked = 0;
  await Promise.all(
    queue.map(async (path) => {
      const { findings } = await engine.check(path, null);
      if (findings.some(({ severity }) => severity === 'error')) blocked++;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await engine.close();
  console.log(`  ${blocked} of ${queue.length} were refused`);
  report({
    name: `photos looked over a second, threads: ${maxConcurrentPhotos}`,
    value: queue.length / seconds,
    unit: '/s',
    limit: 15,
    kind: 'least',
  });
} finally {
  rmSync(folder, { recursive: true });
}
