/**
 * Files of the project `pure` share a thread: each must leave the world as it found it. Fails the file that
 * does not.
 */
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
  globals: Object.getOwnPropertyNames(globalThis).sort(),
  environment: { ...process.env },
  listeners: Object.fromEntries(
    process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  ),
});

let before: World;
beforeAll(() => {
  before = readWorld();
});
afterAll(() => {
  expect(readWorld(), 'this file changed what other files of its thread see').toEqual(before);
});
