/** A phone or another program sends a face over UDP: it is recorded beside the microphone's sound, and is the take's. */
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { Bundle, Client } from 'node-osc';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SessionRecording } from '../../../main/live/session_recording.ts';
import { exportTake } from '../../../main/takes/export/take_export.ts';
import { finishedTake } from '../../../main/takes/finished_take.ts';
import { scorecardOf } from '../../../main/takes/scorecard/scorecard.ts';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';
import type { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import { soundEnergy } from '../../fixtures/sound_energy.ts';
import { openTakes, takeBeginning } from '../../support/recorded_takes.ts';
import { openSending } from '../send/sending_stage.ts';

const rate = takeBeginning.sampleRate;
const jaw = arkitBlendshapeNames.indexOf('jawOpen');
const header: FaceStreamHeader = {
  kind: 'header',
  traceId: '',
  frameRate: 60,
  channelNames: arkitBlendshapeNames,
  mesh: undefined,
};
const hearings = { wordsInScript: async () => null } as unknown as TakeAnalysis;

/** A phone's packet, byte by byte as Unreal reads it: no code of the studio's has part in it. */
function phonePacket(frame: number, jawOpen: number): Buffer {
  const [id, name] = [Buffer.from('0'.repeat(36)), Buffer.from('Ada’s iPhone')];
  const packet = Buffer.alloc(1 + 4 + id.length + 4 + name.length + 17 + 61 * 4);
  let at = packet.writeUInt8(6);
  at = packet.writeInt32BE(id.length, at);
  at += id.copy(packet, at);
  at = packet.writeInt32BE(name.length, at);
  at += name.copy(packet, at);
  at = packet.writeInt32BE(frame, at);
  at = packet.writeFloatBE(0, at);
  at = packet.writeInt32BE(60, at);
  at = packet.writeInt32BE(1, at);
  at = packet.writeUInt8(61, at);
  // Apple's order: jawOpen is the eighteenth.
  packet.writeFloatBE(jawOpen, at + 17 * 4);
  return packet;
}

/** What sends a face with the jaw open so far, to a port. */
type Sender = (port: number) => { send(jawOpen: number): void; close(): void };

const phone: Sender = (port) => {
  const socket = createSocket('udp4');
  let frame = 1000;
  return {
    send: (jawOpen) => socket.send(phonePacket(frame++, jawOpen), port, '127.0.0.1'),
    close: () => socket.close(),
  };
};

const vmcProgram: Sender = (port) => {
  const client = new Client('127.0.0.1', port);
  return {
    send: (jawOpen) =>
      void client.send(
        new Bundle(['/VMC/Ext/OK', 1], ['/VMC/Ext/Blend/Val', 'JawOpen', jawOpen], ['/VMC/Ext/Blend/Apply']),
      ),
    close: () => void client.close(),
  };
};

describe.each([
  ['livelink', phone, 'Ada’s iPhone'],
  ['vmc', vmcProgram, 'VMC'],
] as const)('a face by %s', (kind, open, name) => {
  test('drives the take, which plays, is exported, is scored and names its tracker', async () => {
    const { sending } = await openSending();
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    await sending.receive({ kind, on: true, port, network: false });
    const folder = mkdtempSync(join(tmpdir(), 'likeness-tracked-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const takes = await openTakes(join(folder, 'takes'));
    let seconds = 0;
    const recording = new SessionRecording({
      source: 'microphone',
      sampleRate: rate,
      frameRate: 60,
      startTake: () => takes.start(takeBeginning),
      seconds: () => seconds,
      reached: () => seconds,
      isOver: () => false,
      now: Date.now,
      wait: () => Promise.resolve(),
      onChanged: () => {},
    });
    let last = Number.NEGATIVE_INFINITY;
    const heard: FaceStreamFrame[] = [];
    onTestFinished(
      sending.onTracked((frame, age, from) => {
        heard.push(frame);
        if (seconds - age <= last) return;
        last = seconds - age;
        recording.face('tracker', header, frame, last);
        recording.trackedBy(from);
      }),
    );
    const sender = open(port);
    onTestFinished(() => sender.close());
    await recording.start({ order: 'record', name: 'Tracked', notes: '', model: '' });
    const voice = {
      kind: 'frame',
      index: 0,
      headPose: undefined,
      eyeGaze: undefined,
      vertices: undefined,
    } as const;
    for (let index = 0; index < 150; index++) {
      sender.send(0.75);
      // A packet that is lost is waited for as long as a frame lasts.
      for (const end = performance.now() + 16; heard.length <= index && performance.now() < end; )
        await new Promise((resolve) => setImmediate(resolve));
      recording.sound(Float32Array.from({ length: rate / 60 }, (_, at) => Math.sin(at / 20) * 0.3));
      const timeCode = index / 60;
      recording.face('local', header, { ...voice, timeCode, weights: new Float32Array(52) }, timeCode);
      seconds = (index + 1) / 60;
    }
    await expect.poll(() => heard.length).toBeGreaterThan(100);
    await recording.stop({ latency: null });

    const [take] = takes.list();
    expect(take).toMatchObject({ tracker: name, tiers: expect.arrayContaining(['local', 'tracker']) });
    const { record, ...finished } = await finishedTake(takes, hearings, take!.id);
    const middle = finished.face.frames.filter(({ timeCode }) => timeCode > 1 && timeCode < 2);
    for (const { weights } of middle) expect(weights[jaw]).toBeCloseTo(0.75, 2);
    expect(finished.seconds).toBeCloseTo(2.5, 2);

    const none = () => Promise.reject(new Error('no head is needed'));
    const whole = { ...finished, name: record.name, createdAt: record.createdAt, head: none };
    const files = await exportTake(whole, ['livelink', 'csv'], join(folder, 'out'), none);
    expect(files).toHaveLength(3);
    const score = scorecardOf({
      finished: { record, ...finished },
      energy: soundEnergy(readWavSound(readFileSync(finished.audio.path))),
      recorded: finished.face,
      map: timeMap([], record.seconds),
      isEdited: false,
      arrivals: null,
      lipGap: null,
      modelId: '',
    });
    expect(score).toBeDefined();
  });
});
