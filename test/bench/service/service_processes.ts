/**
 * A service, its workers and its Redis as processes of their own, started by the command line as a person starts them,
 * and what each has taken of the processor.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mainFlags } from '../../../scripts/main_flags.ts';

const root = join(import.meta.dirname, '../../..');
const likeness = [...mainFlags, join(root, 'out/main/cli.js')];
/** Ticks of the processor's clock in a second, as Linux tells them. */
const ticks = 100;

/** A process of the service. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Seconds of processor time that it and its children have taken. */
  processorSeconds(): number;
  /** Bytes of memory that it and its children hold. */
  memory(): number;
  stop(): Promise<void>;
}

/** One that answers. */
export interface ServiceNode extends ServiceProcess {
  url: string;
  folder: string;
  /** A key of both groups, without a rate. */
  key: string;
}

/** Those that end with this process, however it ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** A folder that goes with the process. */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-bench-service-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** How busy the machine was, for the reader of a figure. */
export const load = (): string => `load ${loadavg()[0]!.toFixed(1)}`;

/** The fields of a process's `stat` after its name, which may hold anything. */
const statOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return [];
  }
};

/** It, and all that it has started. */
function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const);
  const all = [pid];
  for (const one of all) for (const [child, parent] of parents) if (parent === one) all.push(child);
  return all;
}

/** Seconds that a process and those it has started have taken of the processor. */
export const processorSecondsOf = (pid: number): number =>
  family(pid).reduce((sum, one) => {
    const [user = 0, system = 0] = statOf(one).slice(11, 13).map(Number);
    return sum + (user + system) / ticks;
  }, 0);

const memoryOf = (pid: number): number =>
  family(pid).reduce((sum, one) => {
    try {
      return (
        sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0) * 1024
      );
    } catch {
      return sum;
    }
  }, 0);

function run(args: readonly string[], core?: number): ServiceProcess & { said: () => string } {
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const [file, ...rest] = [...pinned, process.execPath, ...likeness, 'service', ...args];
  const child = spawn(file!, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-100_000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  running.add(child);
  return {
    child,
    said: () => said,
    processorSeconds: () => processorSecondsOf(child.pid!),
    memory: () => memoryOf(child.pid!),
    async stop() {
      running.delete(child);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function until(
  condition: () => boolean,
  process: ServiceProcess & { said: () => string },
): Promise<void> {
  while (!condition()) {
    if (process.child.exitCode !== null) throw new Error(`The service did not start: ${process.said()}`);
    await pause(20);
  }
}

/** What processes share: `--queue` and `--store`. */
export const shared = (queue: string, store: string): string[] => ['--queue', queue, '--store', store];

/**
 * `likeness service start` on a free port.
 *
 * @param core the only one that it may use
 */
export async function startNode(
  folder: string,
  { args = [], core }: { args?: readonly string[]; core?: number } = {},
): Promise<ServiceNode> {
  const key = addKey(folder);
  const node = run(['start', '--folder', folder, '--port', '0', '--drain', '1', ...args], core);
  let url = '';
  await until(() => {
    url = /https?:\/\/127\.0\.0\.1:\d+/.exec(node.said())?.[0] ?? '';
    return url !== '';
  }, node);
  return { ...node, url, folder, key };
}

/** `likeness service worker`. */
export async function startWorker(args: readonly string[], cores: number): Promise<ServiceProcess> {
  const worker = run(['worker', ...args, '--cores', String(cores)]);
  await until(() => worker.said().includes('takes heads'), worker);
  return worker;
}

/** One more, of the same tenant each time: a service that is started again is asked for the same models. */
function addKey(folder: string): string {
  const name = randomUUID();
  const args = ['service', 'keys', 'add', name, '--tenant', 'bench', '--folder', folder, '--json'];
  const limits = ['--rate', '0', '--at-once', '100000', '--scope', 'speech', 'models', 'usage', 'operator'];
  const shown = execFileSync(process.execPath, [...likeness, ...args, ...limits], { encoding: 'utf8' });
  return /lksk_[\w-]+/.exec(shown)![0];
}
