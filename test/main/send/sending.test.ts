import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodeLiveLink } from '../../../main/send/protocols/live_link_packet.ts';
import type { FaceStreamFrame } from '../../../proto/face_stream_protocol.ts';
import { type ManualClock, manualClock } from '../../support/manual_clock.ts';
import { jawTake, newToken, openSending, type SendingStage, startReader, target } from './sending_stage.ts';

interface VmcFrame {
  at: number;
  bundles: number;
  elements: [address: string, ...args: unknown[]][];
}

const amountOf = ({ elements }: VmcFrame, name: string): number =>
  Number(elements.find(([address, one]) => address === '/VMC/Ext/Blend/Val' && one === name)?.[2]);

/**
 * Puts the clock forward by so many frames of 60 a second. The reader has read each before the next: else the
 * system drops some.
 */
async function passFrames(
  { advance }: ManualClock,
  { messages }: { messages: VmcFrame[] },
  count: number,
): Promise<void> {
  for (let frame = 0; frame < count; frame++) {
    const read = messages.length;
    await advance(1000 / 60);
    await expect.poll(() => messages.length, { interval: 1 }).toBe(read + 1);
  }
}

/** A take that begins now, its first frame read. */
async function playOn(
  time: ManualClock,
  { sending }: SendingStage,
  reader: { messages: VmcFrame[] },
  take: Parameters<SendingStage['sending']['playTake']>[0],
): Promise<void> {
  await sending.playTake(take);
  await time.advance(1);
  await expect.poll(() => reader.messages.length, { interval: 1 }).toBe(1);
}

const bundlesOf = (messages: readonly VmcFrame[]): number =>
  messages.reduce((sum, { bundles }) => sum + bundles, 0);

