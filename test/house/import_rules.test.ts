/** Each rule of imports fires. That the tree keeps them is part of `npm run check`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModules } from '../../scripts/imports/modules.ts';
import { reserved, rooms } from '../../scripts/imports/rooms.ts';
import { brokenRules, type Rules } from '../../scripts/imports/rules.ts';

const root = join(import.meta.dirname, '../..');
const aliases = {
  '#contract': './preload/contract.ts',
  '@likeness/proto/*': 'proto/*',
  ...Object.fromEntries(
    [
      'client',
      'engine',
      'geometry',
      'gltf',
      'head-renderer',
      'journal',
      'messages',
      'node-kit',
      'portrait',
      'service',
      'speech',
      'synthetic-heads',
    ].map((name) => [`@likeness/${name}/*`, `packages/${name}/src/*`]),
  ),
};

/**
 * What the check says of these files; rows of the table that hold none of them are nothing to complain of
 * here.
 */
function said(sources: Record<string, string>, rules: Partial<Rules> = {}): string[] {
  return brokenRules(readModules(sources, aliases), { rooms, reserved, known: [], ...rules }).filter(
    (line) => !line.endsWith('holds no file'),
  );
}

/** [file, what it imports, whether the table allows it] */
const cases: [string, string, boolean][] = [
  ['proto/a.ts', 'protobufjs', true],
  ['proto/a.ts', '@likeness/node-kit/failure.ts', false],
  ['proto/a.ts', 'node:fs', false],
  ['packages/messages/src/a.ts', '../proto/blendshapes.ts', false],
  ['packages/messages/src/a.ts', '@likeness/node-kit/failure.ts', false],
  ['packages/messages/src/a.ts', 'node:fs', false],
  ['preload/contract.ts', 'zod', true],
  ['preload/contract.ts', '@likeness/messages/message.ts', true],
  ['preload/contract.ts', '@likeness/proto/blendshapes.ts', true],
  ['preload/contract.ts', 'node:fs', false],
  ['preload/contract.ts', 'electron', false],
  ['preload/contract.ts', '@likeness/node-kit/failure.ts', false],
  ['preload/contract/batch.ts', './library.ts', true],
  ['preload/bridge.ts', './contract.ts', true],
  ['preload/bridge.ts', '@likeness/node-kit/failure.ts', false],
  ['preload/bridge.ts', 'electron', false],
  ['preload/index.ts', 'electron', true],
  ['renderer/base/a.ts', '#contract', true],
  ['renderer/base/a.ts', '@likeness/messages/message.ts', true],
  ['renderer/base/a.ts', '../ui/b.ts', false],
  ['renderer/base/a.ts', '../live/b.ts', false],
  ['renderer/base/a.ts', '@likeness/node-kit/failure.ts', false],
  ['renderer/base/a.ts', '../../preload/bridge.ts', false],
  ['renderer/base/a.ts', 'node:fs', false],
  ['renderer/base/a.ts', 'electron', false],
  ['renderer/base/a.ts', 'sharp', false],
  ['renderer/ui/a.ts', '../base/b.ts', true],
  ['renderer/ui/a.ts', '../frame/b.ts', false],
  ['renderer/ui/a.ts', 'three', false],
  ['renderer/viewer/a.ts', 'three', true],
  ['renderer/viewer/a.ts', '../speaking/b.ts', false],
  ['renderer/live/a.ts', '../speaking/b.ts', true],
  ['renderer/live/a.ts', '../portraits/b.ts', false],
  ['renderer/live/a.ts', '../frame/b.ts', false],
  ['renderer/live/a.ts', '../../test/fixtures/b.ts', false],
  ['renderer/settings/a.ts', '../library/b.ts', true],
  ['renderer/frame/a.ts', '../portraits/b.ts', true],
  ['packages/node-kit/src/failure.ts', '#contract', false],
  ['main/base/a.ts', '@likeness/node-kit/failure.ts', true],
  ['packages/node-kit/src/storage/a.ts', '@likeness/journal/b.ts', false],
  ['packages/gltf/src/a.ts', '../../../main/library/b.ts', false],
  ['packages/engine/src/a.ts', '@likeness/proto/blendshapes.ts', true],
  ['packages/engine/src/a.ts', '@likeness/messages/message.ts', true],
  ['packages/engine/src/a.ts', '#contract', false],
  ['packages/engine/src/a.ts', '../../../main/base/b.ts', false],
  ['packages/speech/src/a.ts', '@likeness/portrait/b.ts', false],
  ['packages/portrait/src/a.ts', '@likeness/engine/b.ts', false],
  ['packages/portrait/src/a.ts', '#contract', false],
  ['packages/portrait/src/contract/a.ts', '../photo/b.ts', false],
  ['packages/portrait/src/fit/a.ts', '../landmarks/b.ts', true],
  ['packages/portrait/src/fit/a.ts', '../hair/b.ts', false],
  ['packages/portrait/src/photo/a.ts', '../make_head.ts', false],
  ['packages/portrait/src/gltf/a.ts', '@likeness/gltf/b.ts', true],
  ['main/engine_host/a.ts', '@likeness/engine/b.ts', true],
  ['main/engine_host/a.ts', '#contract', true],
  ['main/engine_host/a.ts', '@likeness/client/b.ts', false],
  ['main/shell/a.ts', './electron/b.ts', false],
  ['main/shell/browser/a.ts', '../shell.ts', true],
  ['main/shell/browser/a.ts', '../electron/b.ts', false],
  ['main/shell/browser/a.ts', 'electron', false],
  ['main/shell/browser/a.ts', 'ws', true],
  ['main/shell/none/a.ts', '../browser/b.ts', false],
  ['main/shell/electron/a.ts', 'electron', true],
  ['main/shell/electron/a.ts', 'electron-updater', true],
  ['main/connections/a.ts', '@likeness/client/b.ts', false],
  ['packages/client/src/a.ts', 'undici', true],
  ['packages/client/src/a.ts', '../../../main/studio.ts', false],
  ['packages/journal/src/a.ts', '@likeness/client/b.ts', false],
  ['packages/service/src/a.ts', '@likeness/journal/b.ts', true],
  ['packages/service/src/a.ts', '../../../main/studio.ts', false],
  ['packages/engine/src/a.ts', '@likeness/service/b.ts', false],
  ['main/settings/a.ts', '../batch/b.ts', false],
  ['main/ipc/a.ts', '../shell/b.ts', false],
  ['main/live/a.ts', '../takes/b.ts', false],
  ['main/live/a.ts', 'undici', false],
  ['main/batch/a.ts', '@likeness/node-kit/storage/b.ts', true],
  ['main/batch/a.ts', '../library/b.ts', false],
  ['main/library/a.ts', '@likeness/gltf/formats/b.ts', true],
  ['main/library/a.ts', '@likeness/portrait/b.ts', false],
  ['packages/gltf/src/a.ts', './formats/b.ts', false],
  ['main/takes/a.ts', '@likeness/gltf/formats/b.ts', true],
  ['main/takes/a.ts', '../library/b.ts', false],
  ['main/settings/a.ts', '../connections/b.ts', true],
  ['main/settings/a.ts', '../batch/b.ts', false],
  ['main/commands/a.ts', '../studio.ts', true],
  ['main/commands/a.ts', 'commander', true],
  ['main/updates.ts', './live/b.ts', false],
  ['main/updates.ts', 'commander', false],
  ['main/studio.ts', './commands/b.ts', false],
  ['main/studio.ts', './takes/b.ts', true],
  ['main/studio.ts', 'electron', false],
  ['main/studio.ts', '../renderer/base/b.ts', false],
  ['main/desktop.ts', 'electron', true],
  ['scripts/a.ts', '../test/main/b.ts', false],
  ['scripts/quality/speech.ts', '../../test/bench/b.ts', true],
  ['test/renderer/a.ts', 'node:fs', false],
  ['test/renderer/a.ts', '../main/b.ts', false],
  ['test/proto/a.ts', '../../main/b.ts', false],
  ['test/main/a.ts', '../fixtures/b.ts', true],
  ['test/fixtures/a.ts', '../main/b.ts', false],
  ['packages/gltf/test/a.ts', '../../../test/support/b.ts', true],
  ['packages/gltf/test/a.ts', '@likeness/service/b.ts', false],
  ['packages/portrait/test/a.ts', '../../../main/studio.ts', false],
];

