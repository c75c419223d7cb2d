import { expect, it } from 'vitest';
import { WaitingList } from '../../src/models/waiting_list.ts';

const one = (id: string, priority: -1 | 0 | 1 = 0, createdAt = 0) => ({
  id,
  owner: id[0]!,
  priority,
  createdAt,
});
const listOf = (...models: ReturnType<typeof one>[]) => {
  const list = new WaitingList<ReturnType<typeof one>>();
  for (const model of models) list.add(model);
  return list;
};
function made(list: ReturnType<typeof listOf>): string[] {
  const order: string[] = [];
  for (let next = list.next(new Set()); next; next = list.next(new Set())) {
    order.push(next.id);
    list.take(next);
  }
  return order;
}

it('owners take turns, each with their oldest first', () => {
  expect(made(listOf(one('a1'), one('a2'), one('a3'), one('b1'), one('c1'), one('b2')))).toEqual([
    'a1',
    'b1',
    'c1',
    'a2',
    'b2',
    'a3',
  ]);
});

it('whoever was served last waits for the others, also for one who comes later', () => {
  const list = listOf(one('a1'), one('a2'), one('a3'));
  list.take(list.next(new Set())!);
  list.add(one('b1'));
  expect(made(list)).toEqual(['a2', 'b1', 'a3']);
});

it('a higher priority goes first, whoever’s it is', () => {
  expect(made(listOf(one('a1'), one('b1', -1), one('b2', 1), one('c1')))).toEqual(['b2', 'a1', 'c1', 'b1']);
});

it('tells how many are made before one, as they then are', () => {
  const models = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'].map((id) => one(id)).concat(one('d1', 1));
  const list = listOf(...models);
  list.take(models[0]!);
  const told = new Map(models.map((model) => [model.id, list.ahead(model)]));
  for (const [place, id] of made(list).entries()) expect(told.get(id), id).toBe(place);
});

it('passes over those that can’t be made, and forgets those that are taken back', () => {
  const list = listOf(one('a1'), one('a2'), one('b1'));
  expect(list.next(new Set(['a1']))?.id).toBe('b1');
  expect(list.remove(one('b1'))).toBe(true);
  expect(list.remove(one('b1'))).toBe(false);
  expect(list.count).toBe(2);
  expect(made(list)).toEqual(['a1', 'a2']);
});

it('lists all that wait, whatever their priority', () => {
  const list = listOf(one('a1', 1), one('b1', -1), one('b2', -1));
  list.remove(one('b1', -1));
  expect([...list.all()].map(({ id }) => id).sort()).toEqual(['a1', 'b2']);
  list.clear();
  expect([...list.all()]).toEqual([]);
});
