/**
 * `npm run soak -- serve [connections]`: breaks so many connections (default 100,000) to a studio that
 * is served, in every way that the tests know, and reports its memory before, during and after. Takes some
 * minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  breakConnections,
  footprintOf,
  serveStudio,
} from '../../test/main/shell/browser/broken_connections.ts';
import { ensureBuilt } from '../build.ts';

const count = Number(process.argv[2] ?? 100_000);
const atOnce = 32;
/** Connections until the heap has the size that such a load wants; what grows after that is a leak. */
const warmUp = 30_000;
/** Milliseconds after which what is left open is left for good. */
const settling = 15_000;

ensureBuilt((line) => console.log(line));
const home = mkdtempSync(join(tmpdir(), 'likeness-soak-'));
const studio = await serveStudio(home);
const footprint = (): string => {
  const { megabytes, descriptors } = footprintOf(studio.process);
  return `${megabytes.toFixed(0)} MB, ${descriptors} descriptors`;
};
const begin = performance.now();
const seconds = (): number => Math.round((performance.now() - begin) / 1000);

console.log(`at first: ${footprint()}`);
await breakConnections(studio, { count: warmUp, atOnce });
console.log(`after ${warmUp} to warm up: ${footprint()}`);
const before = footprintOf(studio.process);
const tried = await breakConnections(studio, { count, atOnce }, (done) => {
  if (done % 10_000 === 0) console.log(`${done} broken in ${seconds()} s: ${footprint()}`);
});
await new Promise((resolve) => setTimeout(resolve, settling));
const lives = studio.process.exitCode === null && studio.process.signalCode === null;
const answer = await fetch(`${studio.origin}/session`, {
  headers: { cookie: studio.page.cookie, 'likeness-session': studio.page.secret },
}).catch(() => null);
for (const [name, times] of Object.entries(tried)) console.log(`  ${times} × ${name}`);
const after = lives ? footprintOf(studio.process) : { megabytes: Infinity, descriptors: Infinity };
const defects = studio.defects();
console.log(
  `\nafter: ${lives ? footprint() : 'the studio has ended'}; it ${answer?.ok ? 'answers its page' : 'does NOT answer its page'}; ${defects.length} defects in the log`,
);
await studio.stop();
rmSync(home, { recursive: true, force: true });
const sound =
  lives &&
  answer?.ok === true &&
  defects.length === 0 &&
  after.descriptors <= before.descriptors + 4 &&
  after.megabytes < before.megabytes + 60;
console.log(sound ? 'It held.' : 'It did NOT hold.');
process.exit(sound ? 0 : 1);
