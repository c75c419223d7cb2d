/**
 * Test files share a thread or a process: fails the file that leaves globals, the environment or the working
 * folder changed. In the project `pure` it may also add no global and no listener of the process; libraries that
 * do so are loaded in `process` alone.
 */
import { isMainThread } from 'node:worker_threads';
import { afterAll, beforeAll, expect } from 'vitest';

const watched = {
  Date: () => Date,
  'Math.random': () => Math.random,
  'performance.now': () => performance.now,
  setTimeout: () => setTimeout,
  setInterval: () => setInterval,
  setImmediate: () => setImmediate,
  queueMicrotask: () => queueMicrotask,
  fetch: () => fetch,
  'process.nextTick': () => process.nextTick,
  'process.platform': () => process.platform,
  'process.cwd()': () => process.cwd(),
} satisfies Record<string, () => unknown>;

interface World {
  watched: Record<string, unknown>;
  globals: string[];
  environment: Record<string, string | undefined>;
  listeners: Record<string, number>;
}

const readWorld = (): World => ({
  watched: Object.fromEntries(Object.entries(watched).map(([name, read]) => [name, read()])),
  // sharp names its library's folder when it is loaded.
  environment: { ...process.env, VIPSHOME: undefined },
  globals: isMainThread ? [] : Object.getOwnPropertyNames(globalThis).sort(),
  listeners: isMainThread
    ? {}
    : Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
});

let before: World;
let umask: number;
beforeAll(() => {
  before = readWorld();
  umask = process.umask();
});
afterAll(() => {
  // A command that ran in this process made its files private: the next file has to do so itself.
  if (isMainThread) process.umask(umask);
  expect(readWorld(), 'this file changed what other files of its thread see').toEqual(before);
});
