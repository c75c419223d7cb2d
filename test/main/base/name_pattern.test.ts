import { expect, it } from 'vitest';
import { nameByPattern } from '../../../main/base/name_pattern.ts';

const values = { name: 'joni-ernst_2', file: 'Anna McKay', number: '7' };
const named = (pattern: string, find = '', replacement = ''): string =>
  nameByPattern(pattern, values, 'before', { find, replacement });

it('writes a file’s words as a name, and leaves what has capital letters', () => {
  expect(named('{name:title}')).toBe('Joni Ernst 2');
  expect(named('{file:title}, {number:3}')).toBe('Anna McKay, 007');
});

it('replaces a text wherever it stands in the result, as it is typed', () => {
  expect(named('{name} {number}', '-', ' ')).toBe('joni ernst_2 7');
  expect(named('{name}', '_2')).toBe('joni-ernst');
  expect(named('{file}', 'Anna', '$& {name}')).toBe('$& {name} McKay');
  expect(named('{name}', 'joni-ernst_2')).toBe('before');
});

it.each(['{number:title}', '{name:3}', '{name:}', '{number:0}', '{title}'])('refuses %s', (pattern) => {
  expect(() => named(pattern)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
