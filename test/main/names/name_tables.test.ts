import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInTables } from '@likeness/gltf/formats/names/built_in_tables.ts';
import { shapesOf } from '@likeness/gltf/formats/names/head_shapes.ts';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openModelDrives } from '../../../main/names/model_drives.ts';
import { csvOfEntries, entriesOf, entriesOfCsv, tableOf } from '../../../main/names/name_entries.ts';
import { openNameTables } from '../../../main/names/name_tables.ts';
import { namesCalls } from '../../../main/names/names_calls.ts';
import { builtInNameTables, type NameEntry } from '../../../preload/contract.ts';
import { realHead } from '../../support/heads/heads.ts';

let folder: string;
let path: string;
let changes: string[][];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-names-'));
  path = join(folder, 'name-tables.json');
  changes = [];
});
afterEach(() => rm(folder, { recursive: true }));

let count = 0;
const open = () =>
  openNameTables({
    path,
    clock: () => Date.UTC(2026, 10, 3),
    randomId: () => `own-${++count}`,
    onChanged: (tables) => changes.push(tables.filter(({ builtIn }) => !builtIn).map(({ name }) => name)),
  });
const entry = (name: string, shape: string, rest: Partial<NameEntry> = {}): NameEntry => ({
  name,
  shape,
  variant: 1,
  weight: 1,
  side: null,
  ...rest,
});
const mine = [
  entry('Open', 'viseme_aa'),
  entry('Open', 'jawOpen', { variant: 2, weight: 0.7 }),
  entry('Open', 'mouthFunnel', { variant: 2, weight: -0.1, side: 'left' }),
  entry('Rest', ''),
];

