import { blendFrames, fadeTowards, restingFace } from '@likeness/proto/live/face_state.ts';
import { FrameTrack, PlayoutClock, type TimedFrame } from '@likeness/proto/live/playout.ts';
import { describe, expect, test } from 'vitest';

const frame = (timeCode: number, weight = timeCode): TimedFrame => ({
  askedAt: 0,
  answeredAt: 0,
  arrivedAt: 0,
  frame: {
    kind: 'frame',
    index: 0,
    timeCode,
    weights: Float32Array.of(weight),
    headPose: undefined,
    eyeGaze: undefined,
    vertices: undefined,
  },
});

describe('frames that wait to be shown', () => {
  test('are blended by time, and the newest stands where none follows', () => {
    const track = new FrameTrack();
    expect(track.around(0)).toBeNull();
    for (const time of [0, 0.1, 0.2]) track.push(frame(time));
    expect(track.around(0.15)?.mix).toBeCloseTo(0.5, 5);
    expect(track.around(0.9)?.from.frame.timeCode).toBe(0.2);
    expect(track.around(-1)?.mix).toBe(0);
  });

  test('that are late, or come twice, change nothing', () => {
    const track = new FrameTrack();
    for (const time of [0, 0.1, 0.1, 0.05]) track.push(frame(time));
    expect(track.newest).toBe(0.1);
  });

  test('do not pile up over an hour', () => {
    const track = new FrameTrack();
    for (let time = 0; time < 3600; time += 0.5) track.push(frame(time));
    expect(track.around(0)?.from.frame.timeCode).toBeGreaterThan(3580);
  });
});

describe('the clock of what is shown', () => {
  /** Frames each 1/60 s whose arrival is late by up to `jitter`; gives the share that came in time. */
  function play(jitter: (index: number) => number): { late: number; delay: number } {
    const clock = new PlayoutClock();
    let late = 0;
    let delay = 0;
    for (let index = 0; index < 600; index++) {
      const due = index * (1000 / 60);
      const at = due + 40 + jitter(index);
      clock.arrived(index / 60, at);
      const shown = clock.timeAt(at);
      delay = at / 1000 - shown;
      if (index > 120 && shown > index / 60 + 0.001) late++;
    }
    return { late, delay };
  }

  test('shows a steady stream at once', () => {
    const { late, delay } = play(() => 0);
    expect(late).toBe(0);
    expect(delay).toBeCloseTo(0.04, 2);
  });

  test('waits as long as nearly all frames need, and not longer', () => {
    const { delay } = play((index) => (index % 10) * 2);
    expect(delay).toBeGreaterThan(0.05);
    expect(delay).toBeLessThan(0.062);
  });

  test.each([400, 3000])('is back in the present soon after the page was held up for %i ms', (held) => {
    const clock = new PlayoutClock();
    let delay = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < 900; index++) {
      const due = index * (1000 / 60) + 40;
      // What came while the page could not listen is all there when it can.
      const at = due > 3000 && due < 3000 + held ? 3000 + held : due;
      clock.arrived(index / 60, at);
      const shown = clock.timeAt(at);
      expect(shown).toBeGreaterThanOrEqual(last);
      last = shown;
      if (at < 3000 + held + 3000 + 2500) delay = at / 1000 - shown;
    }
    expect(delay).toBeLessThan(0.06);
  });

  test('never goes back in time when a stream becomes later', () => {
    const clock = new PlayoutClock();
    let last = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < 400; index++) {
      const at = index * (1000 / 60) + (index < 200 ? 40 : 340);
      clock.arrived(index / 60, at);
      const shown = clock.timeAt(at);
      expect(shown).toBeGreaterThanOrEqual(last);
      last = shown;
    }
  });
});

test('one face fades into another by the names of its channels', () => {
  const [a, b] = [restingFace(), restingFace()];
  blendFrames(a, ['jawOpen'], { from: frame(0, 0), to: frame(0, 0), mix: 0 });
  blendFrames(b, ['jawOpen'], { from: frame(0, 1), to: frame(0, 1), mix: 0 });
  fadeTowards(a, b, 0.25);
  expect(a.weights[0]).toBeCloseTo(0.25, 5);
  blendFrames(b, ['smile'], { from: frame(0, 1), to: frame(0, 1), mix: 0 });
  fadeTowards(a, b, 1);
  expect(a.weights[0]).toBe(0);
});
