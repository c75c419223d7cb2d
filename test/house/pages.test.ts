/** What the pages say of the repository is so. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { madePages } from '../../scripts/docs.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = globSync('{*,docs/**/*,research/*,proto/*,packages/*/*,packages/*/training/**/*}.md', {
  cwd: root,
}).map((path) => path.replaceAll('\\', '/'));

describe.each(Object.entries(madePages))('%s', (path, make) => {
  it('is what npm run docs makes', () => expect(read(path)).toBe(make()));
});

it.each(pages)('%s links to files that are there', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
  const ours = links.filter((target) => !/^[a-z]+:/.test(target));
  expect(ours.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

it('ARCHITECTURE.md names files and folders that are there', () => {
  const named = [
    ...read('ARCHITECTURE.md').matchAll(
      /`((?:main|packages|preload|proto|renderer|scripts|test)\/[^`*<…]*)`/g,
    ),
  ];
  expect(named.length).toBeGreaterThan(20);
  expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('docs/security.md names tests that are there, and titles that they have', () => {
  const named = [
    ...read('docs/security.md').matchAll(/`((?:test|packages)\/[^` ]+\.(?:test|spec)\.ts)(?: › ([^`]+))?`/g),
  ];
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter(
    ([, path = '', title = '']) => !existsSync(join(root, path)) || !read(path).includes(title),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

it('every format has a page that the list of formats names', () => {
  const list = read('docs/formats/README.md');
  const formats = globSync('docs/formats/*.md', { cwd: root }).filter((page) => !page.endsWith('README.md'));
  expect(formats.length).toBeGreaterThan(0);
  for (const page of formats) expect(list).toContain(`](${page.replace(/.*[\\/]/, '')})`);
});

it('the same two versions of Node are named everywhere', () => {
  const { engines, devDependencies } = JSON.parse(read('package.json'));
  expect(engines.node).toBe('24 || 26');
  expect(devDependencies.node).toMatch(/^24\./);
  expect(read('scripts/node-guard.js')).toContain("major !== '24' && major !== '26'");
  const workflow = parse(read('.github/workflows/test.yml'));
  const { matrix } = workflow.jobs.test.strategy;
  expect([...matrix.node, ...matrix.include.map(({ node }: { node: number }) => node)]).toEqual([24, 26]);
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    expect(read(page)).toContain('Node 24 or 26');
    expect(read(page)).not.toMatch(/Node (≥|>=) ?\d/);
  }
});
