/**
 * The built command line. In this process it costs milliseconds: Node is up and the bundle is read once a
 * file. In a process of its own it costs a second: for what only a process has, which is signals, pipes and
 * its exit.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as CommandLine from '../../main/command_line.ts';

const builtFolder = join(import.meta.dirname, '../../out/main');
/** The entry `likeness`. */
export const cliEntry = join(builtFolder, 'cli.js');

/** What a command has written, and what it ended with. */
export interface Ended {
  code: number | null;
  out: string;
  error: string;
}
interface Running {
  /** What it has written so far. */
  written: Pick<Ended, 'out' | 'error'>;
  ended: Promise<Ended>;
}
type Environment = Readonly<Record<string, string>>;

// Vitest would transform the whole bundle.
const load = createRequire(import.meta.url);

/** Starts a command in this process, with no other environment than this. Needs a build. */
export function startCommand(args: readonly string[], environment: Environment): Running {
  const { runCommandLine } = load(join(builtFolder, 'command-line.js')) as typeof CommandLine;
  const written = { out: '', error: '' };
  const code = runCommandLine(args, {
    out: (text) => {
      written.out += text;
    },
    error: (text) => {
      written.error += text;
    },
    environment,
  });
  return { written, ended: code.then((code) => ({ code, ...written })) };
}

/** A command line in this process with these variables, a data folder (`LIKENESS_HOME`) among them. */
export const commandLine =
  (environment: () => Environment & { LIKENESS_HOME: string }) =>
  (...args: string[]): Promise<Ended> =>
    startCommand(args, environment()).ended;

/** Starts a command in a process of its own, with these variables beside those of this process. Needs a build. */
export function spawnCommand(
  args: readonly string[],
  environment: Environment,
): Running & { process: ChildProcess } {
  const child = spawn(process.execPath, [cliEntry, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    written.out += text;
  });
  child.stderr.on('data', (text) => {
    written.error += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...written })));
  return { process: child, written, ended };
}
