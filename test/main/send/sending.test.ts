import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodeLiveLink } from '../../../main/send/protocols/live_link_packet.ts';
import type { FaceStreamFrame } from '../../../proto/face_stream_protocol.ts';
import { jawTake, newToken, openSending, startReader, target } from './sending_stage.ts';

interface VmcFrame {
  at: number;
  bundles: number;
  elements: [address: string, ...args: unknown[]][];
}

const amountOf = ({ elements }: VmcFrame, name: string): number =>
  Number(elements.find(([address, one]) => address === '/VMC/Ext/Blend/Val' && one === name)?.[2]);

describe('a take that is sent', () => {
  test('comes to another’s OSC reader frame by frame, at the target’s rate', async () => {
    const { sending } = await openSending();
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port, rate: 60 }));
    await sending.playTake({ id: 'take-2', seconds: 0, loop: false });
    await expect.poll(() => sending.state().playing, { timeout: 20_000 }).toBeNull();
    // 120 on a quiet machine; a sender that is late skips frames.
    await expect.poll(() => reader.messages.length).toBeGreaterThan(40);
    expect(reader.messages.length).toBeLessThanOrEqual(121);
    const [first] = reader.messages;
    expect(first!.elements.slice(0, 3)).toEqual([
      ['/VMC/Ext/OK', 1],
      ['/VMC/Ext/T', 0],
      ['/VMC/Ext/Bone/Pos', 'Head', 0, expect.closeTo(0.1), 0, 0, 0, 0, 1],
    ]);
    expect(first!.elements.at(-1)).toEqual(['/VMC/Ext/Blend/Apply']);
    expect(first!.elements.filter(([address]) => address === '/VMC/Ext/Blend/Val')).toHaveLength(52);
    // Each is the take's face at its own time: the jaw opens by a sixtieth a frame.
    for (const bundle of reader.messages) {
      const seconds = Number(bundle.elements[1]![1]);
      // It shuts within a frame at each whole second.
      const off = Math.abs(amountOf(bundle, 'jawOpen') - (seconds % 1));
      expect(Math.min(off, 1 - off)).toBeLessThan(seconds % 1 < 0.05 || seconds % 1 > 0.95 ? 1 : 0.04);
    }
    expect(sending.state().targets[0]).toMatchObject({
      packets: reader.messages.reduce((sum, { bundles }) => sum + bundles, 0),
      dropped: 0,
      problem: '',
    });
  });

  test('comes to a Live Link reader with frame times of the day', async () => {
    const { sending } = await openSending();
    const reader = await startReader<{ packet: string }>('livelink');
    await sending.addTarget(target({ kind: 'livelink', port: reader.port, rate: 30 }));
    await sending.playTake({ id: 'take-9', seconds: 0, loop: true });
    await expect.poll(() => reader.messages.length).toBeGreaterThan(20);
    const numbers = reader.messages.map(({ packet }) => {
      const bytes = Buffer.from(packet, 'base64');
      const nameEnd = 45 + bytes.readInt32BE(41);
      expect(bytes.readInt32BE(nameEnd + 8)).toBe(30);
      return bytes.readInt32BE(nameEnd) + bytes.readFloatBE(nameEnd + 4);
    });
    const day = (Date.now() - new Date().setHours(0, 0, 0, 0)) / 1000;
    expect(Math.abs(numbers.at(-1)! / 30 - day)).toBeLessThan(1);
    for (let at = 1; at < numbers.length; at++) expect(numbers[at]! - numbers[at - 1]!).toBeGreaterThan(0.9);
    sending.stopTake();
    const sent = reader.messages.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(reader.messages.length).toBeLessThanOrEqual(sent + 3);
  });

  test('goes to none that is off, and to nobody where none was typed', async () => {
    const { sending } = await openSending();
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port, on: false }));
    await sending.playTake({ id: 'take-1', seconds: 0, loop: true });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(reader.messages).toEqual([]);
    const { id } = sending.state().targets[0]!;
    await sending.changeTarget(id, { on: true });
    await expect.poll(() => reader.messages.length).toBeGreaterThan(5);
    await sending.removeTarget(id);
    expect(sending.state().targets).toEqual([]);
  });

  test('goes where a player goes: it stands, plays at a speed, is moved, and ends with its player', async () => {
    const { sending } = await openSending();
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port, rate: 60 }));
    await sending.playTake({ id: 'take-1', seconds: 0.25, loop: true, follow: true });
    expect(sending.state().playing).toMatchObject({ seconds: 0.25, follows: true, loop: false });
    const shown = (): number => amountOf(reader.messages.at(-1)!, 'jawOpen');
    await expect.poll(() => reader.messages.length).toBeGreaterThan(10);
    expect(shown()).toBeCloseTo(0.25, 2);
    // It stands there for longer than it lasts.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(sending.movePlayed({ id: 'take-1', seconds: 0.75, speed: 0 })).toBe(true);
    await expect.poll(shown).toBeCloseTo(0.75, 2);
    sending.movePlayed({ id: 'take-1', seconds: 0.1, speed: 0.5 });
    const begin = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 600));
    const place = sending.state().playing!.seconds;
    expect(Math.abs(place - (0.1 + (performance.now() - begin) / 2000))).toBeLessThan(0.05);
    await expect.poll(() => Math.abs(shown() - sending.state().playing!.seconds)).toBeLessThan(0.05);
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
    const { sending } = await openSending();
    const reader = await startReader<VmcFrame>('vmc');
    const { targets } = await sending.addTarget(target({ port: reader.port, on: false, rate: 30 }));
    const { packets, dropped } = await sending.testTarget(targets[0]!.id);
    // 60 faces of two datagrams each; a sender that is late skips faces.
    expect(packets).toBeGreaterThan(40);
    expect(packets).toBeLessThan(130);
    expect(dropped).toBe(0);
    await expect.poll(() => reader.messages.reduce((sum, { bundles }) => sum + bundles, 0)).toBe(packets);
    expect(Math.max(...reader.messages.map((bundle) => amountOf(bundle, 'jawOpen')))).toBeGreaterThan(0.7);
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
    const { sending } = await openSending();
    const reader = await startReader<VmcFrame>('vmc');
    await sending.addTarget(target({ port: reader.port }));
    expect(sending.state().hasFace).toBe(false);
    const session = sending.watch();
    session.header('local', ['jawOpen']);
    let time = 0;
    const feed = setInterval(() => {
      time += 1 / 60;
      session.frame('local', frameAt(time, 0.25));
    }, 1000 / 60);
    await expect.poll(() => reader.messages.length).toBeGreaterThan(20);
    clearInterval(feed);
    expect(amountOf(reader.messages.at(-1)!, 'jawOpen')).toBeCloseTo(0.25);
    session.close();
    expect(sending.state().hasFace).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const sent = reader.messages.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(reader.messages.length).toBe(sent);
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
    const first = await openSending(folder);
    await first.sending.addTarget(target({ address: 'studio.local', port: 39_539, on: false }));
    await first.sending.receive({ kind: 'vmc', on: true, port: 0, network: false });
    await first.sending.close();
    const again = await openSending(folder);
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
    const { sending } = await openSending(folder);
    expect(sending.state().targets).toEqual([]);
    writeFileSync(join(folder, 'sending.json'), '{"schemaVersion":2}');
    await expect(openSending(folder)).rejects.toMatchObject({ said: { key: 'send.newer' } });
    expect(newToken()).toHaveLength(43);
    expect(jawTake(1).face.frames).toHaveLength(60);
  });

  test('is at most sixteen targets', async () => {
    const { sending } = await openSending();
    for (let at = 0; at < 16; at++) await sending.addTarget(target({ port: 1000 + at, on: false }));
    await expect(sending.addTarget(target({ port: 1 }))).rejects.toMatchObject({ code: 'conflict' });
  });
});