describe('tables of names', () => {
  it('of the person’s own outlive a restart, beside the built-in ones', async () => {
    const tables = await open();
    expect(tables.list().map(({ id }) => id)).toEqual(builtInNameTables);
    const { id } = await tables.save({ name: 'My rig', entries: mine });
    await tables.save({ id, name: 'My rig 2', entries: mine });
    const again = await open();
    expect(again.list().at(-1)).toEqual({ id, name: 'My rig 2', builtIn: false, names: 2 });
    expect(again.entries(id).entries).toEqual(mine);
    expect(again.table(id)).toEqual(tableOf(id, mine));
    expect(JSON.parse(await readFile(path, 'utf8')).schemaVersion).toBe(2);
    await again.remove(id);
    expect((await open()).list().every(({ builtIn }) => builtIn)).toBe(true);
    expect(changes).toEqual([['My rig'], ['My rig 2'], []]);
  });

  it('leave the built-in ones as they are, and know what is gone', async () => {
    const tables = await open();
    await expect(tables.save({ id: 'cc4', name: 'x', entries: mine })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(tables.remove('arkit')).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(tables.save({ id: 'gone', name: 'x', entries: mine })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(() => tables.table('gone')).toThrow('name table does not exist');
    expect(await readdir(folder)).toEqual([]);
  });

  it('are a hundred at most', async () => {
    const tables = await open();
    for (let n = 0; n < 100; n++) await tables.save({ name: `t ${n}`, entries: mine });
    await expect(tables.save({ name: 'one more', entries: mine })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('in a damaged file are kept aside, of a newer studio left alone, and a bad one is left out', async () => {
    await writeFile(path, '{ no');
    expect((await open()).problem).toContain('damaged');
    expect(await readdir(folder)).toEqual(['name-tables.damaged-20261103T000000Z.json']);
    await writeFile(path, JSON.stringify({ schemaVersion: 3, tables: [] }));
    await expect(open()).rejects.toThrow('newer Likeness Studio');
    const good = { id: 'a', name: 'good', entries: mine };
    await writeFile(path, JSON.stringify({ schemaVersion: 2, tables: [{ id: 'b' }, good] }));
    expect((await open()).list().filter(({ builtIn }) => !builtIn)).toMatchObject([
      { id: 'a', name: 'good' },
    ]);
    await (await open()).save({ name: 'another', entries: mine });
    expect(JSON.parse(await readFile(path, 'utf8')).tables).toContainEqual({ id: 'b' });
  });
});

it('tables of version 1 open, whose variants were called ways', async () => {
  const entries = mine.map(({ variant: way, ...one }) => ({ ...one, way }));
  await writeFile(path, JSON.stringify({ schemaVersion: 1, tables: [{ id: 'a', name: 'old', entries }] }));
  const tables = await open();
  expect(tables.entries('a').entries).toEqual(mine);
  await tables.save({ id: 'a', name: 'new', entries: mine });
  expect((await open()).entries('a').entries).toEqual(mine);
  const { entries: fromCsv } = entriesOfCsv(csvOfEntries(mine).replace('variant', 'way'));
  expect(fromCsv).toEqual(mine);
});

describe('a table as CSV', () => {
  it.each(builtInNameTables)('of %s comes back as it was', (id) => {
    const entries = entriesOf(builtInTables[id]);
    expect(entriesOfCsv(csvOfEntries(entries))).toEqual({ entries, faults: [] });
    expect(tableOf(id, entries)).toEqual({ id, rows: builtInTables[id] });
  });

  it('is read as a spreadsheet writes it', () => {
    const csv = '\ufeffShape;Name;Weight\r\njawOpen;"Mouth; open";0,5\r\n;Rest;\r\n;;\r\n';
    expect(entriesOfCsv(csv)).toEqual({
      entries: [entry('Mouth; open', 'jawOpen', { weight: 0.5 }), entry('Rest', '')],
      faults: [],
    });
  });

  it('names what a spreadsheet would run come back harmlessly', () => {
    const entries = [entry('=1+1', '@x')];
    expect(csvOfEntries(entries)).toContain("'=1+1");
    expect(entriesOfCsv(csvOfEntries(entries)).entries).toEqual(entries);
  });

  it('says by line and column what is wrong with it', () => {
    const of = (csv: string) =>
      entriesOfCsv(csv).faults.map(({ line, column, fault, value }) => [line, column, fault, value]);
    expect(of('')).toEqual([[1, 1, 'empty', '']]);
    expect(of('name,shape\n')).toEqual([[1, 1, 'empty', '']]);
    expect(of('name,colour\na,b')).toEqual([
      [1, 6, 'unknown_column', 'colour'],
      [1, 1, 'no_column', 'shape'],
    ]);
    expect(of('name,shape,weight,way,side\n,jawOpen,much,0,up')).toEqual([
      [2, 1, 'name_missing', ''],
      [2, 15, 'no_variant', '0'],
      [2, 10, 'no_weight', 'much'],
      [2, 17, 'no_side', 'up'],
    ]);
    expect(of(`name,shape\n${'n'.repeat(101)},x`)[0]!.slice(0, 3)).toEqual([2, 1, 'too_long']);
    expect(of('name,shape\n"a,b')).toEqual([[2, 1, 'open_quote', '']]);
    expect(of(`name,shape\n${'a,b\n'.repeat(2001)}`)).toEqual([[2002, 1, 'too_many', '2000']]);
  });
});

describe('the room of names', () => {
  const room = async () => {
    const tables = await open();
    const drives = await openModelDrives(join(folder, 'shape-drives.json'), () => 0);
    const told: (string | null)[] = [];
    const onDrives = async (modelId: string | null): Promise<void> => void told.push(modelId);
    return { tables, told, calls: namesCalls({ tables, drives, head: async () => realHead(), onDrives }) };
  };

  it('says what moves a head, by its JSON alone, and keeps rows of one’s own', async () => {
    const { calls, told } = await room();
    const before = await calls.drives({ modelId: null });
    expect(before).toMatchObject({ vocabulary: 'arkit', still: [], unheard: [] });
    const document = await (await gltfIo()).readBinary(await realHead());
    expect(before.rows.map(({ shape }) => shape)).toEqual(shapesOf(document));
    const own = { shape: 'jawOpen', parts: [{ channel: 'jawOpen', weight: 1 }], gain: 0, curve: 1 };
    const after = await calls.saveDrives({ modelId: null, rows: [own] });
    expect(after.still).toEqual(['jawOpen']);
    expect(after.rows.find(({ isOwn }) => isOwn)).toEqual({ ...own, isOwn: true });
    expect(await calls.saveDrives({ modelId: null, rows: [] })).toEqual(before);
    expect(told).toEqual([null, null]);
  });

  it('takes a CSV, and nothing of one with a fault', async () => {
    const { calls, tables } = await room();
    const { table, faults } = await calls.importTable({ name: 'mine', csv: csvOfEntries(mine) });
    expect(faults).toEqual([]);
    expect(await calls.table({ id: table!.id })).toMatchObject({ name: 'mine', entries: mine });
    expect(await calls.exportTable({ id: table!.id })).toMatchObject({
      fileName: 'mine.csv',
      text: csvOfEntries(mine),
    });
    const bad = await calls.importTable({ name: 'bad', csv: 'name,shape,weight\na,b,c' });
    expect(bad).toMatchObject({ table: null, faults: [{ line: 2, fault: 'no_weight', value: 'c' }] });
    expect(tables.list().filter(({ builtIn }) => !builtIn)).toHaveLength(1);
  });

  it('says of a head what will not move', async () => {
    const { calls } = await room();
    const { table } = await calls.importTable({ name: 'm', csv: 'name,shape\nOpen,jawOpen\nEars,earsUp' });
    const checked = await calls.check({ id: table!.id, modelId: null });
    expect(checked.made).toEqual([{ name: 'Open', lacking: [] }]);
    expect(checked.missing).toEqual([{ name: 'Ears', needs: ['earsUp'] }]);
    expect(checked.unused).toContain('mouthClose');
    expect(checked.unused).not.toContain('jawOpen');
  });
});
