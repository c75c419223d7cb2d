/**
 * The worst answer of /healthz while a caller sends the largest bodies that are allowed, and those that are refused: once,
 * and ten at a time. On a busy machine compare with the first line, which is measured without any of them.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { report } from '../limits.ts';
import { benchFolder, load, startNode } from './service_processes.ts';

const mebibyte = 2 ** 20;
const node = await startNode(join(benchFolder(), 'one'));
const agent = new Agent({ connections: 64, bodyTimeout: 600_000, headersTimeout: 600_000 });

/** @returns the status, when the whole answer has been read */
async function send(path: string, body: string | Buffer): Promise<number> {
  const { statusCode, body: answer } = await request(node.url + path, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization: `Bearer ${node.key}`, 'content-type': 'application/json' },
    body,
  });
  for await (const _ of answer) {
  }
  return statusCode;
}

/** Asks every 20 ms, in a thread: this one is busy with the bodies that it sends. */
const asking = `
  const { parentPort, workerData } = require('node:worker_threads');
  let worst = 0;
  parentPort.on('message', () => { parentPort.postMessage(worst); worst = 0; });
  (async () => {
    for (;;) {
      const begin = performance.now();
      // The connection may end while it waits: that counts as a slow answer.
      await fetch(workerData).then((answer) => answer.text()).catch(() => {});
      worst = Math.max(worst, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
`;
const thread = new Worker(asking, { eval: true, workerData: `${node.url}/healthz` });
/** Milliseconds of the slowest answer since the last call. */
async function slowest(): Promise<number> {
  thread.postMessage('');
  return ((await once(thread, 'message')) as [number])[0];
}

const audio = (fields: object): string =>
  JSON.stringify({ traceId: randomUUID(), status: 'start', sampleRate: 16_000, ...fields });
const silence = (seconds: number): string => Buffer.alloc(seconds * 32_000).toString('base64');
const keys = Array.from({ length: 3_000_000 }, (_, n) => `"k${n}":1`).join(',');
const faces = '/v1/audio-to-face/mesh';
const bodies: readonly [name: string, path: string, status: number, body: () => string | Buffer][] = [
  ['40 MB of brackets', faces, 400, () => Buffer.alloc(40e6, '[')],
  ['three million keys', faces, 400, () => Buffer.from(`{${keys}}`)],
  ['47 MiB in a string of another field', faces, 400, () => audio({ x: 'a'.repeat(47 * mebibyte) })],
  ['47 MiB that are no base64', faces, 400, () => audio({ data: '!'.repeat(47 * mebibyte) })],
  ['a minute of sound with vertices', faces, 200, () => audio({ data: silence(60), vertices: true })],
  ['18 minutes of sound in a part', faces, 200, () => audio({ data: silence(18 * 60) })],
];

await send(faces, audio({ data: silence(1), vertices: true }));
await slowest();
await pause(5000);
const [memoryAtRest, atRest] = [node.memory(), await slowest()];
console.log(
  `at rest: worst /healthz ${atRest.toFixed(0)} ms, ${(memoryAtRest / mebibyte).toFixed(0)} MB; ${load()}`,
);
let worstOfAll = 0;
let mostMemory = 0;
for (const [name, path, status, body] of bodies) {
  for (const count of [1, 10]) {
    const sent = Array.from({ length: count }, () => Buffer.from(body()));
    await slowest();
    let memory = 0;
    const looking = setInterval(() => {
      memory = Math.max(memory, node.memory());
    }, 100);
    const begin = performance.now();
    // What is refused may be cut off within its body.
    const statuses = await Promise.all(sent.map((one) => send(path, one).catch(() => 0)));
    clearInterval(looking);
    const worst = await slowest();
    worstOfAll = Math.max(worstOfAll, worst);
    mostMemory = Math.max(mostMemory, memory);
    const other = statuses.filter((one) => one !== status);
    console.log(
      `${count} × ${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s, worst /healthz ${worst.toFixed(0)} ms, ` +
        `${(memory / mebibyte).toFixed(0)} MB${other.length > 0 ? `; answered with ${other.join(', ')}` : ''}; ${load()}`,
    );
  }
}
report({
  name: 'worst /healthz beside the largest bodies',
  value: worstOfAll,
  unit: 'ms',
  limit: 250,
  kind: 'most',
});
report({
  name: 'memory beside the largest bodies, above rest',
  value: (mostMemory - memoryAtRest) / mebibyte,
  unit: 'MB',
  limit: 400,
  kind: 'most',
});
await thread.terminate();
await node.stop();
await agent.close();
