import { createSocket } from 'node:dgram';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import { toBuffer } from 'osc-min';
import { expect, onTestFinished, test } from 'vitest';
import { UdpReceiver } from '../../../main/send/receive/udp_receiver.ts';

const bytesOf = (packet: Parameters<typeof toBuffer>[0]): Buffer => {
  const { buffer, byteOffset, byteLength } = toBuffer(packet);
  return Buffer.from(buffer, byteOffset, byteLength);
};

/** A receiver whose clock a test sets, and a program that sends to it. */
async function listening(elapsed: () => number) {
  const frames: FaceStreamFrame[] = [];
  const onFrame = (frame: FaceStreamFrame): void => void frames.push(frame);
  const receiver = new UdpReceiver({ kind: 'vmc', port: 0, network: false, elapsed, onFrame });
  await receiver.open();
  const sender = createSocket('udp4');
  onTestFinished(() => {
    receiver.close();
    sender.close();
  });
  const send = (packet: Buffer): Promise<void> =>
    new Promise((resolve, reject) =>
      sender.send(packet, receiver.address?.port ?? 0, '127.0.0.1', (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  return { receiver, frames, send };
}

const apply = bytesOf({ address: '/VMC/Ext/Blend/Apply', args: [] });

test('52 names at 60 frames a second, one message a datagram, lose no frame', async () => {
  let now = 0;
  const { receiver, frames, send } = await listening(() => now);
  const rate = 60;
  for (let frame = 0; frame < 2 * rate; frame++) {
    now = (frame * 1000) / rate;
    for (const name of arkitBlendshapeNames)
      await send(
        bytesOf({ address: '/VMC/Ext/Blend/Val', args: [name, { type: 'float', value: frame / 120 }] }),
      );
    await send(apply);
    await expect.poll(() => frames.length, { interval: 1 }).toBe(frame + 1);
  }
  expect(receiver.counts.refused).toBe(0);
  expect(frames.at(-1)?.weights[0]).toBeCloseTo(119 / 120, 5);
});

test('a flood is refused beyond its work, whether of faces or of bytes', async () => {
  let now = 0;
  const { receiver, frames, send } = await listening(() => now);
  const taken = (): number => receiver.counts.packets + receiver.counts.refused;
  // By hundreds, so that the system drops none before they are read.
  for (let sent = 100; sent <= 2000; sent += 100) {
    for (let at = 0; at < 100; at++) await send(apply);
    await expect.poll(taken, { interval: 1 }).toBe(sent);
  }
  const { packets, refused } = receiver.counts;
  expect(frames.length).toBe(packets);
  expect(packets).toBeGreaterThan(500);
  expect(refused).toBeGreaterThan(800);
  // Half a second later there is work for half a second again.
  now = 500;
  for (let sent = 2100; sent <= 3000; sent += 100) {
    for (let at = 0; at < 100; at++) await send(apply);
    await expect.poll(taken, { interval: 1 }).toBe(sent);
  }
  expect(receiver.counts.packets - packets).toBeGreaterThan(300);
  expect(receiver.counts.packets - packets).toBeLessThan(600);
});