describe('a take that is sent', () => {
  test('comes to another’s OSC reader frame by frame, at the target’s rate', async () => {
    const time = manualClock();
    const stage = await openSending(time);
    const { sending } = stage;
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port, rate: 60 }));
    await playOn(time, stage, reader, { id: 'take-2', seconds: 0, loop: false });
    await passFrames(time, reader, 120);
    expect(sending.state().playing).toBeNull();
    await time.advance(1000);
    const [first] = reader.messages;
    expect(first!.elements.slice(0, 3)).toEqual([
      ['/VMC/Ext/OK', 1],
      ['/VMC/Ext/T', 0],
      ['/VMC/Ext/Bone/Pos', 'Head', 0, expect.closeTo(0.1), 0, 0, 0, 0, 1],
    ]);
    expect(first!.elements.at(-1)).toEqual(['/VMC/Ext/Blend/Apply']);
    expect(first!.elements.filter(([address]) => address === '/VMC/Ext/Blend/Val')).toHaveLength(52);
    // Each is the take's face at its own time: the jaw opens by a sixtieth a frame, and shuts at each whole second.
    for (const [frame, bundle] of reader.messages.slice(0, 120).entries()) {
      expect(bundle.elements[1]).toEqual(['/VMC/Ext/T', expect.closeTo(frame / 60, 3)]);
      expect(amountOf(bundle, 'jawOpen')).toBeCloseTo((frame % 60) / 60, 3);
    }
    expect(sending.state().targets[0]).toMatchObject({
      packets: bundlesOf(reader.messages),
      dropped: 0,
      problem: '',
    });
  });

  test('comes to a Live Link reader with frame times of the day', async () => {
    const time = manualClock();
    const { sending } = await openSending(time);
    const reader = await startReader<{ packet: string }>('livelink');
    await sending.addTarget(target({ kind: 'livelink', port: reader.port, rate: 30 }));
    await sending.playTake({ id: 'take-9', seconds: 0, loop: true });
    const begun = time.clock.now();
    await time.advance(1);
    for (let count = 1; count <= 30; count++) {
      await expect.poll(() => reader.messages.length, { interval: 1 }).toBe(count);
      await time.advance(1000 / 30);
    }
    await expect.poll(() => reader.messages.length).toBe(31);
    const numbers = reader.messages.map(({ packet }) => {
      const bytes = Buffer.from(packet, 'base64');
      const nameEnd = 45 + bytes.readInt32BE(41);
      expect(bytes.readInt32BE(nameEnd + 8)).toBe(30);
      return bytes.readInt32BE(nameEnd) + bytes.readFloatBE(nameEnd + 4);
    });
    const day = (begun - new Date(begun).setHours(0, 0, 0, 0)) / 1000;
    for (const [frame, number] of numbers.entries()) expect(number).toBeCloseTo(day * 30 + frame, 2);
    sending.stopTake();
    const { packets } = sending.state().targets[0]!;
    await time.advance(300);
    expect(sending.state().targets[0]!.packets).toBe(packets);
  });

  test('goes to none that is off, and to nobody where none was typed', async () => {
    const time = manualClock();
    const { sending } = await openSending(time);
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port, on: false }));
    await sending.playTake({ id: 'take-1', seconds: 0, loop: true });
    await time.advance(400);
    const { id } = sending.state().targets[0]!;
    await sending.changeTarget(id, { on: true });
    await time.advance(1);
    await expect.poll(() => reader.messages.length, { interval: 1 }).toBe(1);
    await passFrames(time, reader, 5);
    // The first that came is of now: nothing was sent before.
    expect(amountOf(reader.messages[0]!, 'jawOpen')).toBeCloseTo(0.4, 2);
    await sending.removeTarget(id);
    expect(sending.state().targets).toEqual([]);
  });

  test('goes where a player goes: it stands, plays at a speed, is moved, and ends with its player', async () => {
    const time = manualClock();
    const stage = await openSending(time);
    const { sending } = stage;
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port, rate: 60 }));
    await playOn(time, stage, reader, { id: 'take-1', seconds: 0.25, loop: true, follow: true });
    expect(sending.state().playing).toMatchObject({ seconds: 0.25, follows: true, loop: false });
    const shown = (): number => amountOf(reader.messages.at(-1)!, 'jawOpen');
    // It stands there for longer than it lasts.
    await passFrames(time, reader, 72);
    expect(shown()).toBeCloseTo(0.25, 3);
    expect(sending.movePlayed({ id: 'take-1', seconds: 0.75, speed: 0 })).toBe(true);
    await passFrames(time, reader, 1);
    expect(shown()).toBeCloseTo(0.75, 3);
    sending.movePlayed({ id: 'take-1', seconds: 0.1, speed: 0.5 });
    await passFrames(time, reader, 36);
    expect(sending.state().playing!.seconds).toBeCloseTo(0.4, 5);
    // The frame is of a millisecond before.
    expect(shown()).toBeCloseTo(0.4, 2);
    expect(sending.movePlayed({ id: 'take-2', seconds: 0, speed: 1 })).toBe(false);
    sending.stopTake();
    expect(sending.movePlayed({ id: 'take-1', seconds: 0, speed: 1 })).toBe(false);
    await sending.playTake({ id: 'take-1', seconds: 0, loop: true });
    expect(sending.movePlayed({ id: 'take-1', seconds: 0, speed: 1 })).toBe(false);
  });

  test('that nobody takes is told, and holds nothing up', async () => {
    const { sending } = await openSending();
    const free = createSocket('udp4');
    const port = await new Promise<number>((resolve) =>
      free.bind(0, '127.0.0.1', () => resolve(free.address().port)),
    );
    free.close();
    await sending.addTarget(target({ port }));
    await sending.addTarget(target({ address: 'no-such-host.invalid', port }));
    await sending.playTake({ id: 'take-9', seconds: 0, loop: true });
    const problems = (): string[] =>
      sending.state().targets.map(({ problem }) => (problem as { key: string }).key);
    await expect.poll(problems, { timeout: 20_000 }).toEqual(['send.nobody_listens', 'send.name_not_found']);
  });

  test('a test of a target is two seconds of a mouth, to it alone', async () => {
    const time = manualClock();
    const { sending } = await openSending(time);
    const reader = await startReader<VmcFrame>('vmc');
    const { targets } = await sending.addTarget(target({ port: reader.port, on: false, rate: 30 }));
    const tested = sending.testTarget(targets[0]!.id);
    // Its socket opens meanwhile.
    await expect
      .poll(
        async () => {
          await time.advance(0.01);
          return reader.messages.length;
        },
        { interval: 1 },
      )
      .toBe(1);
    for (let frame = 2; frame <= 61; frame++) {
      await time.advance(1000 / 30);
      await expect.poll(() => reader.messages.length, { interval: 1 }).toBe(frame);
    }
    await time.advance(100);
    // 61 faces, the first and the last of them two seconds apart, of two datagrams each.
    expect(await tested).toEqual({ packets: 122, dropped: 0 });
    expect(bundlesOf(reader.messages)).toBe(122);
    expect(Math.max(...reader.messages.map((bundle) => amountOf(bundle, 'jawOpen')))).toBeCloseTo(0.8, 3);
  });
});
describe('the live face', () => {
  const frameAt = (timeCode: number, weight: number): FaceStreamFrame => ({
    kind: 'frame',
    index: 0,
    timeCode,
    weights: Float32Array.of(weight),
    headPose: undefined,
    eyeGaze: undefined,
    vertices: undefined,
  });

  test('goes out while its session goes on, and nothing after', async () => {
    const time = manualClock();
    const { sending } = await openSending(time);
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port }));
    expect(sending.state().hasFace).toBe(false);
    const session = sending.watch();
    session.header('local', ['jawOpen']);
    const sent = (): number => sending.state().targets[0]!.packets;
    for (let frame = 1; frame <= 60; frame++) {
      session.frame('local', frameAt(frame / 60, 0.25));
      await time.advance(1000 / 60);
      await expect.poll(() => bundlesOf(reader.messages), { interval: 1 }).toBe(sent());
    }
    // All but those before the first face.
    expect(reader.messages.length).toBeGreaterThan(50);
    expect(amountOf(reader.messages.at(-1)!, 'jawOpen')).toBeCloseTo(0.25);
    session.close();
    expect(sending.state().hasFace).toBe(false);
    const before = sent();
    await time.advance(300);
    expect(sent()).toBe(before);
  });
  test('is a tracker’s where one sends, and the voice’s again when it is gone', async () => {
    const { sending, told } = await openSending();
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port }));
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    await sending.receive({ kind: 'livelink', on: true, port, network: false });
    expect(sending.state().receivers[0]).toMatchObject({ on: true, problem: '', heardFrom: '' });
    const heard: number[] = [];
    sending.onTracked((frame) => heard.push(frame.timeCode));
    const phone = createSocket('udp4');
    onTestFinished(() => void phone.close());
    const weights = new Float32Array(52).fill(0);
    weights[17] = 0.75;
    let count = 0;
    const feed = setInterval(() => {
      count += 1;
      const frame = { deviceId: 'a'.repeat(36), subject: 'iPhone', frame: 1000 + count, frameRate: 60 };
      const pose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] } as const;
      const gaze = { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 };
      phone.send(encodeLiveLink(frame, { weights, headPose: pose, eyeGaze: gaze }), port, '127.0.0.1');
      if (count % 10 === 0) phone.send(Buffer.from('no face at all'), port, '127.0.0.1');
    }, 1000 / 60);
    await expect.poll(() => reader.messages.length).toBeGreaterThan(20);
    expect(amountOf(reader.messages.at(-1)!, 'jawOpen')).toBeCloseTo(0.75);
    const [receiver] = sending.state().receivers;
    expect(receiver).toMatchObject({ heardFrom: 'iPhone (127.0.0.1)' });
    expect(receiver!.refused).toBeGreaterThan(0);
    for (let at = 1; at < heard.length; at++) expect(heard[at]!).toBeGreaterThan(heard[at - 1]!);

    // A second sender is not mixed in.
    const other = createSocket('udp4');
    onTestFinished(() => void other.close());
    const before = sending.state().receivers[0]!.refused;
    for (let at = 0; at < 20; at++)
      other.send(
        encodeLiveLink({ deviceId: 'b', subject: 'b', frame: at, frameRate: 60 }, null),
        port,
        '127.0.0.1',
      );
    await expect.poll(() => sending.state().receivers[0]!.refused).toBeGreaterThanOrEqual(before + 20);
    clearInterval(feed);
    await expect.poll(() => told()?.hasFace).toBe(false);
  });

  test('a flood is counted, and what is within its bounds is still read', async () => {
    const { sending } = await openSending();
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    await sending.receive({ kind: 'livelink', on: true, port, network: false });
    const phone = createSocket('udp4');
    onTestFinished(() => void phone.close());
    const packet = encodeLiveLink({ deviceId: 'a', subject: 'a', frame: 1, frameRate: 60 }, null);
    for (let burst = 0; burst < 40; burst++) {
      for (let at = 0; at < 100; at++) phone.send(packet, port, '127.0.0.1');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => sending.state().receivers[0]!.refused).toBeGreaterThan(0);
    const { packets } = sending.state().receivers[0]!;
    expect(packets).toBeGreaterThan(0);
    expect(packets).toBeLessThan(4000);
  });

  test('a port that another program has is told', async () => {
    const { sending } = await openSending();
    const other = createSocket('udp4');
    onTestFinished(() => void other.close());
    const port = await new Promise<number>((resolve) =>
      other.bind(0, '127.0.0.1', () => resolve(other.address().port)),
    );
    const { receivers } = await sending.receive({ kind: 'vmc', on: true, port, network: false });
    expect(receivers[1]!.problem).toMatchObject({ key: 'send.port_taken' });
  });
});

