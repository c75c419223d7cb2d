/**
 * `npm run soak -- takes [-- kills [first seed]]`: kills a process that records, edits and exports takes at
 * seeded moments (default 1,000), and reports violations.
 */
import { crashTakes } from '../../test/main/takes/take_crashes.ts';

const wanted = Number(process.argv[2] ?? 1000);
const firstSeed = Number(process.argv[3] ?? 1);
const killsEach = 25;

let killed = 0;
let broken = 0;
let max = 0;
const begin = performance.now();
for (let seed = firstSeed; killed < wanted; seed += 1) {
  const { kills, lost, faults } = await crashTakes(seed, Math.min(killsEach, wanted - killed));
  killed += kills;
  max = Math.max(max, lost);
  if (faults.length > 0) broken += 1;
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(
    `${faults.length === 0 ? '✓' : '✗'} seed ${seed}: killed ${kills} times, at most ${lost.toFixed(2)} s lost (${killed} in all, ${seconds} s)`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
}
console.log(`\n${killed} kills, ${broken} runs broken, at most ${max.toFixed(2)} s of a recording lost`);
process.exit(broken === 0 ? 0 : 1);
