/** A worker's maker of heads: `out/main/service-maker.js` when built, this file itself under plain Node. */
import { createMakers } from '@likeness/engine/models/makers.ts';
import { concurrentHeadsVariable } from './maker_messages.ts';
import { runMakerProcess } from './maker_process.ts';

const isBuilt = !import.meta.url.endsWith('.ts');

const { loadHeadMaker } = createMakers({
  concurrentHeads: Math.max(1, Number(process.env[concurrentHeadsVariable] ?? 1)),
  portraitWorker: isBuilt ? new URL('portrait-worker.js', import.meta.url) : undefined,
});

await runMakerProcess(loadHeadMaker);
