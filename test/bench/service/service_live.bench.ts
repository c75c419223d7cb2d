/**
 * How many people may speak at once: each sends a voice in parts of 200 ms, in real time, and wants the part's first face
 * soon. More and more of them, until the answers come too late. Then what one of them takes of the memory, whether all are
 * answered alike, and what becomes of them when somebody else sends ten minutes at once. SECONDS, SPEAKERS (most) for a
 * shorter run.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { readWav } from '@likeness/proto/wav.ts';
import { Agent, request } from 'undici';
import { hasRedis, startRedis } from '../../support/service/redis_server.ts';
import { report } from '../limits.ts';
import { setting } from './service_calls.ts';
import { benchFolder, load, type ServiceNode, shared, startNode } from './service_processes.ts';

const seconds = setting('SECONDS', 15);
const maxSpeakers = setting('SPEAKERS', 200);
const step = 20;
/** Seconds of a part. */
const each = 0.2;
/** Milliseconds after which a face is late: what the interface claims, and what a conversation bears. */
const claims = { interface: 900, conversation: 150 };

const { format, bytes } = readWav(
  readFileSync(new URL('../../../renderer/base/samples/voice.wav', import.meta.url)),
);
const { sampleRate, channels } = format;
const partBytes = Math.round(sampleRate * each) * channels * 2;
/** Parts of the sample voice, round and round, as a request has them. */
const parts = Array.from({ length: Math.floor(bytes.length / partBytes) }, (_, n) =>
  Buffer.from(bytes.subarray(n * partBytes, (n + 1) * partBytes)).toString('base64'),
);
const agent = new Agent({ connections: 1000 });

/** One part. @returns milliseconds to its first face; NaN where none came */
async function part(
  { url, key }: ServiceNode,
  traceId: string,
  status: string,
  data: string,
): Promise<number> {
  const body = JSON.stringify({ traceId, status, data, sampleRate, channels });
  const begin = performance.now();
  const answer = await request(`${url}/v1/audio-to-face/mesh`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/x-protobuf',
    },
    body,
  });
  const decoder = new FaceStreamDecoder();
  let first = Number.NaN;
  for await (const chunk of answer.body) {
    if (!Number.isNaN(first)) continue;
    const messages = [...decoder.push(chunk as Uint8Array)];
    if (messages.some(({ kind }) => kind === 'frame')) first = performance.now() - begin;
  }
  if (answer.statusCode !== 200) throw new Error(`A1 answered with ${answer.statusCode}`);
  return first;
}

interface Spoken {
  /** Milliseconds to the first face of each part, by speaker. */
  times: number[][];
  /** Share of the speakers' time for which the service took a core. */
  processor: number;
  memory: number;
}

/** So many people speak for some seconds. A part is due when its sound is over, however late the one before was. */
async function speak(nodes: readonly ServiceNode[], speakers: number): Promise<Spoken> {
  const used = nodes.reduce((sum, node) => sum + node.processorSeconds(), 0);
  const begin = performance.now();
  let memory = 0;
  const speaker = async (n: number): Promise<number[]> => {
    const traceId = randomUUID();
    const times: number[] = [];
    // As people do, they don't begin in step.
    let due = performance.now() + Math.random() * each * 1000;
    const count = Math.round(seconds / each);
    for (let at = 0; at < count; at++) {
      await pause(Math.max(0, due - performance.now()));
      const status = at === 0 ? 'start' : at === count - 1 ? 'end' : 'continue';
      const node = nodes[(n + at) % nodes.length]!;
      const late = Math.max(0, performance.now() - due);
      times.push(late + (await part(node, traceId, status, parts[(n * 7 + at) % parts.length]!)));
      due += each * 1000;
      if (n === 0 && at === count - 2) memory = nodes.reduce((sum, one) => sum + one.memory(), 0);
    }
    return times;
  };
  const times = await Promise.all(Array.from({ length: speakers }, (_, n) => speaker(n)));
  const taken = nodes.reduce((sum, node) => sum + node.processorSeconds(), 0) - used;
  return { times, memory, processor: (taken * 1000) / (performance.now() - begin) };
}

const slowest = (times: readonly number[][]): number => percentile(times.flat(), 0.95);

