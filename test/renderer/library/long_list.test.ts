import { expect, test } from 'vitest';
import { LongList } from '../../../renderer/ui/lists/long-list.ts';
import { Selection } from '../../../renderer/ui/lists/selection.ts';

interface Item {
  id: string;
  word: string;
}
interface Asked {
  query: string;
  offset: number;
  answer: (total?: number) => void;
}

/** A list over a main that answers when it is told to. */
function slowList(size = 10) {
  const asked: Asked[] = [];
  const list = new LongList<Item, string>(
    (query, offset, limit) =>
      new Promise((resolve) => {
        asked.push({
          query,
          offset,
          answer: (total = 100) =>
            resolve({
              items: Array.from({ length: Math.min(limit, total - offset) }, (_, at) => ({
                id: `${query}${offset + at}`,
                word: query,
              })),
              total,
            }),
        });
      }),
    'a',
    () => () => undefined,
    size,
  );
  list.subscribe(() => undefined);
  return { list, asked };
}
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('an old answer stays on the screen until the new one is there, and a late one is dropped', async () => {
  const { list, asked } = slowList();
  asked[0]?.answer();
  await settle();
  expect(list.at(0)?.word).toBe('a');

  list.find('b');
  list.find('c');
  expect(list.at(0)?.word).toBe('a');
  asked[2]?.answer(30);
  await settle();
  expect(list.listed).toMatchObject({ shown: 'c', total: 30, loading: false });
  asked[1]?.answer();
  await settle();
  expect(list.at(0)?.word).toBe('c');
  expect(list.listed.total).toBe(30);
});

test('an answer that is older than a change does not take the change back', async () => {
  const { list, asked } = slowList();
  list.patch([{ id: 'a1', word: 'changed before the first answer' }], [], false);
  asked[0]?.answer();
  await settle();
  expect(list.at(1)?.word).toBe('changed before the first answer');

  list.refresh();
  list.patch([{ id: 'a2', word: 'changed' }], [], false);
  asked[1]?.answer();
  await settle();
  expect([1, 2].map((index) => list.at(index)?.word)).toEqual(['a', 'changed']);

  list.setWindow(10, 19);
  list.patch([{ id: 'a12', word: 'changed on another page' }], [], false);
  asked[2]?.answer();
  await settle();
  expect(list.at(12)?.word).toBe('changed on another page');

  list.setWindow(20, 29);
  list.overtake([
    { id: 'a22', word: 'changed' },
    { id: 'z', word: 'on no page' },
  ]);
  asked[3]?.answer();
  await settle();
  expect([22, 23].map((index) => list.at(index)?.word)).toEqual(['changed', 'a']);
});

test('pages are fetched when they are looked at, once', async () => {
  const { list, asked } = slowList();
  asked[0]?.answer();
  await settle();
  list.setWindow(25, 34);
  list.setWindow(25, 34);
  expect(asked.map(({ offset }) => offset)).toEqual([0, 20, 30]);
  asked[1]?.answer();
  await settle();
  expect(list.at(25)?.id).toBe('a25');
  expect(list.at(35)).toBeUndefined();
});

test('what changed is put in place without asking; what is new makes it ask again', async () => {
  const { list, asked } = slowList();
  asked[0]?.answer();
  await settle();
  list.patch([{ id: 'a3', word: 'changed' }], [], false);
  expect(list.at(3)?.word).toBe('changed');
  expect(asked).toHaveLength(1);
  list.patch([{ id: 'unheard-of', word: 'new' }], [], false);
  await expect.poll(() => asked.length).toBe(2);
});

test('a range reaches over pages that are not here yet', async () => {
  const { list, asked } = slowList();
  asked[0]?.answer();
  await settle();
  const ids = list.idsBetween(8, 12);
  asked[1]?.answer();
  expect(await ids).toEqual(['a8', 'a9', 'a10', 'a11', 'a12']);
});

test('everything but one is said by naming the others', async () => {
  const { list, asked } = slowList(50);
  asked[0]?.answer(40);
  await settle();
  const selection = new Selection(list);
  selection.everything();
  selection.toggle(7, 40);
  await settle();
  expect(selection.chosen.all).toBe(false);
  expect(selection.chosen.ids.size).toBe(39);
  expect(selection.chosen.ids.has('a7')).toBe(false);
});
