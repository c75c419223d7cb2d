/**
 * How many photos a second are looked over before they are queued, on the two threads that the studio takes, after
 * the first of each. On portraits of nobody; LIKENESS_PORTRAITS may name a folder of photos to use instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortraitThreads } from '../../main/portrait_threads.ts';
import { portraits } from './drawn_portraits.ts';
import { report } from './limits.ts';

/** As many as the studio takes, on two cores. */
const parallel = 2;
const folder = mkdtempSync(join(tmpdir(), 'likeness-preflight-'));
try {
  const paths = portraits(12).map((photo, k) => {
    const path = join(folder, `${k}.jpg`);
    writeFileSync(path, photo);
    return path;
  });
  const threads = createPortraitThreads({
    entry: new URL('../../out/main/portrait-thread.js', import.meta.url),
    threads: parallel,
  });
  await Promise.all(Array.from({ length: 2 * parallel }, () => threads.check(paths[0]!, null)));
  const queue = Array.from({ length: 120 }, (_, k) => paths[k % paths.length]!);
  const start = performance.now();
  let blocked = 0;
  await Promise.all(
    queue.map(async (path) => {
      const { findings } = await threads.check(path, null);
      if (findings.some(({ severity }) => severity === 'blocking')) blocked++;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await threads.close();
  console.log(`  ${blocked} of ${queue.length} were refused`);
  report({
    name: `photos looked over a second, threads: ${parallel}`,
    value: queue.length / seconds,
    unit: '/s',
    limit: 15,
    kind: 'least',
  });
} finally {
  rmSync(folder, { recursive: true });
}
