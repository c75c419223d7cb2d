/**
 * npm run quality -- hair [--data FOLDER] [--masks FOLDER] [--only NAME,NAME] [--write]
 *
 * Compares the engine's masks of hair and person with those of a folder: IoU at 256 × 256 pixels. Counts the bald heads
 * without hair, and the heads of very short hair with hair.
 *
 * FOLDER has masks in `hair/` and `person/` (or in `masks/`), and photos of the same names in `photos/`, in itself, or
 * where `../shared/portraits` lies beside `../shared/hair/portraits`. Without masks the program only writes its own.
 * Optional: a CSV with the columns file and group (bald, shaved, short …), and `flags.json` with a list `bald`.
 * `--masks` writes the engine's hair as PNG of the photo's size.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fieldText, readCsv } from '@likeness/node-kit/csv.ts';
import { PortraitError } from '@likeness/portrait/contract/portrait_error.ts';
import { bareShare } from '@likeness/portrait/hair/hair_map.ts';
import { mean, percentile } from '@likeness/proto/percentile.ts';
import sharp from 'sharp';
import { type PhotoMasks, photoMasks } from './photo_masks.ts';
import { recordFigure } from './quality_figures.ts';

/** Side to which masks are reduced, and the union in pixels below which two masks are both empty. */
const [side, minUnion] = [256, 60];
/** Individual typology angle of the skin, degrees: lower is darker (Chardon 1991). */
const tones = [
  { name: 'skin light', from: 41 },
  { name: 'skin intermediate', from: 28 },
  { name: 'skin tan', from: 10 },
  { name: 'skin dark', from: Number.NEGATIVE_INFINITY },
];

interface Measured {
  readonly name: string;
  readonly hair: number;
  readonly person: number | undefined;
  readonly groups: readonly string[];
  readonly isCalledBald: boolean;
}

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../../shared/hair/portraits') },
    masks: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const data = resolve(options.data);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const firstOf = (...paths: string[]): string | undefined => paths.find((path) => existsSync(path));
const photos = firstOf(join(data, 'photos'), join(data, '../../portraits')) ?? data;
const hairMasks = firstOf(join(data, 'hair'), join(data, 'masks/hair'));
const personMasks = firstOf(join(data, 'person'), join(data, 'masks/person'));

/** Groups by the photo's name, of every CSV beside photos and masks. */
async function readGroups(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const of = (name: string): string[] => {
    const known = found.get(name) ?? [];
    found.set(name, known);
    return known;
  };
  for (const folder of new Set([data, photos])) {
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.csv'))) {
      const [header = [], ...lines] = readCsv(await readFile(join(folder, file), 'utf8')).lines;
      const columns = header.map((cell) => fieldText(cell));
      for (const line of lines) {
        const cell = (column: string): string => {
          const field = line[columns.indexOf(column)];
          return field ? fieldText(field) : '';
        };
        if (cell('group'))
          of(parse(cell('file') || cell('name')).name).push(...cell('group').split(/[\s;|]+/));
      }
    }
  }
  const flags = join(data, 'flags.json');
  if (existsSync(flags)) {
    const { bald = [] } = JSON.parse(await readFile(flags, 'utf8')) as { bald?: string[] };
    for (const name of bald) of(name).push('bald');
  }
  return found;
}

/** A file, or one byte a pixel. */
type Mask = string | { readonly data: Uint8Array; readonly width: number; readonly height: number };

async function reduced(mask: Mask): Promise<Uint8Array> {
  const source =
    typeof mask === 'string'
      ? sharp(mask)
      : sharp(mask.data, { raw: { width: mask.width, height: mask.height, channels: 1 } });
  const values = await source.resize(side, side, { fit: 'fill' }).greyscale().raw().toBuffer();
  return values.map((value) => (value >= 128 ? 1 : 0));
}

async function iouWith(truth: string, mask: Mask): Promise<number> {
  const [a, b] = await Promise.all([reduced(truth), reduced(mask)]);
  let [both, union] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    both += a[i]! & b[i]!;
    union += a[i]! | b[i]!;
  }
  return union > minUnion ? both / union : 1;
}

async function measure(
  { hair, person, faceArea, skinTone, width, height }: PhotoMasks,
  name: string,
  groups: readonly string[],
): Promise<Measured | undefined> {
  const hairTruth = hairMasks && firstOf(join(hairMasks, `${name}.png`));
  const personTruth = personMasks && firstOf(join(personMasks, `${name}.png`));
  if (!hairTruth) return undefined;
  let area = 0;
  for (const value of hair) if (value >= 128) area++;
  const tone = tones.find(({ from }) => skinTone >= from)?.name;
  return {
    name,
    hair: await iouWith(hairTruth, { data: hair, width, height }),
    person: personTruth ? await iouWith(personTruth, { data: person, width, height }) : undefined,
    groups: tone ? [...groups, tone] : groups,
    isCalledBald: area < bareShare * faceArea,
  };
}

const shown = (value: number): string => value.toFixed(3);
/** As measure.mjs of the masks has it. */
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const groupsOf = await readGroups();
if (options.masks) await mkdir(options.masks, { recursive: true });
const only = options.only?.split(',');
const rows: Measured[] = [];
const times: number[] = [];
let missing = 0;
for (const file of (await readdir(photos)).sort()) {
  const { name } = parse(file);
  if (
    !/\.(jpe?g|png|webp|avif|tiff?)$/i.test(file) ||
    (only && !only.some((start) => name.startsWith(start)))
  )
    continue;
  try {
    const masks = await photoMasks(join(photos, file));
    times.push(masks.milliseconds);
    if (options.masks) {
      const { hair, width, height } = masks;
      const png = await sharp(hair, { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer();
      await writeFile(join(options.masks, `${name}.png`), png);
    }
    const row = await measure(masks, name, groupsOf.get(name) ?? []);
    if (row) rows.push(row);
  } catch (error) {
    if (!(error instanceof PortraitError)) throw error;
    print(`${file}: ${error.code}`);
    missing++;
  }
}
print(
  `${times.length} photos, ${missing} without a mask; ${percentile(times, 0.5).toFixed(0)} ms a mask, median`,
);
if (rows.length > 0) {
  const hair = rows.map((row) => row.hair);
  for (const row of rows.toSorted((a, b) => a.hair - b.hair).slice(0, 12))
    print(`  ${row.name.padEnd(28)} ${shown(row.hair)}`);
  const persons = rows.flatMap(({ person }) => (person === undefined ? [] : [person]));
  print(
    `hair: IoU mean ${shown(mean(hair))}, median ${shown(middle(hair))}, least ${shown(Math.min(...hair))}` +
      (persons.length > 0
        ? `; person: mean ${shown(mean(persons))}, least ${shown(Math.min(...persons))}`
        : ''),
  );
  for (const group of new Set(rows.flatMap(({ groups }) => groups).sort())) {
    const members = rows.filter(({ groups }) => groups.includes(group));
    const ious = members.map((row) => row.hair);
    const bald = members.filter(({ isCalledBald }) => isCalledBald);
    print(
      `  ${group}: ${members.length}, IoU mean ${shown(mean(ious))}, least ${shown(Math.min(...ious))}, called bald ${bald.length}`,
    );
  }
  if (options.data.endsWith('shared/hair/portraits') && !only)
    recordFigure({ id: 'hair-iou', value: [mean(hair), middle(hair), Math.min(...hair)] });
}
