/**
 * Which processes and threads had the processor, and which waited for it, by the kernel's own account
 * (Linux).
 */
import { readdirSync, readFileSync } from 'node:fs';

interface Thread {
  name: string;
  /** Nanoseconds on a core, and ready to run without one. */
  ran: number;
  waited: number;
  /** How often it was given a core. */
  turns: number;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended
  }
};

/** A process and those that it started, as they are now. */
function familyOf(pid: number): number[] {
  const children = numbersIn(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number);
  } catch {
    return [];
  }
}

/** What a process does for Chromium or the studio. */
function roleOf(pid: number): string {
  if (pid === process.pid) return 'benchmark';
  const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const type = /--type=([a-z-]+)/.exec(line)?.[1];
  const service = /--utility-sub-type=(\w+)/.exec(line)?.[1];
  if (service) return service;
  if (type === 'renderer') return line.includes('--top-chrome') ? 'browser’s own pages' : 'page';
  if (type) return type;
  if (line.startsWith('likeness-engine')) return 'engine';
  if (line.includes('--eval')) return 'load';
  return line.includes('serve.js') ? 'studio' : 'browser';
}

function threadsOf(pids: readonly number[]): Map<string, Thread> {
  const threads = new Map<string, Thread>();
  for (const pid of pids.flatMap(familyOf)) {
    const role = roleOf(pid);
    for (const task of numbersIn(`/proc/${pid}/task`)) {
      const [ran, waited, turns] = read(`/proc/${pid}/task/${task}/schedstat`).split(' ').map(Number);
      const thread = task === pid ? 'main' : read(`/proc/${pid}/task/${task}/comm`).trim();
      if (ran !== undefined && waited !== undefined && turns !== undefined)
        threads.set(`${pid} ${task}`, { name: `${role}: ${thread}`, ran, waited, turns });
    }
  }
  return threads;
}

/** Share of one core below which a thread isn't told. */
const told = 0.015;

/**
 * Begins to watch processes and all that they start.
 *
 * @returns to be called at the end: a line for each thread with work to speak of, in per cent of one core:
 *   what it ran, what it was ready to run without getting a core, and how often it was given one
 */
export function watchProcessor(pids: readonly number[]): () => string[] {
  const before = threadsOf(pids);
  const begun = performance.now();
  return () => {
    const nanoseconds = (performance.now() - begun) * 1e6;
    const sums = new Map<string, Omit<Thread, 'name'>>();
    for (const [key, { name, ran, waited, turns }] of threadsOf(pids)) {
      const was = before.get(key);
      const sum = sums.get(name) ?? { ran: 0, waited: 0, turns: 0 };
      sum.ran += (ran - (was?.ran ?? 0)) / nanoseconds;
      sum.waited += (waited - (was?.waited ?? 0)) / nanoseconds;
      sum.turns += (turns - (was?.turns ?? 0)) / (nanoseconds / 1e9);
      sums.set(name, sum);
    }
    const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
    return [...sums]
      .filter(([, { ran, waited }]) => ran + waited > told)
      .toSorted(([, a], [, b]) => b.ran - a.ran)
      .map(
        ([name, { ran, waited, turns }]) =>
          `${name} ${percent(ran)} (waited ${percent(waited)}; ${turns.toFixed(0)} turns a second)`,
      );
  };
}
