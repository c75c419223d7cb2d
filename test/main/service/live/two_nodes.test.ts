import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaceStreamDecoder } from '#proto/face_stream.ts';
import { temporaryFolder } from '../../engine/host/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../redis_server.ts';

interface Node {
  url: string;
  child: ChildProcess;
}
interface Frame {
  timeCode: number;
  weights: Float32Array;
}

const rate = 16_000;
/** Frames in few words: their times, and a sum that any other weight changes. */
const told = (frames: readonly Frame[]): string[] =>
  frames.map(
    ({ timeCode, weights }) => `${timeCode} ${weights.reduce((sum, one, at) => sum + one * (at + 1), 0)}`,
  );

/** Something like syllables, 16-bit: one part of 0.2 s after another. */
function partsOf(seconds: number): Buffer[] {
  const each = rate / 5;
  return Array.from({ length: seconds * 5 }, (_, part) => {
    const bytes = Buffer.alloc(each * 2);
    for (let i = 0; i < each; i++) {
      const t = (part * each + i) / rate;
      const hum = Math.sin(900 * t) + 0.6 * Math.sin(1800 * t) + 0.4 * Math.sin(4500 * t);
      bytes.writeInt16LE(Math.round(6000 * Math.max(0, Math.sin(20 * t)) * hum), 2 * i);
    }
    return bytes;
  });
}

describe.skipIf(!hasRedis())('a voice over two nodes', { timeout: 60_000 }, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let children: ChildProcess[];
  beforeEach(async () => {
    place = temporaryFolder();
    children = [];
    redis = await startRedis({ folder: join(place.path, 'redis') });
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis.close();
    place.remove();
  });

  async function startNode(queue: string, env: Record<string, string> = {}): Promise<Node> {
    const child = fork(join(import.meta.dirname, 'live_node_entry.ts'), [queue], {
      env: { ...process.env, ...env },
    });
    children.push(child);
    const port = await new Promise((resolve) => child.once('message', resolve));
    return { url: `http://127.0.0.1:${port}/`, child };
  }
  async function say(
    node: Node,
    traceId: string,
    part: Buffer | null,
    status: string,
    more: { owner?: string; suppressNoise?: boolean } = {},
  ): Promise<{ status: number; frames: Frame[] }> {
    const { owner = 'ann', ...options } = more;
    const body = { traceId, status, data: part?.toString('base64') ?? '', sampleRate: rate, ...options };
    const response = await fetch(node.url, {
      method: 'POST',
      headers: { 'x-owner': owner, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) return { status: response.status, frames: [] };
    const decoder = new FaceStreamDecoder();
    const messages = [...decoder.push(bytes), ...decoder.finish()];
    return { status: 200, frames: messages.flatMap((one) => (one.kind === 'frame' ? [one as Frame] : [])) };
  }
  const statusOf = (at: number, count: number): string =>
    at === 0 ? 'start' : at === count - 1 ? 'end' : 'continue';
  /** What one node alone answers to the same. */
  async function alone(parts: Buffer[], options = {}): Promise<Frame[]> {
    const node = await startNode('alone');
    const traceId = randomUUID();
    const frames = [];
    for (const [at, part] of parts.entries())
      frames.push(...(await say(node, traceId, part, statusOf(at, parts.length), options)).frames);
    expect(frames.length).toBeGreaterThan(parts.length * 11);
    return frames;
  }

  it.each([{}, { suppressNoise: true }])(
    'any node takes the next part, and the face is the same: %o',
    async (options) => {
      const parts = partsOf(3);
      const nodes = [await startNode(redis.url), await startNode(redis.url)];
      const traceId = randomUUID();
      const frames: Frame[] = [];
      // To and fro, and sometimes twice on the same.
      for (const [at, part] of parts.entries()) {
        const node = nodes[[0, 1, 1, 0, 0, 0][at % 6]!]!;
        const answer = await say(node, traceId, part, statusOf(at, parts.length), options);
        expect(answer.status).toBe(200);
        frames.push(...answer.frames);
      }
      expect(told(frames)).toEqual(told(await alone(parts, options)));
      expect((await say(nodes[1]!, traceId, parts[0]!, 'continue')).status).toBe(409);
      expect((await say(nodes[1]!, traceId, parts[0]!, 'start')).status).toBe(409);
    },
  );

  it.each([1, 6])(
    'a node dies in mid-sentence, over block %i: its part is sent again, to the other',
    async (block) => {
      const parts = partsOf(3);
      const dying = await startNode(redis.url, { TEST_DIE_AT: String(block) });
      const other = await startNode(redis.url);
      const traceId = randomUUID();
      const frames: Frame[] = [];
      let repeated = 0;
      let node = dying;
      for (const [at, part] of parts.entries()) {
        const status = statusOf(at, parts.length);
        const answer = await say(node, traceId, part, status).catch(async () => {
          repeated += 1;
          node = other;
          return say(node, traceId, part, status);
        });
        expect(answer.status).toBe(200);
        frames.push(...answer.frames);
      }
      expect(repeated).toBe(1);
      expect(told(frames)).toEqual(told(await alone(parts)));
    },
  );

  it('a part that was heard but not seen to be answered is heard once when it comes again', async () => {
    const parts = partsOf(2);
    const nodes = [await startNode(redis.url), await startNode(redis.url)];
    const traceId = randomUUID();
    const frames: Frame[] = [];
    for (const [at, part] of parts.entries()) {
      const status = statusOf(at, parts.length);
      const [key] = (await redis.redis.keys('{likeness}:trace:*')).filter(
        (one) => one.split(':').length === 3,
      );
      const before = key && (await redis.redis.hgetallBuffer(key));
      const answer = await say(nodes[0]!, traceId, part, status);
      if (at === 4 && key && before) {
        while (await redis.redis.exists(`${key}:turn`)) await new Promise((go) => setTimeout(go, 10));
        // As it is when a node dies between writing the state and the answer's end.
        for (const field of ['small', 'face']) await redis.redis.hset(key, `before:${field}`, before[field]!);
        await redis.redis.hset(key, 'answered', '0');
        const again = await say(nodes[1]!, traceId, part, status);
        expect(told(again.frames)).toEqual(told(answer.frames));
      }
      frames.push(...answer.frames);
    }
    expect(told(frames)).toEqual(told(await alone(parts)));
  });

  it('another tenant’s trace of the same name is another', async () => {
    const node = await startNode(redis.url);
    const [part] = partsOf(1);
    const traceId = randomUUID();
    expect((await say(node, traceId, part!, 'start')).status).toBe(200);
    expect((await say(node, traceId, part!, 'continue', { owner: 'bob' })).status).toBe(409);
    expect((await say(node, traceId, part!, 'start', { owner: 'bob' })).status).toBe(200);
    expect((await say(node, traceId, part!, 'continue')).status).toBe(200);
  });
});
