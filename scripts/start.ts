/** `npm start`: builds and opens the desktop app; without Electron's runtime, the browser shell instead. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.ts';
import { mainFlags } from './main_flags.ts';

const root = join(import.meta.dirname, '..');
const electronFolder = join(root, 'node_modules', 'electron');
/** Longest that getting Electron's runtime may take before the browser shell opens instead, milliseconds. */
const downloadLimit = 180_000;

/** Path of Electron's own program, or null where its runtime isn't there. */
function electronProgram(): string | null {
  const pathFile = join(electronFolder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const program = join(electronFolder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(program) ? program : null;
}

function download(): { done: boolean; why: string } {
  const install = join(electronFolder, 'install.js');
  if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD)
    return { done: false, why: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' };
  if (!existsSync(install)) return { done: false, why: 'the electron package is not installed' };
  console.log('Getting Electron’s runtime (once) …');
  const { status, stderr, signal } = spawnSync(process.execPath, [install], {
    timeout: downloadLimit,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return { done: true, why: '' };
  if (signal) return { done: false, why: `its download took longer than ${downloadLimit / 1000} s` };
  const reason = /(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|HTTPError[^\n]*)/.exec(stderr)?.[1];
  return { done: false, why: `its download failed${reason ? ` (${reason})` : ''}` };
}

ensureBuilt((line) => console.log(line));
let why = '';
let program = electronProgram();
if (!program) {
  why = download().why;
  program = electronProgram();
}
const display = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
if (program && !display) {
  program = null;
  why = 'there is no display';
}
const [command, args] = program
  ? [program, ['.', ...process.argv.slice(2)]]
  : [process.execPath, [...mainFlags, 'out/main/serve.js', '--open', ...process.argv.slice(2)]];
if (!program) console.log(`Electron can’t run here (${why}): the studio opens in the browser instead.`);
const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
