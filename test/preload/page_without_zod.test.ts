/**
 * What the page imports by value, all the way down, has no zod in it: types come from `#contract`, values do
 * not.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

/** The file of ours that `name` stands for in `file`, from the root; null for a package. */
function resolved(name: string, file: string): string | null {
  if (name.startsWith('.')) return relative(root, join(root, dirname(file), name));
  for (const [alias, target] of Object.entries(imports)) {
    if (alias === name) return target.slice(2);
    const [start = '', end] = alias.split('*');
    if (end === '' && name.startsWith(start)) return target.slice(2).replace('*', name.slice(start.length));
  }
  return null;
}

/** What a file imports when it runs; what the compiler takes out (`import type`) is left out. */
const valueImports = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, named, awaited]) => named ?? awaited ?? '');

/** The chain of files from one to zod, where there is one. */
function wayToZod(file: string, seen: Set<string>): string[] | null {
  if (seen.has(file)) return null;
  seen.add(file);
  for (const name of valueImports(file)) {
    if (name === 'zod' || name.startsWith('zod/')) return [file, name];
    const next = resolved(name, file);
    if (!next || !/\.tsx?$/.test(next) || !existsSync(join(root, next))) continue;
    const way = wayToZod(next, seen);
    if (way) return [file, ...way];
  }
  return null;
}

it('the page loads no zod', () => {
  const files = globSync('renderer/**/*.{ts,tsx}', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect(wayToZod(file, new Set()), file).toBeNull();
});

it('a way to zod is found', () => {
  expect(wayToZod('preload/contract.ts', new Set())?.at(-1)).toBe('zod');
  expect(resolved('#contract/constants.ts', 'renderer/main.tsx')).toBe('preload/contract/constants.ts');
  expect(resolved('#contract', 'renderer/main.tsx')).toBe('preload/contract.ts');
  expect(valueImports('renderer/main.tsx')).toContain('./live/PopOut.tsx');
  expect(valueImports('renderer/base/studio.ts')).not.toContain('#contract');
});