describe('who may import what', () => {
  it.each(cases)('%s importing %s: allowed %s', (file, imported, allowed) => {
    const told = said({ [file]: `import { a } from '${imported}';\n\na();\n` });
    expect(told.filter((line) => /^(room|package):/.test(line))).toHaveLength(allowed ? 0 : 1);
    expect(told.filter((line) => !/^(room|package):/.test(line))).toEqual([]);
  });

  it.each([
    'import type { a } from "../library/b.ts";',
    'export type { a } from "../library/b.ts";',
    'export * from "../library/b.ts";',
    'export const b = await import("../library/b.ts");',
    'export type B = import("../library/b.ts").B;',
  ])('%s is an import', (line) => {
    expect(said({ 'main/batch/a.ts': line })).toHaveLength(1);
  });

  it('a folder that no row covers is told', () => {
    expect(said({ 'main/cellar/a.ts': '' })).toEqual([
      'no room: main/cellar/a.ts lies in no room of the table',
    ]);
  });

  it('a row that holds no file, and one that allows an arrow up, are told', () => {
    const table = [
      { room: 'main/base', may: ['main/ipc'] },
      { room: 'main/ipc', may: [] },
      { room: 'main/gone', may: [] },
    ];
    const modules = readModules({ 'main/base/a.ts': '', 'main/ipc/a.ts': '' }, aliases);
    expect(brokenRules(modules, { rooms: table, reserved, known: [] })).toEqual([
      'table: main/base may import main/ipc, which stands above it',
      'table: main/gone holds no file',
    ]);
  });
});

