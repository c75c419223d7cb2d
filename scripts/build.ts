import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'out', '.built');
/** Outside `out/main`, which the bundler empties. */
const keptHeads = join(root, 'out', 'default-heads');
const keptHead = join(keptHeads, 'default-head.glb');
const sources = [
  'main/**/*',
  'packages/*/src/**/*',
  'preload/**/*',
  'proto/**/*',
  'renderer/**/*',
  'docs/**/*.md',
  'electron.vite.config.ts',
  'viewer.vite.config.ts',
  'package-lock.json',
];

/** Runs one of our programs and throws if it fails. */
export function run(program: string, args: string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Runs a package's command by its file, under this Node. */
export function runTool(packageName: string, bin: string, args: string[]): void {
  run(process.execPath, [join(root, 'node_modules', packageName, bin), ...args]);
}

/** Returns the newest modification time of these files, milliseconds since 1970. */
function newestOf(patterns: string[]): number {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return Math.max(...files.map((file) => statSync(join(root, file)).mtimeMs));
}

/**
 * Builds main, preload, renderer and the default heads into `out/`, unless nothing changed since the last
 * build.
 */
export function ensureBuilt(print: (line: string) => void): void {
  const newest = newestOf(sources);
  if (existsSync(stamp) && Number(readFileSync(stamp, 'utf8')) >= newest) return;
  print('Building …');
  run(process.execPath, ['scripts/proto-generate.ts']);
  runTool('electron-vite', 'bin/electron-vite.js', ['build', '--logLevel', 'warn']);
  runTool('vite', 'bin/vite.js', ['build', '--config', 'viewer.vite.config.ts']);
  // The engine generates the default heads, and again after each change of the engine.
  if (
    !existsSync(keptHead) ||
    statSync(keptHead).mtimeMs <
      newestOf([
        'packages/{geometry,portrait,head-renderer,synthetic-heads}/src/**/*.ts',
        'packages/gltf/src/*.ts',
        'package-lock.json',
      ])
  ) {
    run(process.execPath, ['scripts/default-head.ts', keptHeads]);
  }
  for (const file of readdirSync(keptHeads))
    copyFileSync(join(keptHeads, file), join(root, 'out/main', file));
  writeFileSync(stamp, String(newest));
}

if (import.meta.main) ensureBuilt((line) => console.log(line));
