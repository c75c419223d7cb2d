/** `npm run likeness -- <arguments>`: the command line from a clone. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './build.ts';
import { mainFlags } from './main_flags.ts';

const root = join(import.meta.dirname, '..');
// Standard output belongs to the command, so the build prints to standard error.
ensureBuilt((line) => console.error(line));
const child = spawn(
  process.execPath,
  [...mainFlags, join(root, 'out/main/cli.js'), ...process.argv.slice(2)],
  {
    // Paths are relative to the user's working directory.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