describe('circles', () => {
  const circle = {
    'main/batch/a.ts': "import { b } from './b.ts';\nexport const a = b;",
    'main/batch/b.ts': "import { c } from './c.ts';\nexport const b = c;",
    'main/batch/c.ts': "import type { A } from './a.ts';\nexport const c: A = 1;",
  };
  const told = 'circle: main/batch/a.ts → main/batch/b.ts → main/batch/c.ts → main/batch/a.ts';

  it('are refused, those of types alone too', () => {
    expect(said(circle)).toEqual([told]);
    expect(said({ ...circle, 'main/batch/c.ts': '' })).toEqual([]);
    expect(said({ 'main/batch/a.ts': "export * from './a.ts';" })).toHaveLength(1);
  });

  it('are excused by a row of the table, which goes with its cause', () => {
    const known = [{ rule: 'circle' as const, at: 'main/batch/a.ts main/batch/b.ts main/batch/c.ts' }];
    expect(said(circle, { known })).toEqual([]);
    expect(said({ ...circle, 'main/batch/c.ts': '' }, { known })).toEqual([
      'stale exception: main/batch/a.ts main/batch/b.ts main/batch/c.ts breaks no rule now, delete its row',
    ]);
  });
});

describe('types that two rooms export', () => {
  const size = '{ width: number; /** Pixels. */ height: number; readonly depth: 8 | 16 }';

  it('are refused where their names are the same', () => {
    const sources = {
      'main/batch/a.ts': 'export type Crop = string;',
      'main/library/a.ts': 'export interface Crop {}',
    };
    expect(said(sources)).toEqual([
      'type: Crop stands in main/batch/a.ts and main/library/a.ts: write it once below both, or name them apart',
    ]);
    expect(said(sources, { known: [{ rule: 'type', at: 'Crop' }] })).toEqual([]);
  });

  it('are refused where their members are the same', () => {
    const sources = {
      'main/batch/a.ts': `export interface Crop ${size}`,
      'main/library/a.ts': 'export type Cut = { depth: 8 | 16, height: number, width: number };',
    };
    expect(said(sources)).toHaveLength(1);
    expect(said({ ...sources, 'main/library/a.ts': `export type Cut = ${size.replace('8', '4')}` })).toEqual(
      [],
    );
  });

  it('are allowed inside one room and in tests', () => {
    expect(
      said({
        'main/batch/a.ts': `export interface Crop ${size}`,
        'main/batch/jobs/a.ts': `export interface Crop ${size}`,
        'test/main/a.ts': `export interface Crop ${size}`,
      }),
    ).toEqual([]);
  });
});

it('a Node that is neither 24 nor 26 is told in one line what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-node-'));
  try {
    const guard = join(folder, 'guard.js');
    cpSync(join(root, 'scripts/node-guard.js'), guard);
    execFileSync(process.execPath, [guard]);
    const runOn = (version: string) => {
      const disguised = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); await import(${JSON.stringify(guard)})`;
      return spawnSync(process.execPath, ['--input-type=module', '-e', disguised], { encoding: 'utf8' });
    };
    for (const version of ['24.0.0', '26.10.0']) {
      expect(runOn(version)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    }
    for (const version of ['20.20.2', '25.1.0', '27.0.0']) {
      const { status, stderr } = runOn(version);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/Node 24 or 26.*npm ci/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
