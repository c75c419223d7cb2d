import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'out', '.built');
const sources = [
  'main/**/*',
  'preload/**/*',
  'proto/**/*',
  'renderer/**/*',
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

/** Builds main, preload and renderer into `out/`, unless nothing changed since the last build. */
export function ensureBuilt(say: (line: string) => void): void {
  const newest = Math.max(
    ...sources
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .map((file) => statSync(join(root, file)).mtimeMs),
  );
  if (existsSync(stamp) && Number(readFileSync(stamp, 'utf8')) >= newest) return;
  say('Building …');
  run(process.execPath, ['scripts/proto-generate.ts']);
  runTool('electron-vite', 'bin/electron-vite.js', ['build', '--logLevel', 'warn']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, String(newest));
}

if (import.meta.main) ensureBuilt((line) => console.log(line));
