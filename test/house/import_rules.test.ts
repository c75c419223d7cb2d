import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
let folder: string;

/** [file, what it imports, whether the house allows it] */
const cases: [string, string, boolean][] = [
  ['proto/a.ts', 'protobufjs', true],
  ['proto/a.ts', '../main/failure.ts', false],
  ['proto/a.ts', 'node:fs', false],
  ['sentences/a.ts', '../proto/blendshapes.ts', true],
  ['sentences/a.ts', '../main/failure.ts', false],
  ['preload/contract.ts', 'zod', true],
  ['preload/contract.ts', '#sentences', true],
  ['preload/contract.ts', '#proto/blendshapes.ts', true],
  ['preload/contract.ts', 'node:fs', false],
  ['preload/contract.ts', '../main/failure.ts', false],
  ['preload/bridge.ts', '../main/failure.ts', false],
  ['renderer/base/a.ts', '#contract', true],
  ['renderer/base/a.ts', '#sentences', true],
  ['renderer/base/a.ts', '../live/b.ts', true],
  ['renderer/base/a.ts', '../../main/failure.ts', false],
  ['renderer/base/a.ts', 'node:fs', false],
  ['renderer/base/a.ts', 'electron', false],
  ['main/batch/a.ts', '../storage/b.ts', true],
  ['main/batch/a.ts', '../library/b.ts', false],
  ['main/library/a.ts', '../engine/portrait/b.ts', false],
  ['main/journal/a.ts', '../connections/b.ts', false],
  ['main/upstream/a.ts', '../studio.ts', false],
  ['main/storage/a.ts', '../journal/b.ts', false],
  ['main/engine/a.ts', '#proto/blendshapes.ts', true],
  ['main/engine/portrait/a.ts', '../../failure.ts', false],
  ['main/engine/a.ts', '#contract', false],
  ['main/engine/a.ts', '#sentences', true],
  ['main/engine_host/a.ts', '#contract', true],
  ['main/engine_host/a.ts', '../upstream/b.ts', false],
  ['main/a.ts', 'electron', false],
  ['main/a.ts', '../renderer/base/b.ts', false],
  ['main/desktop.ts', 'electron', true],
  ['main/shell/electron/a.ts', 'electron', true],
  ['main/shell/browser/a.ts', 'electron', false],
];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-rules-'));
  const configuration = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  delete configuration.vcs;
  delete configuration.$schema;
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(configuration));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(cases)('%s importing %s: allowed %s', (file, imported, allowed) => {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `import { a } from '${imported}';\n\na();\n`);
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', file], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(path);
  expect(`${stdout}${stderr}`.includes('noRestrictedImports')).toBe(!allowed);
});

it('a Node that is not 24 is told in one line what to do', () => {
  const guard = join(folder, 'guard.js');
  cpSync(join(root, 'scripts/node-guard.js'), guard);
  execFileSync(process.execPath, [guard]);
  const disguised = [
    '-e',
    `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import(${JSON.stringify(guard)})`,
  ];
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', ...disguised], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/Node 24.*npm ci/);
});
