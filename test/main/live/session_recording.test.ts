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
      return { id: 'take', sound() {}, face() {}, trouble: () => '', finish };
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
