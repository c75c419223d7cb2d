import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'out', '.built');
/** Outside `out/main`, which the bundler empties. */
const keptHead = join(root, 'out', 'default-head.glb');
const sources = [
  'main/**/*',
  'preload/**/*',
  'proto/**/*',
  'renderer/**/*',
  'sentences/**/*',
  'electron.vite.config.ts',
  'package-lock.json',
];

/** Runs a program of ours and throws where it fails. */
export function run(program: string, args: string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Runs a package's command by its file, under this Node. */
export function runTool(packageName: string, bin: string, args: string[]): void {
  run(process.execPath, [join(root, 'node_modules', packageName, bin), ...args]);
}

/** Milliseconds since 1970 at which the newest of these files was changed. */
function newestOf(patterns: string[]): number {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return Math.max(...files.map((file) => statSync(join(root, file)).mtimeMs));
}

/**
 * Builds main, preload, renderer and the default head into `out/`, unless nothing changed since the last
 * build.
 */
export function ensureBuilt(say: (line: string) => void): void {
  const newest = newestOf(sources);
  if (existsSync(stamp) && Number(readFileSync(stamp, 'utf8')) >= newest) return;
  say('Building …');
  run(process.execPath, ['scripts/proto-generate.ts']);
  runTool('electron-vite', 'bin/electron-vite.js', ['build', '--logLevel', 'warn']);
  // The head that ships with the studio is the engine's own work; it is made anew when the engine changed.
  if (
    !existsSync(keptHead) ||
    statSync(keptHead).mtimeMs <
      newestOf(['main/engine/portrait/**/*.ts', 'main/gltf/*.ts', 'package-lock.json'])
  ) {
    run(process.execPath, ['scripts/default-head.ts', keptHead]);
  }
  copyFileSync(keptHead, join(root, 'out/main/default-head.glb'));
  writeFileSync(stamp, String(newest));
}

if (import.meta.main) ensureBuilt((line) => console.log(line));
