/**
 * A library of 10,000 models: making its index anew, searching as one types, facets, opening it against opening
 * one of 10. Seeded.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Libraries } from '../../main/library/libraries.ts';
import { newRecord, recordText } from '../../main/library/likeness_record.ts';
import { makeGlb } from '../fixtures/service/glb.ts';
import { seeded } from '../main/batch/crash_points.ts';
import { percentile, report } from './limits.ts';

const many = 10_000;
const few = 10;
const random = seeded(4);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const first =
  'Ada Grace Alan Mary Linus Margaret Ken Barbara Edsger Frances 王 李 さくら 김 Zoë Ångström'.split(' ');
const last =
  'Lovelace Hopper Turing Keller Torvalds Hamilton Thompson Liskov 小明 伟 民수 Müller García'.split(' ');
const tags = 'studio outdoor actor extra 演员 test keep redo smile neutral'.split(' ');
const glb = makeGlb();
const folder = await mkdtemp(join(tmpdir(), 'likeness-bench-library-'));

/** A data folder whose first library holds so many models. */
async function fill(dataFolder: string, count: number): Promise<void> {
  const library = join(dataFolder, 'Heads');
  for (let number = 0; number < count; number += 1) {
    const id = `model-${String(number).padStart(6, '0')}`;
    const record = newRecord({
      id,
      name: `${pick(first)} ${pick(last)} ${number}`,
      source: 'portrait',
      createdAt: Date.UTC(2026, 0, 1) + number * 60_000,
      fileName: `DSC0${number}.jpg`,
      tags: [pick(tags), pick(tags)],
      notes: random() < 0.3 ? `Taken on stage ${number % 7}, ${pick(tags)} light, second attempt.` : '',
      rating: Math.floor(random() * 6),
      parameters: { sex: random() < 0.5 ? 'female' : 'male', eyelidType: null, crop: null },
      profile: { id: `p${number % 3}`, name: pick(['Built-in engine', 'Atelier Nord', 'Farm']) },
      photo: { sha256: `${number}`.padStart(64, '0'), file: null, reference: null },
      model: { sha256: '', bytes: glb.byteLength },
    });
    const place = join(library, `${record.name.slice(0, 40)} ${number}`);
    await mkdir(place, { recursive: true });
    await Promise.all([
      writeFile(join(place, 'likeness.json'), recordText(record)),
      writeFile(join(place, 'model.glb'), glb),
    ]);
  }
}

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
await fill(large, many);
await fill(small, few);

const libraries = await open(large);
await libraries.settled();
const begin = performance.now();
const models = await libraries.rebuild();
const seconds = (performance.now() - begin) / 1000;
if (models !== many) throw new Error(`${models} models were found`);
report({ name: 'index rebuild', value: models / seconds, unit: 'models/s', limit: 1000, kind: 'least' });

const words = [
  'grace hopper',
  'ada',
  '王',
  '小明',
  '演员',
  'dsc04',
  'atelier',
  'stage 5',
  'müller',
  'second attempt',
  '2026-01-0',
  'さくら',
];
const typed = words.flatMap((word) => [...word].map((_, length) => [...word].slice(0, length + 1).join('')));
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
    libraries.facets(query);
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
