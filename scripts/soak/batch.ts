/**
 * `npm run soak -- batch -- [points] [first seed]`: kills a batch of 40 photos at seeded points (default
 * 200) and reports violations. Half of the runs use a server that announces idempotency keys.
 */
import { crashBatch } from '../../test/main/batch/crash_points.ts';

const points = Number(process.argv[2] ?? 200);
const firstSeed = Number(process.argv[3] ?? 1000);
const killsEach = 5;

let killed = 0;
let broken = 0;
const begin = performance.now();
for (let seed = firstSeed; killed < points; seed += 1) {
  const keys = seed % 2 === 0;
  const { kills, faults } = await crashBatch(seed, killsEach, keys);
  killed += kills;
  if (faults.length > 0) broken += 1;
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(
    `${faults.length === 0 ? '✓' : '✗'} seed ${seed}, keys ${keys ? 'yes' : 'no'}: killed ${kills} times (${killed} in all, ${seconds} s)`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
}
console.log(`\n${killed} kills, ${broken} batches broken`);
process.exit(broken === 0 ? 0 : 1);
