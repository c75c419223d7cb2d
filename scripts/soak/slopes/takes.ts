/** A process that opens and closes takes. */
import { join } from 'node:path';
import { finishedTake } from '../../../main/takes/finished_take.ts';
import type { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import { benchFolder } from '../../../test/bench/service/service_processes.ts';
import { openTakes, recordTake } from '../../../test/support/recorded_takes.ts';
import { collectGarbage, printSlopes, type Sample, sampleOf } from './samples.ts';

export async function takeSlopes(count: number): Promise<void> {
  const folder = join(benchFolder(), 'takes');
  const takes = await openTakes(folder);
  const id = await recordTake(takes);
  const analysis = {
    wordsInScript: async () => null,
    stop: async () => undefined,
  } as unknown as TakeAnalysis;
  const samples: Sample[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const again = await openTakes(folder);
    await finishedTake(again, analysis, id);
    if (opened % 10 > 0) continue;
    collectGarbage();
    samples.push(sampleOf(opened, process.pid, process.memoryUsage.rss()));
  }
  printSlopes(`${count} takes opened`, samples, ['a thousand', 1000]);
}
