/**
 * Loaded by an engine under test: on SIGUSR2 it looks at what is young and says how many bytes of arrays it
 * holds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
process.on('SIGUSR2', async () => {
  // What is young is swept beside the thread.
  for (let times = 0; times < 3; times++) {
    collect({ type: 'minor' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write(`held ${process.memoryUsage().arrayBuffers}\n`);
});
