/**
 * `npm run soak -- slopes [minutes] [takes]`: whether a service with live voices, and a process that opens and closes takes,
 * grow over time. Reports memory, file descriptors and threads as slopes, without the first third, in which V8 fills its
 * heap; then kills the service every 20 s for a minute. Default: 3 minutes, 300 takes.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { finishedTake } from '../../main/takes/finished_take.ts';
import type { TakeAnalysis } from '../../main/takes/take_analysis.ts';
import { speak } from '../../packages/service/test/service_harness.ts';
import { type ServiceNode, startNode } from '../../test/bench/service/service_processes.ts';
import { openTakes, recordTake } from '../../test/support/recorded_takes.ts';
import { ensureBuilt } from '../build.ts';

const [minutes = 3, takeCount = 300] = process.argv.slice(2).map(Number);
const voices = 8;

interface Sample {
  /** Minutes, or takes. */
  at: number;
  megabytes: number;
  descriptors: number;
  threads: number;
}
const sampleOf = (at: number, pid: number, bytes: number): Sample => ({
  at,
  megabytes: bytes / 2 ** 20,
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
  threads: readdirSync(`/proc/${pid}/task`).length,
});

/** Least squares. */
function slope(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(value)];
  const over = samples.reduce((sum, sample) => sum + (sample.at - meanAt) * (value(sample) - meanValue), 0);
  return over / samples.reduce((sum, sample) => sum + (sample.at - meanAt) ** 2, 0);
}

function printSlopes(name: string, all: readonly Sample[], unit: string, factor: number): void {
  const samples = all.slice(Math.ceil(all.length / 3));
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return;
  const each = (value: (sample: Sample) => number): string => (slope(samples, value) * factor).toFixed(2);
  console.log(
    `${name}: ${first.megabytes.toFixed(0)} → ${last.megabytes.toFixed(0)} MB, ${first.descriptors} → ${last.descriptors} descriptors, ` +
      `${first.threads} → ${last.threads} threads; in ${unit} ${each((one) => one.megabytes)} MB, ` +
      `${each((one) => one.descriptors)} descriptors, ${each((one) => one.threads)} threads`,
  );
}

/** Speaks in real time, with a new voice where one breaks off, until told to stop. @returns how many parts failed */
async function speakUntil(isOver: () => boolean, node: () => ServiceNode): Promise<number> {
  let failed = 0;
  let traceId = '';
  while (!isOver()) {
    const status = traceId === '' ? 'start' : 'continue';
    if (traceId === '') traceId = randomUUID();
    const { url, key } = node();
    const part = { traceId, status, seconds: 0.2 };
    const answer = await speak({ url }, { secret: key } as never, part).catch(() => null);
    if (answer?.status !== 200) {
      failed += 1;
      traceId = '';
    }
    await pause(200);
  }
  return failed;
}

ensureBuilt((line) => console.log(line));
const folder = mkdtempSync(join(tmpdir(), 'likeness-slopes-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let node = await startNode(join(folder, 'service'));
let isOver = false;
const speaking = Array.from({ length: voices }, () =>
  speakUntil(
    () => isOver,
    () => node,
  ),
);
const samples: Sample[] = [];
const begin = performance.now();
const passed = (): number => (performance.now() - begin) / 60_000;
while (passed() < minutes) {
  await pause(1000);
  samples.push(sampleOf(passed(), node.child.pid!, node.memory()));
}
printSlopes(`${voices} voices for ${minutes} minutes`, samples, 'an hour', 60);
for (let kill = 0; kill < 3; kill += 1) {
  node.child.kill('SIGKILL');
  node = await startNode(join(folder, 'service'));
  await pause(20_000);
}
isOver = true;
const failed = (await Promise.all(speaking)).reduce((sum, count) => sum + count, 0);
console.log(`3 kills: ${failed} parts of ${voices} voices were not answered`);
await node.stop();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const takes = await openTakes(join(folder, 'takes'));
const id = await recordTake(takes);
const analysis = { wordsInScript: async () => null, stop: async () => undefined } as unknown as TakeAnalysis;
const opened: Sample[] = [];
for (let count = 0; count < takeCount; count += 1) {
  const again = await openTakes(join(folder, 'takes'));
  await finishedTake(again, analysis, id);
  if (count % 10 > 0) continue;
  collectGarbage();
  opened.push(sampleOf(count, process.pid, process.memoryUsage.rss()));
}
printSlopes(`${takeCount} takes opened`, opened, 'a thousand', 1000);
process.exit(0);
