/** docs/quality.md and the figures behind it: each command exists, each cell can be read, each value can be updated. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineVersion } from '@likeness/portrait';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { qualityPage } from '../../scripts/pages/quality_page.ts';
import {
  figuresText,
  meetsTarget,
  readQualityFigures,
  withFigure,
} from '../../scripts/quality/quality_figures.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const figures = readQualityFigures();
const ids = figures.figures.map(({ id }) => id);
const page = qualityPage();
const cells = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));

/** Where a benchmark's file is, by its name. */
const benchFile = (name: string): string =>
  [`test/bench/${name}.bench.ts`, `test/bench/service/${name}.bench.ts`].find((path) =>
    existsSync(join(root, path)),
  ) ?? '';

it('figures.json is written as recordFigure writes it, with each id once', () => {
  expect(read('docs/quality/figures.json')).toBe(figuresText(figures));
  expect(ids).toEqual([...new Set(ids)]);
  const areas = figures.areas.map(({ id }) => id);
  for (const { area } of figures.figures) expect(areas).toContain(area);
});

it('names the portrait engine of today', () => {
  expect(page.match(/portrait-\d+/g)).toContain(engineVersion);
});

it('has one limit for all values of a figure or one for each', () => {
  for (const { id, target, today } of figures.figures)
    for (const limits of Object.values(target ?? {})) expect([1, today.length], id).toContain(limits.length);
});

it('history.csv has a figure, a version and a value in each line', () => {
  const [head, ...lines] = read('docs/quality/history.csv').trimEnd().split('\n');
  expect(head).toBe('figure,version,value');
  for (const line of lines) expect(line).toMatch(/^[a-z0-9-]+,[^,]+,-?\d[-–\d.; ]*$/);
});

describe('the page', () => {
  it('has about 200 lines, and four cells of at most 80 characters in each row', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(230);
    expect(cells.length).toBe(ids.length + figures.areas.length);
    for (const row of cells) {
      expect(row.length, row.join()).toBe(4);
      for (const cell of row) expect(cell.length, cell).toBeLessThanOrEqual(80);
    }
  });

  it('marks a figure that misses its target, and no other', () => {
    const made = qualityPage({
      areas: [{ id: 'a', title: 'A', text: '' }],
      figures: [
        { max: [2], today: [2, 2.1] },
        { min: [1, 2], today: [1, 2] },
        { within: [5], today: [-3, 5] },
        { within: [5], today: [-5.5] },
      ].map(({ today, ...target }, at) => ({
        id: `f${at}`,
        area: 'a',
        figure: `F${at}`,
        unit: 'mm',
        target: target as { max: number[] },
        today,
        measured: { date: '2026-01-02', commit: '01234567' },
        command: 'npm run bench',
      })),
    });
    expect(made).toContain('2 of 4 targets are met');
    expect(made.split('\n').filter((line) => line.startsWith('| F'))).toEqual([
      '| F0 | ≤ 2 mm | 2; 2.1 mm **missed** | `npm run bench` |',
      '| F1 | ≥ 1; 2 mm | 1; 2 mm | `npm run bench` |',
      '| F2 | ± 5 mm | −3; 5 mm | `npm run bench` |',
      '| F3 | ± 5 mm | −5.5 mm **missed** | `npm run bench` |',
    ]);
  });
});

describe.each([...new Set(figures.figures.map(({ command }) => command))])('%s', (command) => {
  const words = command.replace(/^(?:[A-Z_]+=\S+ )*/, '').split(' ');

  it('exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const [program, , script = '', , bench = ''] = words;
    const isThere =
      program === 'npm' ? Object.hasOwn(scripts, script) : existsSync(join(root, words.at(-1) ?? ''));
    expect(isThere).toBe(true);
    expect(script !== 'bench' || benchFile(bench) !== '').toBe(true);
  });

  it('prints each value that it updates', () => {
    const printed = figures.figures
      .filter((each) => each.command === command)
      .flatMap(({ prints = [] }) => prints);
    const patterns = printed.length === 0 ? [] : namesIn(benchFile(words[4] ?? ''));
    for (const name of printed)
      expect(
        patterns.filter((pattern) => pattern.test(name)),
        name,
      ).not.toEqual([]);
  });
});

/** Patterns of the texts in a source file; a template's values are anything. */
function namesIn(file: string): RegExp[] {
  const found: RegExp[] = [];
  const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, value, quasis } = node as {
      type?: string;
      value?: unknown;
      quasis?: { value: { raw: string } }[];
    };
    if (type === 'Literal' && typeof value === 'string') found.push(new RegExp(`^${escaped(value)}$`));
    const parts = quasis?.map((part) => part.value.raw) ?? [];
    if (parts.join('').length >= 5) found.push(new RegExp(`^${parts.map(escaped).join('.*')}$`));
    Object.values(node).forEach(walk);
  };
  walk(parseSync(file, read(file)).program);
  return found;
}

it('the quality commands record figures that the page has', () => {
  const known = (id: string): boolean =>
    ids.includes(id) || ids.includes(`${id}-live`) || ids.includes(`${id}-full`);
  const [, table = ''] =
    /const measured: Record<[^;]*? = \{\n([\s\S]*?)\n {2}\};/.exec(read('scripts/quality/portrait.ts')) ?? [];
  const recorded = [
    ...[...table.matchAll(/^ {4}'?([a-z0-9-]+)'?: /gm)].map(([, id = '']) => id),
    ...['speech', 'take_face', 'words'].flatMap((name) =>
      [...read(`scripts/quality/${name}.ts`).matchAll(/'((?:speech|take|words)-[a-z-]+)'/g)].map(
        ([, id = '']) => id,
      ),
    ),
  ];
  expect(recorded.length).toBeGreaterThan(25);
  expect(recorded.filter((id) => !known(id))).toEqual([]);
});

describe('withFigure', () => {
  const measured = { date: '2026-02-03', commit: 'abcdef01' };

  it('replaces value, date and commit, and drops the note about the value before', () => {
    const { figures: changed } = withFigure(figures, { id: 'head-time', value: [1.23456], measured });
    const head = changed.find(({ id }) => id === 'head-time');
    expect(head).toMatchObject({ today: [1.235], measured });
    expect(head).not.toHaveProperty('note');
    expect(meetsTarget(head ?? { target: null, today: [] })).toBe(true);
    expect(changed.filter(({ id }) => id !== 'head-time')).toEqual(
      figures.figures.filter(({ id }) => id !== 'head-time'),
    );
  });

  it.each([
    ['no-such-figure', [1], 'has no figure “no-such-figure”'],
    ['head-time', [1, 2], 'has 1 values; measured: 1; 2'],
    ['head-time', [Number.NaN], 'has 1 values; measured: NaN'],
  ])('refuses %s %s', (id, value, message) => {
    expect(() => withFigure(figures, { id, value, measured })).toThrow(message);
  });
});
