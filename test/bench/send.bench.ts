/**
 * How evenly a face leaves for other programs: VMC at 60 frames a second, by a reader in a process of its own. Jitter is
 * how far each packet comes from an even grid laid through all of them.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { openSendStore } from '../../main/send/send_store.ts';
import { Sending } from '../../main/send/sending.ts';
import { report } from './limits.ts';

const seconds = 20;
const rate = 60;

const face: PlayableFace = {
  channelNames: ['jawOpen', 'mouthPucker'],
  frameRate: rate,
  frames: Array.from({ length: seconds * rate }, (_, at) => ({
    timeCode: at / rate,
    weights: Float32Array.of(0.5 + 0.5 * Math.sin(at / 5), 0.5),
    headPose: undefined,
    eyeGaze: undefined,
  })),
  serverShare: new Float32Array(seconds * rate),
};

const folder = mkdtempSync(join(tmpdir(), 'likeness-send-bench-'));
const reader = spawn(
  process.execPath,
  ['--no-warnings', join(import.meta.dirname, '../main/send/udp_reader_process.ts'), 'vmc'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const arrivals: number[] = [];
const port = await new Promise<number>((resolve) => {
  createInterface({ input: reader.stdout }).on('line', (line) => {
    const { port: opened, at } = JSON.parse(line) as { port?: number; at?: number };
    if (opened !== undefined) resolve(opened);
    else if (at !== undefined) arrivals.push(at);
  });
});
const token = (): string => randomBytes(32).toString('base64url');
const store = await openSendStore({
  path: join(folder, 'sending.json'),
  clock: Date.now,
  newToken: token,
  newDeviceId: randomUUID,
});
const sending = new Sending({
  store,
  clock: systemClock,
  soon: setImmediate,
  randomId: () => randomBytes(6).toString('hex'),
  newToken: token,
  keepSecret: () => undefined,
  take: async () => ({ face, seconds }),
  heads: { defaultHead: () => 'default', drives: async () => [] },
  pages: async () => new Response(null, { status: 404 }),
  onChanged: () => undefined,
});
try {
  await sending.start();
  await sending.addTarget({ kind: 'vmc', address: '127.0.0.1', port, rate, names: 'arkit', on: true });
  await sending.playTake({ id: 'take', seconds: 0, loop: false });
  await pause((seconds + 1) * 1000);
  report({
    name: `packets of ${seconds} s of VMC at ${rate} a second that came`,
    value: arrivals.length / (seconds * rate),
    unit: 'of them',
    limit: 0.99,
    kind: 'least',
  });
  const early = arrivals.map((at) => (at * rate) / 1000);
  const phase = percentile(
    early.map((at) => at - Math.round(at - early[0]!) - early[0]!),
    0.5,
  );
  const off = early.map(
    (at) => (Math.abs(at - early[0]! - phase - Math.round(at - early[0]! - phase)) / rate) * 1000,
  );
  report({
    name: 'VMC at 60 Hz, jitter, P95',
    value: percentile(off, 0.95),
    unit: 'ms',
    limit: 2,
    kind: 'most',
  });
} finally {
  await sending.close();
  reader.kill();
  rmSync(folder, { recursive: true, force: true });
}