/** Goes up by steps. @returns the most speakers who were answered in time, by claim */
async function climb(
  nodes: readonly ServiceNode[],
): Promise<{ within: typeof claims; memory: Map<number, number> }> {
  const within = { interface: 0, conversation: 0 };
  const memory = new Map<number, number>();
  await speak(nodes, 2);
  for (const speakers of [1, ...Array.from({ length: maxSpeakers / step }, (_, n) => (n + 1) * step)]) {
    const spoken = await speak(nodes, speakers);
    memory.set(speakers, spoken.memory);
    const all = spoken.times.flat();
    const late = slowest(spoken.times);
    const people = spoken.times.map((times) => percentile(times, 0.95));
    const spread = Math.max(...people) / percentile(people, 0.5);
    console.log(
      `  ${speakers} speakers: first face P50 ${percentile(all, 0.5).toFixed(0)} ms, P95 ${late.toFixed(0)} ms; ` +
        `the slowest speaker’s P95 × ${spread.toFixed(2)} the middle one’s; ${(spoken.processor * 100).toFixed(0)} % of a core, ` +
        `${(spoken.memory / 2 ** 20).toFixed(0)} MB; ${load()}`,
    );
    for (const name of ['interface', 'conversation'] as const)
      if (late <= claims[name]) within[name] = speakers;
    if (speakers === 2 * step)
      report({
        name: `${speakers} speakers: the slowest one’s P95 against the middle one’s`,
        value: spread,
        unit: '×',
        limit: 2,
        kind: 'most',
      });
    if (late > claims.interface) break;
  }
  return { within, memory };
}

const folder = benchFolder();
const node = await startNode(join(folder, 'one'));
console.log('one process');
const { within, memory } = await climb([node]);
report({
  name: `speakers at once whose first face comes within ${claims.interface} ms, P95`,
  value: within.interface,
  unit: '',
  limit: 60,
  kind: 'least',
});
report({
  name: `speakers at once whose first face comes within ${claims.conversation} ms, P95`,
  value: within.conversation,
  unit: '',
  limit: 40,
  kind: 'least',
});
const [few, many] = [step, 3 * step];
if (memory.has(many))
  report({
    name: 'memory of a speaker',
    value: (memory.get(many)! - memory.get(few)!) / (many - few) / 1e6,
    unit: 'MB',
    limit: 2,
    kind: 'most',
  });

/** The same people while somebody sends ten minutes of sound in one request, or nobody does. */
async function besideLong(speakers: number): Promise<[alone: number, beside: number]> {
  const alone = slowest((await speak([node], speakers)).times);
  const count = Math.ceil(600 / (parts.length * each));
  const long = Buffer.concat(Array.from({ length: count }, () => bytes)).toString('base64');
  let isOver = false;
  const sent = (async () => {
    while (!isOver) await part(node, randomUUID(), 'start', long);
  })();
  const beside = slowest((await speak([node], speakers)).times);
  isOver = true;
  await sent;
  return [alone, beside];
}
const [alone, beside] = await besideLong(step);
console.log(
  `${step} speakers, first face P95: ${alone.toFixed(0)} ms; beside somebody who sends ten minutes of sound at a time ${beside.toFixed(0)} ms; ${load()}`,
);
report({
  name: `${step} speakers beside ten minutes of sound at a time, first face P95`,
  value: beside,
  unit: 'ms',
  limit: claims.conversation,
  kind: 'most',
});
await node.stop();

if (hasRedis()) {
  const redis = await startRedis({ folder: join(folder, 'redis') });
  const store = join(folder, 'store');
  mkdirSync(store);
  const nodes = [];
  for (const name of ['a', 'b'])
    nodes.push(await startNode(join(folder, name), { args: shared(redis.url, store) }));
  await speak(nodes, 2);
  const read = async (): Promise<[number, number, number]> => {
    const text = await redis.redis.info('all');
    const of = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
    return [
      of('used_cpu_user') + of('used_cpu_sys'),
      of('total_commands_processed'),
      of('total_net_input_bytes') + of('total_net_output_bytes'),
    ];
  };
  for (const [name, those] of [
    ['a node on Redis', nodes.slice(0, 1)],
    ['two nodes on Redis, parts in turn', nodes],
  ] as const) {
    const before = await read();
    const { times, processor } = await speak(those, step);
    const after = await read();
    const said = step * seconds;
    const [busy, commands, moved] = after.map((value, at) => (value - before[at]!) / said);
    console.log(
      `${name}: ${step} speakers, first face P95 ${slowest(times).toFixed(0)} ms, nodes ${(processor * 100).toFixed(0)} % of a core; ` +
        `of a second of a voice: Redis ${(busy! * 1000).toFixed(2)} ms, ${commands!.toFixed(0)} commands, ${(moved! / 1024).toFixed(0)} KB; ${load()}`,
    );
  }
  for (const one of nodes) await one.stop();
  await redis.close();
}
await agent.close();
