/** What the tests of sending share: a sender in a folder of its own, faces, and programs that listen. */

import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@likeness/node-kit/clock.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import { expect, onTestFinished } from 'vitest';
import type { SendState, SendTargetFields } from '#contract';
import { openSendStore } from '../../../main/send/send_store.ts';
import { Sending, type SendingOptions } from '../../../main/send/sending.ts';
import type { PlayableFace } from '../../../proto/take_stream.ts';

export const newToken = (): string => randomBytes(32).toString('base64url');

/** A jaw that opens evenly over a second, and shuts at once. */
export function jawTake(seconds: number): { face: PlayableFace; seconds: number } {
  const frames = Array.from({ length: seconds * 60 }, (_, index) => ({
    timeCode: index / 60,
    weights: Float32Array.of((index % 60) / 60, 0.5),
    headPose: undefined,
    eyeGaze: undefined,
  }));
  const serverShare = new Float32Array(frames.length);
  return { face: { channelNames: ['jawOpen', 'eyeBlinkLeft'], frameRate: 60, frames, serverShare }, seconds };
}

/** What the studio says of heads, to be changed by a test. */
export interface ShownHeadsNow {
  chosen: DefaultHead;
  drives: Map<string | null, readonly ShapeDrive[]>;
}

export interface SendingStage {
  sending: Sending;
  /** What the page was told last. */
  told(): SendState | undefined;
  secrets: string[];
}

export async function openSending({
  folder = mkdtempSync(join(tmpdir(), 'likeness-sending-')),
  pages = async () => new Response(null, { status: 404 }),
  heads = { chosen: 'default', drives: new Map() },
  clock = systemClock,
  soon = setImmediate,
}: {
  folder?: string;
  pages?: SendingOptions['pages'];
  heads?: ShownHeadsNow | undefined;
  clock?: SendingOptions['clock'];
  soon?: SendingOptions['soon'];
} = {}): Promise<SendingStage> {
  const secrets: string[] = [];
  const states: SendState[] = [];
  const store = await openSendStore({
    path: join(folder, 'sending.json'),
    clock: Date.now,
    newToken,
    newDeviceId: randomUUID,
  });
  const sending = new Sending({
    store,
    clock,
    soon,
    randomId: () => randomBytes(6).toString('hex'),
    newToken,
    keepSecret: (token) => secrets.push(token),
    take: async (id) => jawTake(Number(id.replace('take-', ''))),
    pages,
    heads: {
      defaultHead: () => heads.chosen,
      drives: async (modelId) => heads.drives.get(modelId) ?? [],
    },
    onChanged: (state) => states.push(state),
  });
  await sending.start();
  onTestFinished(async () => {
    await sending.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { sending, told: () => states.at(-1), secrets };
}

export const target = (changes: Partial<SendTargetFields> & { port: number }): SendTargetFields => ({
  kind: 'vmc',
  address: '127.0.0.1',
  rate: 60,
  names: 'arkit',
  on: true,
  ...changes,
});

/** A program of somebody else's, in a process of its own, and what it has read so far. */
export async function startReader<Message>(
  kind: 'vmc' | 'livelink',
): Promise<{ port: number; messages: Message[] }> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'udp_reader_process.ts'), kind],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill());
  const messages: Message[] = [];
  let port = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value = JSON.parse(line) as { port?: number };
    if (value.port === undefined) messages.push(value as Message);
    else port = value.port;
  });
  await expect.poll(() => port, { timeout: 10_000 }).toBeGreaterThan(0);
  return { port, messages };
}
