/** Each package can be used without the studio: it names what it imports, and its README's example works. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from '../../scripts/imports/modules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const packages = globSync(JSON.parse(read('package.json')).workspaces, { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .sort();
const modules = readTree(root).filter(({ file }) => /^(proto|packages\/[^/]+\/src)\//.test(file));

/** `@scope/name/file.ts` is a file of `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Packages that files name, as an import or as a text: what is read from a package's folder is no import. */
function namedIn(files: readonly string[], own: string, candidates: readonly string[]) {
  const ofFiles = modules.filter(({ file }) => files.includes(file));
  const imported = ofFiles
    .flatMap(({ imports }) => imports.map(({ specifier }) => specifier))
    .filter((specifier) => !/^(\.|node:)/.test(specifier))
    .map(packageOf)
    .filter((name) => name !== own);
  const texts = files.map(read).join('\n');
  const quoted = candidates.filter((name) => new RegExp(`\\(\\s*['"]${name}(/[^'"]*)?['"]`).test(texts));
  return new Set([...imported, ...quoted]);
}

it('there are packages', () => {
  expect(packages).toEqual(expect.arrayContaining(['proto', 'packages/portrait', 'packages/speech']));
});

it('npm asks about no install script: the studio allows or refuses each by name', () => {
  const { packages: installed } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScript = Object.entries(installed).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScript.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(names)].toSorted());
});

describe.each(packages)('%s', (folder) => {
  const manifest = JSON.parse(read(`${folder}/package.json`)) as {
    name: string;
    engines: { node: string };
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const sources = modules
    .map(({ file }) => file)
    .filter((file) => file.startsWith(`${folder}/`) && file !== `${folder}/example.ts`);
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const devDependencies = Object.keys(manifest.devDependencies ?? {});

  it('names the packages that its sources import, and no others', () => {
    expect(sources.length).toBeGreaterThan(0);
    const named = namedIn(sources, manifest.name, dependencies);
    // Types alone are not needed to run it.
    const typesOnly = devDependencies.filter((name) => named.delete(name));
    expect([...named].sort()).toEqual(dependencies.toSorted());
    for (const name of typesOnly) {
      const imports = sources.flatMap((file) => read(file).match(/^(import|export) [^;]*;/gm) ?? []);
      const ofIt = imports.filter((statement) => statement.includes(`'${name}`));
      expect(ofIt.filter((statement) => !/^\w+ type /.test(statement))).toEqual([]);
    }
  });

  it('imports nothing of the studio', () => {
    const imports = modules
      .filter(({ file }) => file.startsWith(`${folder}/`))
      .flatMap(({ file, imports }) => imports.map((each) => ({ from: file, to: each.file })));
    expect(imports.filter(({ to }) => /^(main|preload|renderer)\//.test(to ?? ''))).toEqual([]);
  });

  it('has a README of at most 40 lines that begins with its name', () => {
    const lines = read(`${folder}/README.md`).trimEnd().split('\n');
    expect(lines[0]).toBe(`# ${manifest.name}`);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.join('\n')).toContain('Node 24 or 26');
    expect(manifest.engines.node).toBe('24 || 26');
  });

  it('shows its example.ts in its README', () => {
    const [, code] = /^```ts\n([\s\S]*?)^```$/m.exec(read(`${folder}/README.md`)) ?? [];
    expect(code).toBe(read(`${folder}/example.ts`));
  });

  it('names in its README only what its index exports', () => {
    const entry = globSync(`${folder}/src/index.ts`, { cwd: root });
    const [, table = ''] = /^\| name \|.*\n((?:\|.*\n)+)/m.exec(read(`${folder}/README.md`)) ?? [];
    const names = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    const text = entry.map(read).join('\n');
    expect(entry.length === 0 || names.length > 0).toBe(true);
    expect(names.filter((name) => entry.length > 0 && !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

const programs = globSync('packages/*/training/*.{sh,py}', { cwd: root });

it.each(programs)('%s leads to files that are there', (program) => {
  const relativePaths = [
    ...read(program).matchAll(/\$here\/(\.\.\/[\w./-]*)|__file__\)\), "(\.\.\/[\w./-]*)"/g),
  ];
  const paths = relativePaths.map(([, ofShell, ofPython]) =>
    join(dirname(program), ofShell ?? ofPython ?? ''),
  );
  // `../shared` lies beside the repository, and not everywhere.
  expect(paths.filter((path) => !path.startsWith('../shared/') && !existsSync(join(root, path)))).toEqual([]);
});
