/**
 * The worst answer of /healthz while a caller sends the largest bodies that are allowed, and those that are refused: once,
 * and ten at a time. On a busy machine compare with the first line, which is measured without any of them.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

/** Asks every 20 ms. @returns the milliseconds of the slowest answer, and the most memory */
async function watch(isOver: () => boolean): Promise<{ worst: number; memory: number }> {
  let worst = 0;
  let memory = 0;
  while (!isOver()) {
    const begin = performance.now();
    const { body } = await request(`${node.url}/healthz`, { dispatcher: agent });
    await body.text();
    worst = Math.max(worst, performance.now() - begin);
    memory = Math.max(memory, node.memory());
    await pause(20);
  }
  return { worst, memory };
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

const { memory: memoryAtRest, worst: atRest } = await (async () => {
  await send(faces, audio({ data: silence(1), vertices: true }));
  const end = performance.now() + 5000;
  return watch(() => performance.now() > end);
})();
console.log(
  `at rest: worst /healthz ${atRest.toFixed(0)} ms, ${(memoryAtRest / mebibyte).toFixed(0)} MB; ${load()}`,
);
let worstOfAll = 0;
let mostMemory = 0;
for (const [name, path, status, body] of bodies) {
  for (const count of [1, 10]) {
    const sent = body();
    let isOver = false;
    const watched = watch(() => isOver);
    const begin = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: count }, async () =>
        // What is refused may be cut off within its body.
        send(
          path,
          typeof sent === 'string' ? sent.replace(/"[0-9a-f-]{36}"/, `"${randomUUID()}"`) : sent,
        ).catch(() => 0),
      ),
    );
    isOver = true;
    const { worst, memory } = await watched;
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
await node.stop();
await agent.close();
