import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventPayload, TakeQuery } from '#contract';
import { createTakeFeed } from '../../../main/takes/list/take_feed.ts';
import { TakeList } from '../../../main/takes/list/take_list.ts';
import { findTakes } from '../../../main/takes/list/take_search.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openTakes, recordTake } from '../../support/recorded_takes.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'likeness-takes-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const day = (text: string): number => new Date(`${text}T12:00`).getTime();
const now = day('2026-11-23');
const takes = [
  takeOf(3, { name: 'Line 10', rating: 4, tags: ['Film', 'day 2'], createdAt: day('2026-11-20') }),
  takeOf(8, { name: 'Line 9', rating: 2, tags: ['film noir'], createdAt: day('2026-11-21'), source: 'file' }),
  takeOf(5, {
    name: 'Überfahrt',
    notes: 'the harbour was loud',
    createdAt: day('2026-11-22'),
    recovered: true,
    script: { language: 'en', fileName: 'scene.srt', characters: 9 },
  }),
  takeOf(600, { name: '开场白', rating: 5, createdAt: day('2026-11-23'), missingSeconds: 2 }),
];
const found = (text: string, more: TakeQuery = {}): string[] =>
  findTakes(takes, { text, ...more }, now).takes.map(({ name }) => name);

test.each([
  ['', ['开场白', 'Überfahrt', 'Line 9', 'Line 10']],
  ['tag:film rating:>3', ['Line 10']],
  ['tag:film', ['Line 9', 'Line 10']],
  ['tag:"film"', ['Line 10']],
  ['tag:none', ['开场白', 'Überfahrt']],
  ['-tag:none rating:<=2', ['Line 9']],
  ['uber', ['Überfahrt']],
  ['harb', ['Überfahrt']],
  ['arbour', []],
  ['场', ['开场白']],
  ['scene', ['Überfahrt']],
  ['from:file', ['Line 9']],
  ['script:yes', ['Überfahrt']],
  ['state:recovered', ['Überfahrt']],
  ['state:gaps', ['开场白']],
  ['made:today', ['开场白']],
  ['made:<2026-11-22', ['Line 9', 'Line 10']],
  ['line -noir', ['Line 10']],
])('%s finds %j', (text, names) => expect(found(text)).toEqual(names));

test('what is not understood is passed over, and told', () => {
  const { takes: all, problems } = findTakes(takes, { text: 'sex:male rating:9 state:lost' }, now);
  expect(all).toHaveLength(4);
  expect(problems.map(({ word, problem }) => [word, problem])).toEqual([
    ['sex:male', 'unknown_field'],
    ['rating:9', 'not_stars'],
    ['state:lost', 'unknown_value'],
  ]);
});

test('it is sorted by name as people count, by stars and by length', () => {
  expect(found('line', { sort: 'name' })).toEqual(['Line 9', 'Line 10']);
  expect(found('', { sort: 'rating', descending: true })).toEqual([
    '开场白',
    'Line 10',
    'Line 9',
    'Überfahrt',
  ]);
  expect(found('', { sort: 'length' })).toEqual(['Line 10', 'Überfahrt', 'Line 9', '开场白']);
});

test('stars and tags are kept on disk, and a take of before has none', async () => {
  const path = folder();
  const before = await openTakes(path);
  const id = await recordTake(before);
  const file = join(path, id, 'take.json');
  const { rating: _, tags: __, ...old } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...old, later: 'kept' }));
  const takes = await openTakes(path);
  expect(takes.listed(id)).toMatchObject({ rating: 0, tags: [], damaged: '' });
  await takes.edit(id, { rating: 3, tags: ['film'] });
  expect((await openTakes(path)).listed(id)).toMatchObject({ rating: 3, tags: ['film'] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ later: 'kept' });
});

test('many are rated and tagged at once, and each change is undone by its own number', async () => {
  const takes = await openTakes(folder());
  const list = new TakeList(takes, () => now);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push(await recordTake(takes, { name }));
  await takes.edit(ids[0]!, { rating: 5, tags: ['old', 'kept'] });
  list.changed();
  const marks = () => ids.map((id) => takes.listed(id)).map(({ rating, tags }) => [rating, ...tags]);
  const changes = { rating: 5, addTags: ['new'], removeTags: ['old'] };
  expect(await list.edit({ selection: { query: { text: '-c' } }, changes })).toEqual({ changed: 2, step: 1 });
  expect(marks()).toEqual([[5, 'kept', 'new'], [5, 'new'], [0]]);
  // Those that are so already don't count, and undo does not touch them.
  expect(await list.edit({ selection: { ids }, changes: { rating: 5 } })).toEqual({ changed: 1, step: 2 });
  expect(await list.undoEdit(2)).toBe(1);
  expect(marks()).toEqual([[5, 'kept', 'new'], [5, 'new'], [0]]);
  expect(await list.undoEdit(2)).toBe(0);
  expect(list.tags()).toEqual(['new', 'kept']);
  expect(await list.undoEdit(1)).toBe(2);
  expect(marks()).toEqual([[5, 'old', 'kept'], [0], [0]]);
});

test('many go to the trash and come back; one that somebody took before is left out', async () => {
  const takes = await openTakes(folder());
  const list = new TakeList(takes, () => now);
  const ids = [await recordTake(takes), await recordTake(takes), await recordTake(takes)];
  const left: string[] = [];
  const gone = await list.trash({ ids: [...ids.slice(1), 'nobody'] }, async (id) => void left.push(id));
  expect(gone).toEqual(ids.slice(1));
  expect(left).toEqual([...ids.slice(1), 'nobody']);
  expect(takes.list().map(({ id }) => id)).toEqual([ids[0]]);
  expect(await list.restore([...gone, 'nobody'])).toBe(2);
  expect(takes.list()).toHaveLength(3);
});

test('the page is told what changed, and not of each of a thousand', async () => {
  const told: EventPayload<'takes', 'changed'>[] = [];
  let end = (): void => {};
  const takes = await openTakes(folder(), { onChanged: (changes) => feed.changes(changes) });
  const feed = createTakeFeed({
    some: (ids) => takes.some(ids),
    emit: (payload) => {
      told.push(payload);
      end();
    },
    onDefect: (error) => expect.unreachable(String(error)),
  });
  const next = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  const first = next();
  const id = await recordTake(takes);
  const other = await recordTake(takes, { name: 'other' });
  await takes.edit(id, { rating: 2 });
  await takes.trash(other);
  await first;
  expect(told.flatMap(({ takes }) => takes).at(-1)).toMatchObject({ id, rating: 2 });
  expect(told.flatMap(({ removed }) => removed)).toEqual([other]);
  const many = next();
  feed.changes({ changed: Array.from({ length: 1000 }, (_, at) => `t${at}`), removed: [] });
  await many;
  expect(told.at(-1)).toEqual({ takes: [], removed: [], stale: true });
  feed.close();
});
