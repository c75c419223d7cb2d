/**
 * A library of 10,000 models: making its index anew, searching as one types, facets, opening it against
 * opening one of 10. Seeded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '@likeness/proto/percentile.ts';
import { Libraries } from '../../main/library/libraries.ts';
import { report } from './limits.ts';
import { fillLibrary, searchWords } from './seeded_library.ts';

const many = 10_000;
const few = 10;
const folder = await mkdtemp(join(tmpdir(), 'likeness-bench-library-'));

const open = (dataFolder: string): Promise<Libraries> =>
  Libraries.open({ dataFolder, clock: Date.now, watch: false });

/** Milliseconds from nothing to the first page of the grid. */
async function opening(dataFolder: string): Promise<number> {
  const begin = performance.now();
  const libraries = await open(dataFolder);
  libraries.search({}, 0, 60);
  libraries.list();
  const milliseconds = performance.now() - begin;
  await libraries.settled();
  await libraries.close();
  return milliseconds;
}

const large = join(folder, 'large');
const small = join(folder, 'small');
await fillLibrary(join(large, 'Heads'), many);
await fillLibrary(join(small, 'Heads'), few);

const libraries = await open(large);
await libraries.settled();
const begin = performance.now();
const models = await libraries.rebuild();
const seconds = (performance.now() - begin) / 1000;
if (models !== many) throw new Error(`${models} models were found`);
report({ name: 'index rebuild', value: models / seconds, unit: 'models/s', limit: 1000, kind: 'least' });

const typed = searchWords.flatMap((word) =>
  [...word].map((_, length) => [...word].slice(0, length + 1).join('')),
);
const samples: number[] = [];
for (let round = 0; round < 5; round += 1) {
  for (const text of typed) {
    const start = performance.now();
    libraries.search({ text }, 0, 60);
    samples.push(performance.now() - start);
  }
}
console.log(
  `${samples.length} searches, P50 ${percentile(samples, 0.5).toFixed(2)} ms, longest ${Math.max(...samples).toFixed(1)} ms`,
);
report({
  name: 'search in 10,000, P95',
  value: percentile(samples, 0.95),
  unit: 'ms',
  limit: 20,
  kind: 'most',
});

const facets: number[] = [];
for (let round = 0; round < 10; round += 1) {
  for (const query of [{}, { text: 'ada' }, { sex: 'female' as const }]) {
    const start = performance.now();
    libraries.index.facets(query);
    facets.push(performance.now() - start);
  }
}
report({
  name: 'facets of 10,000, P95',
  value: percentile(facets, 0.95),
  unit: 'ms',
  limit: 100,
  kind: 'most',
});

const scanning = performance.now();
await libraries.scan(libraries.defaultId());
console.log(`looking through 10,000 unchanged folders: ${(performance.now() - scanning).toFixed(0)} ms`);
await libraries.close();
await opening(small);

const smalls: number[] = [];
const larges: number[] = [];
for (let run = 0; run < 7; run += 1) {
  smalls.push(await opening(small));
  larges.push(await opening(large));
}
console.log(
  `opening: 10 models ${percentile(smalls, 0.5).toFixed(1)} ms, 10,000 models ${percentile(larges, 0.5).toFixed(1)} ms`,
);
report({
  name: 'opening 10,000 models, beside the start of the studio (1.5 s) against 10 models',
  value: (1500 + percentile(larges, 0.5)) / (1500 + percentile(smalls, 0.5)),
  unit: 'times',
  limit: 1.5,
  kind: 'most',
});
await rm(folder, { recursive: true, force: true });
