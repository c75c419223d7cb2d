/** Statements of ARCHITECTURE.md that the repository can be compared with. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from '../../scripts/imports/modules.ts';
import { rooms } from '../../scripts/imports/rooms.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('ARCHITECTURE.md');
const listed = (...folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

/** The text of a section, from its heading to the next. */
function section(heading: string): string {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  const [body = ''] = text.split('\n## ');
  expect(body, heading).not.toBe('');
  return body;
}

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (package|floor|path) \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('packages', () => {
  it.each(rowsOf(section('Packages')))('%s: %s depends on %s', (name, _contains, needs = '') => {
    const [folder = ''] = codeIn(name ?? '');
    const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as {
      dependencies?: Record<string, string>;
    };
    const ours = Object.keys(dependencies).flatMap((each) => /^@likeness\/(.*)/.exec(each)?.[1] ?? []);
    expect(needs === '–' ? [] : needs.split(', ')).toEqual(ours.toSorted());
  });

  it('lists each workspace', () => {
    const folders = listed('proto/package.json', 'packages/*/package.json').map((path) => dirname(path));
    expect(
      rowsOf(section('Packages'))
        .flatMap(([name = '']) => codeIn(name))
        .sort(),
    ).toEqual(folders.sort());
  });
});

describe('rooms', () => {
  const modules = readTree(root).filter(({ file }) => /^(main|preload|renderer)\//.test(file));
  const isIn = (room: string, file: string): boolean => file === room || file.startsWith(`${room}/`);
  let floor = 0;
  const floors = rowsOf(section('The studio')).flatMap(([name, cell = '']) => {
    if (name !== '') floor += 1;
    return codeIn(cell).map((room) => ({ room, floor }));
  });
  const floorOf = (file: string): number => floors.find(({ room }) => isIn(room, file))?.floor ?? 0;

  it('are all in the table', () => {
    const files = listed('main', 'preload').filter((file) => file.endsWith('.ts'));
    expect(floors.length).toBeGreaterThan(20);
    expect(files.filter((file) => floorOf(file) === 0)).toEqual([]);
  });

  it('import nothing of a floor above', () => {
    const upwards = modules.flatMap(({ file, imports }) =>
      imports
        .filter((each) => floorOf(file) > floorOf(each.file ?? '') && floorOf(each.file ?? '') > 0)
        .map((each) => `${file} imports ${each.file}`),
    );
    expect(upwards).toEqual([]);
  });

  it('of the page are named from bottom to top', () => {
    const [, text = ''] = section('The studio').split('The page is beside');
    const named = codeIn(text).filter((code) => code.startsWith('renderer/'));
    const folders = listed('renderer').flatMap((file) => /^renderer\/[^/]+(?=\/)/.exec(file) ?? []);
    expect(named.toSorted()).toEqual([...new Set(folders)].sort());
    // A screen may show parts of a screen before it: rooms.ts has them in that order too.
    const upwards = rooms.flatMap(({ room, may }) =>
      may
        .filter((other) => named.includes(room) && named.indexOf(other) > named.indexOf(room))
        .map((other) => `${room} imports ${other}`),
    );
    expect(upwards).toEqual([]);
  });
});

it('the folders of the engine’s steps exist', () => {
  const [, step = ''] = /\n5\. The engine runs ([^.]*)\./.exec(page) ?? [];
  const steps = codeIn(step);
  const folders = listed('packages/portrait/src').map((file) => file.split('/')[3]);
  expect(steps.length).toBeGreaterThan(9);
  expect(steps.filter((each) => !/\//.test(each) && !folders.includes(each))).toEqual([]);
});

describe('file names', () => {
  const sources = listed().filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));

  it('are in snake case outside the page', () => {
    const files = sources.filter(
      (file) => /^(main|packages|preload|proto|test)\//.test(file) && !file.startsWith('test/renderer/'),
    );
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter((file) => !/^[a-z0-9_]+(\.[a-z]+)*\.tsx?$/.test(basename(file)))).toEqual([]);
  });

  it('are in Pascal or kebab case in the page', () => {
    const files = sources.filter((file) => file.startsWith('renderer/') && basename(file) !== 'zh-CN.ts');
    expect(files.length).toBeGreaterThan(100);
    expect(
      files.filter(
        (file) => !/^([A-Z][A-Za-z0-9]*\.tsx|[a-z0-9-]+(\.worker|\.worklet)?\.tsx?)$/.test(basename(file)),
      ),
    ).toEqual([]);
  });
});

describe('limits of size', () => {
  const table = section('Limits of size');
  const named = rowsOf(table).flatMap(([paths = '', kind]) => codeIn(paths).map((path) => ({ path, kind })));
  const sources = listed('main', 'packages', 'preload', 'proto', 'renderer', 'scripts').filter(
    (file) => /\.tsx?$/.test(file) && !/\/(test|generated)\/|\/(en|zh-CN)\.ts$/.test(file),
  );

  it('name each file of more than 400 lines, and none that became shorter', () => {
    const lines = (file: string): number => read(file).trimEnd().split('\n').length;
    const over = named.filter(({ kind }) => kind === 'lines').map(({ path }) => path);
    expect(sources.filter((file) => lines(file) > 400 && !over.includes(file))).toEqual([]);
    expect(over.filter((file) => lines(file) <= 380)).toEqual([]);
  });

  it('name each folder of more than 20 files, and no other', () => {
    const counts = new Map<string, number>();
    for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const over = [...counts].filter(([, count]) => count > 20).map(([folder]) => folder);
    expect(named.filter(({ kind }) => kind === 'files').map(({ path }) => path)).toEqual(
      over.sort().reverse(),
    );
  });
});
