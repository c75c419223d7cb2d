/** Samples of a process's memory and handles over time, and their slopes. */
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** One look at a process or a page: what it holds after so many minutes or pieces of work. */
export type Sample = { readonly at: number } & {
  readonly [Kind in 'megabytes' | 'descriptors' | 'threads' | 'listeners' | 'nodes']?: number;
};

/** @param bytes - Of memory. */
export const sampleOf = (at: number, pid: number, bytes: number) =>
  ({
    at,
    megabytes: bytes / 2 ** 20,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  }) satisfies Sample;

/** Least squares. */
function slope(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(value)];
  const over = samples.reduce((sum, sample) => sum + (sample.at - meanAt) * (value(sample) - meanValue), 0);
  return over / samples.reduce((sum, sample) => sum + (sample.at - meanAt) ** 2, 0);
}

/**
 * Prints first and last values and slopes, without the first third, in which V8 fills its heap.
 *
 * @param per - The unit of the slopes: `[its name, how many of the samples' units it has]`.
 */
export function printSlopes(name: string, all: readonly Sample[], per: [unit: string, count: number]): void {
  const samples = all.slice(Math.ceil(all.length / 3));
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return;
  const kinds = ['megabytes', 'descriptors', 'threads', 'listeners', 'nodes'] as const;
  const shown = kinds
    .filter((kind) => first[kind] !== undefined)
    .map((kind) => {
      const growth = (slope(samples, (sample) => sample[kind] ?? 0) * per[1]).toFixed(2);
      return `${kind} ${first[kind]?.toFixed(0)} → ${last[kind]?.toFixed(0)} (${growth} in ${per[0]})`;
    });
  console.log(`${name}: ${shown.join(', ')}`);
}
