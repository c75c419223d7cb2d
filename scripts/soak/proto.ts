/**
 * Reads mutated face streams and .proto texts until one breaks a decoder, or none has.
 *
 *     npm run soak -- proto [count=1000000] [seed=1]
 */
import { fuzzStreams } from '../../test/proto/stream_fuzzer.ts';

const count = numberFrom(process.argv[2], 1_000_000);
const seed = numberFrom(process.argv[3], 1);
const started = performance.now();
const report = fuzzStreams(count, seed, (done) => {
  if (done % 100_000 === 0) process.stderr.write(`${done} of ${count}\n`);
});
const lines = [
  `${report.mutations} mutations from seed ${seed} in ${((performance.now() - started) / 1000).toFixed(1)} s: no crash, no hang`,
  `${report.accepted} still valid; the slowest took ${report.slowest.toFixed(1)} ms; memory grew by at most ${(report.memoryGrowth / 2 ** 20).toFixed(1)} MiB`,
  ...[...report.faults].sort().map(([code, times]) => `  ${code}: ${times}`),
];
process.stdout.write(`${lines.join('\n')}\n`);

function numberFrom(argument: string | undefined, otherwise: number): number {
  if (argument === undefined) return otherwise;
  const value = Number(argument);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new Error(`${argument} is not a whole number: npm run soak -- proto [count] [seed]`);
  }
  return value;
}
