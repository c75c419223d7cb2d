import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import { type Arrival, facesOf, mergedFace } from '@likeness/proto/take_stream.ts';
import { expect, test } from 'vitest';
import { SessionRecording } from '../../../main/live/session_recording.ts';

const order = { order: 'record', name: 'One', notes: '', model: '' } as const;

test('a take whose files are made as the session closes is finished, and none begins after that', async () => {
  let isOver = false;
  let starts = 0;
  let finishes = 0;
  const made = Promise.withResolvers<void>();
  const recording = new SessionRecording({
    source: 'microphone',
    sampleRate: 48_000,
    frameRate: 60,
    async startTake() {
      starts += 1;
      await made.promise;
      const finish = async (): Promise<void> => {
        finishes += 1;
      };
      return { id: 'take', sound() {}, face() {}, express() {}, trouble: () => '', finish };
    },
    seconds: () => 0,
    reached: () => 0,
    isOver: () => isOver,
    now: Date.now,
    wait: () => Promise.resolve(),
    onChanged: () => {},
  });
  const starting = recording.start(order);
  isOver = true;
  await recording.close();
  made.resolve();
  await starting;
  expect({ starts, finishes, takeId: recording.takeId }).toEqual({ starts: 1, finishes: 1, takeId: '' });
  await recording.start(order);
  expect(starts).toBe(1);
});

test('a tracker’s face is recorded beside the voice’s, and lies over it where the take is played', async () => {
  const arrivals: Arrival[] = [];
  let seconds = 5;
  const recording = new SessionRecording({
    source: 'microphone',
    sampleRate: 48_000,
    frameRate: 60,
    startTake: async () => ({
      id: 'take',
      sound() {},
      face: (arrival) => arrivals.push(arrival),
      express() {},
      trouble: () => '',
      finish: async () => {},
    }),
    seconds: () => seconds,
    reached: () => seconds,
    isOver: () => false,
    now: Date.now,
    wait: () => Promise.resolve(),
    onChanged: () => {},
  });
  await recording.start(order);
  const header: FaceStreamHeader = {
    kind: 'header',
    traceId: '',
    frameRate: 60,
    channelNames: ['jawOpen'],
    mesh: undefined,
  };
  const frame = (timeCode: number, weight: number): FaceStreamFrame => ({
    kind: 'frame',
    index: 0,
    timeCode,
    weights: Float32Array.of(weight),
    headPose: undefined,
    eyeGaze: undefined,
    vertices: undefined,
  });
  for (let at = 0; at < 120; at++) {
    seconds = 5 + at / 60;
    recording.face('local', header, frame(seconds, 0.2), seconds);
    // The phone begins a second later.
    if (at >= 60) recording.face('tracker', header, frame(seconds, 0.8), seconds);
  }
  const faces = facesOf(arrivals);
  expect(faces.map(({ tier }) => tier)).toEqual(['local', 'tracker']);
  const { frames } = mergedFace(faces);
  expect(frames[30]!.weights[0]).toBeCloseTo(0.2);
  expect(frames.at(-1)!.weights[0]).toBeCloseTo(0.8);
});