describe('what the person set', () => {
  test('is there after a restart; receiving is off', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-sending-'));
    const first = await openSending({ folder });
    await first.sending.addTarget(target({ address: 'studio.local', port: 39_539, on: false }));
    await first.sending.receive({ kind: 'vmc', on: true, port: 0, network: false });
    await first.sending.close();
    const again = await openSending({ folder });
    const { targets, receivers } = again.sending.state();
    expect(targets).toMatchObject([{ address: 'studio.local', port: 39_539, names: 'arkit' }]);
    expect(receivers.map(({ on }) => on)).toEqual([false, false]);
    expect(statSync(join(folder, 'sending.json')).mode & 0o077).toBe(0);
    // The same tokens, which logs leave out.
    expect(again.secrets).toEqual(first.secrets);
    expect(readFileSync(join(folder, 'sending.json'), 'utf8')).toContain(first.secrets[0]);
  });

  test('is kept aside where it is damaged, and left alone where a newer studio wrote it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-sending-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'sending.json'), '{"schemaVersion":1,"targets":"none"}');
    const { sending } = await openSending({ folder });
    expect(sending.state().targets).toEqual([]);
    writeFileSync(join(folder, 'sending.json'), '{"schemaVersion":2}');
    await expect(openSending({ folder })).rejects.toMatchObject({ userMessage: { key: 'send.newer' } });
    expect(newToken()).toHaveLength(43);
    expect(jawTake(1).face.frames).toHaveLength(60);
  });

  test('is at most sixteen targets', async () => {
    const { sending } = await openSending();
    for (let at = 0; at < 16; at++) await sending.addTarget(target({ port: 1000 + at, on: false }));
    await expect(sending.addTarget(target({ port: 1 }))).rejects.toMatchObject({ code: 'conflict' });
  });
});
