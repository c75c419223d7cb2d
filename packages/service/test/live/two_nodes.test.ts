import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../../test/support/service/redis_server.ts';

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
  let nodes: Node[];
  const children: ChildProcess[] = [];
  // Each voice has an identifier of its own, so all tests share these.
  beforeAll(async () => {
    place = temporaryFolder();
    redis = await startRedis({ folder: join(place.path, 'redis') });
    nodes = await Promise.all([startNode(), startNode()]);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis.close();
    place.remove();
  });

  async function startNode(): Promise<Node> {
    const child = fork(join(import.meta.dirname, 'live_node_entry.ts'), [redis.url]);
    children.push(child);
    const [port] = await once(child, 'message');
    return { url: `http://127.0.0.1:${port}/`, child };
  }
  async function say(
    node: Node,
    traceId: string,
    part: Buffer | null,
    status: string,
    more: { owner?: string; suppressNoise?: boolean; alone?: boolean } = {},
  ): Promise<{ status: number; frames: Frame[] }> {
    const { owner = 'ann', alone = false, ...options } = more;
    const body = { traceId, status, data: part?.toString('base64') ?? '', sampleRate: rate, ...options };
    const response = await fetch(node.url, {
      method: 'POST',
      headers: { 'x-owner': owner, 'content-type': 'application/json', ...(alone && { 'x-alone': '1' }) },
      body: JSON.stringify(body),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) return { status: response.status, frames: [] };
    const decoder = new FaceStreamDecoder();
    const messages = [...decoder.push(bytes), ...decoder.finish()];
    return { status: 200, frames: messages.flatMap((one) => (one.kind === 'frame' ? [one as Frame] : [])) };
  }
  const parts = partsOf(3);
  const statusOf = (at: number): string =>
    at === 0 ? 'start' : at === parts.length - 1 ? 'end' : 'continue';
  /** What one node alone answers to the same. */
  async function alone(options: { suppressNoise?: boolean }): Promise<string[]> {
    const traceId = randomUUID();
    const frames = [];
    for (const [at, part] of parts.entries()) {
      const answer = await say(nodes[0]!, traceId, part, statusOf(at), { ...options, alone: true });
      frames.push(...answer.frames);
    }
    expect(frames.length).toBeGreaterThan(parts.length * 11);
    return told(frames);
  }
  let plain: Promise<string[]> | undefined;
  const plainAlone = (): Promise<string[]> => {
    plain ??= alone({});
    return plain;
  };

  it.each([{}, { suppressNoise: true }])(
    'any node takes the next part, and the face is the same: %o',
    async (options) => {
      const traceId = randomUUID();
      const frames: Frame[] = [];
      // To and fro, and sometimes twice on the same.
      for (const [at, part] of parts.entries()) {
        const node = nodes[[0, 1, 1, 0, 0, 0][at % 6]!]!;
        const answer = await say(node, traceId, part, statusOf(at), options);
        expect(answer.status).toBe(200);
        frames.push(...answer.frames);
      }
      expect(told(frames)).toEqual(await alone(options));
      expect((await say(nodes[1]!, traceId, parts[0]!, 'continue')).status).toBe(409);
      expect((await say(nodes[1]!, traceId, parts[0]!, 'start')).status).toBe(409);
    },
  );

  it.each([1, 6])(
    'a node dies in mid-sentence, over block %i: its part is sent again, to the other',
    async (block) => {
      const dying = await startNode();
      dying.child.send(block);
      await once(dying.child, 'message');
      const traceId = randomUUID();
      const frames: Frame[] = [];
      let repeated = 0;
      let node = dying;
      for (const [at, part] of parts.entries()) {
        const status = statusOf(at);
        const answer = await say(node, traceId, part, status).catch(async () => {
          repeated += 1;
          node = nodes[1]!;
          return say(node, traceId, part, status);
        });
        expect(answer.status).toBe(200);
        frames.push(...answer.frames);
      }
      expect(repeated).toBe(1);
      expect(told(frames)).toEqual(await plainAlone());
    },
  );

  it('a part that was heard but not seen to be answered is heard once when it comes again', async () => {
    const traceId = randomUUID();
    const others = new Set(await redis.redis.keys('{likeness}:trace:*'));
    const frames: Frame[] = [];
    const saySome = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at += 1)
        frames.push(...(await say(nodes[0]!, traceId, parts[at]!, statusOf(at))).frames);
    };
    await saySome(0, 4);
    const own = (await redis.redis.keys('{likeness}:trace:*')).filter(
      (one) => !others.has(one) && one.split(':').length === 3,
    );
    expect(own).toHaveLength(1);
    const key = own[0]!;
    const before = await redis.redis.hgetallBuffer(key);
    const answer = await say(nodes[0]!, traceId, parts[4]!, statusOf(4));
    frames.push(...answer.frames);
    await expect.poll(() => redis.redis.exists(`${key}:turn`), { interval: 10 }).toBe(0);
    // As it is when a node dies between writing the state and the answer's end.
    for (const field of ['small', 'face']) await redis.redis.hset(key, `before:${field}`, before[field]!);
    await redis.redis.hset(key, 'answered', '0');
    const again = await say(nodes[1]!, traceId, parts[4]!, statusOf(4));
    expect(told(again.frames)).toEqual(told(answer.frames));
    await saySome(5, parts.length);
    expect(told(frames)).toEqual(await plainAlone());
  });

  it('another tenant’s trace of the same name is another', async () => {
    const [node, part] = [nodes[0]!, parts[0]!];
    const traceId = randomUUID();
    expect((await say(node, traceId, part, 'start')).status).toBe(200);
    expect((await say(node, traceId, part, 'continue', { owner: 'bob' })).status).toBe(409);
    expect((await say(node, traceId, part, 'start', { owner: 'bob' })).status).toBe(200);
    expect((await say(node, traceId, part, 'continue')).status).toBe(200);
  });
});
