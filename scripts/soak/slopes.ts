/**
 * `npm run soak -- slopes [voices|queue|takes|pages] [amount]`: whether memory, file descriptors, threads and listeners
 * grow over time. Without a name: all four.
 *
 * - `voices`: minutes of live voices, default 120. Their service is killed every five minutes.
 * - `queue`: photos through the studio's queue, default 20,000.
 * - `takes`: takes opened and closed, default 1,000.
 * - `pages`: switches of the window between its pages, default 5,000.
 */
import { ensureBuilt } from '../build.ts';
import { pageSlopes } from './slopes/pages.ts';
import { queueSlopes } from './slopes/queue.ts';
import { takeSlopes } from './slopes/takes.ts';
import { voiceSlopes } from './slopes/voices.ts';

const minutesBetweenKills = 5;
const kinds: Readonly<Record<string, (amount?: number) => Promise<void>>> = {
  queue: (photos = 20_000) => queueSlopes(photos),
  takes: (count = 1000) => takeSlopes(count),
  pages: (switches = 5000) => pageSlopes(switches),
  voices: (minutes = 120) => voiceSlopes(minutes, minutesBetweenKills),
};

const [name, amount] = process.argv.slice(2);
const chosen = name === undefined ? Object.values(kinds) : [kinds[name]];
ensureBuilt((line) => console.log(line));
for (const run of chosen) {
  if (!run) {
    console.error(`Usage: npm run soak -- slopes [${Object.keys(kinds).join('|')}] [amount]`);
    process.exit(2);
  }
  await run(amount === undefined ? undefined : Number(amount));
}
process.exit(0);
