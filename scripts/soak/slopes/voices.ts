/** A service with live voices in real time, which is killed every few minutes. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { speak } from '../../../packages/service/test/service_harness.ts';
import { benchFolder, type ServiceNode, startNode } from '../../../test/bench/service/service_processes.ts';
import { printSlopes, type Sample, sampleOf } from './samples.ts';

const voices = 8;

/** Speaks in real time, with a new voice where one breaks off. */
async function speakUntil(
  isOver: () => boolean,
  node: () => ServiceNode,
  onAnswer: (isOk: boolean) => void,
): Promise<void> {
  let traceId = '';
  while (!isOver()) {
    const status = traceId === '' ? 'start' : 'continue';
    if (traceId === '') traceId = randomUUID();
    const { url, key } = node();
    const part = { traceId, status, seconds: 0.2 };
    const answer = await speak({ url }, { secret: key } as never, part).catch(() => null);
    onAnswer(answer?.status === 200);
    if (answer?.status !== 200) traceId = '';
    await pause(200);
  }
}

/** @param between - Minutes from one kill to the next. */
export async function voiceSlopes(minutes: number, between: number): Promise<void> {
  const benchHome = benchFolder();
  const folder = join(benchHome, 'service');
  // The service's alone: other programs have theirs in the system's.
  const temporary = join(benchHome, 'temporary');
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
  let node = await startNode(folder);
  let isOver = false;
  const answers = { ok: 0, failed: 0 };
  const speaking = Array.from({ length: voices }, () =>
    speakUntil(
      () => isOver,
      () => node,
      (isOk) => {
        answers[isOk ? 'ok' : 'failed'] += 1;
      },
    ),
  );
  const begin = performance.now();
  const passed = (): number => (performance.now() - begin) / 60_000;
  const ends: number[] = [];
  for (let run = 1; passed() < minutes; run += 1) {
    const samples: Sample[] = [];
    const end = Math.min(minutes, run * between);
    while (passed() < end) {
      await pause(1000);
      samples.push(sampleOf(passed(), node.child.pid!, node.memory()));
    }
    printSlopes(`run ${run}, ${voices} voices`, samples, ['an hour', 60]);
    ends.push(samples.at(-1)?.megabytes ?? Number.NaN);
    if (passed() >= minutes) break;
    node.child.kill('SIGKILL');
    node = await startNode(folder);
  }
  isOver = true;
  await Promise.all(speaking);
  const inMegabytes = (value = Number.NaN): string => `${value.toFixed(0)} MB`;
  console.log(
    `${ends.length - 1} kills in ${minutes} minutes: ${answers.ok} parts answered, ${answers.failed} not; ` +
      `at the end of a run ${inMegabytes(ends[0])} at first, ${inMegabytes(ends.at(-1))} at last, ` +
      `${inMegabytes(Math.max(...ends))} at most; ${readdirSync(temporary).length} temporary files left`,
  );
  await node.stop();
}
