import type { Tier } from '@likeness/proto/live/live_message.ts';
import { LocalRemoteBlend } from '@likeness/proto/live/local_remote_blend.ts';
import type { TimedFrame } from '@likeness/proto/live/playout.ts';
import { describe, expect, test } from 'vitest';

const frameMs = 1000 / 60;

/** A face of one weight; the head looks aside by as much. */
const frame = (timeCode: number, weight: number): TimedFrame => ({
  askedAt: 0,
  answeredAt: 0,
  arrivedAt: 0,
  frame: {
    kind: 'frame',
    index: 0,
    timeCode,
    weights: Float32Array.of(weight),
    headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(weight / 8), 0, Math.cos(weight / 8)] },
    eyeGaze: undefined,
    vertices: undefined,
  },
});

/** What the built-in engine's face and the server's are, so that the weight shown is the server's share. */
const weights = { local: 0, server: 1 } as const;

interface Line {
  /** Milliseconds from a sound to its frame, by its time in the stream; null: it never comes. */
  local: (at: number) => number | null;
  server: (at: number) => number | null;
}

/** Plays so many milliseconds at 60 pictures a second. @returns the weight shown in each; null: no face */
function play(
  milliseconds: number,
  line: Line,
  {
    tiers = new LocalRemoteBlend(),
    from = 0,
    weight = weights as Record<Tier, number>,
    each = (_: number) => {},
  } = {},
): (number | null)[] {
  tiers.begin('local', ['jawOpen']);
  tiers.begin('server', ['jawOpen']);
  const due: { tier: Tier; at: number; timeCode: number }[] = [];
  for (const tier of ['local', 'server'] as const)
    for (let at = from; at < from + milliseconds; at += frameMs) {
      const delay = line[tier](at);
      if (delay !== null) due.push({ tier, at: at + delay, timeCode: at / 1000 });
    }
  due.sort((a, b) => a.at - b.at);
  const shown: (number | null)[] = [];
  for (let at = from; at < from + milliseconds; at += frameMs) {
    for (; due.length > 0 && due[0]!.at <= at; due.shift()) {
      const { tier, timeCode } = due[0]!;
      tiers.push(tier, frame(timeCode, weight[tier]), due[0]!.at);
    }
    each(at);
    shown.push(tiers.faceAt(at)?.face.weights[0] ?? null);
  }
  return shown;
}

/** The largest step from one picture to the next. */
function largestStep(shown: readonly (number | null)[]): number {
  const faces = shown.filter((value) => value !== null);
  return Math.max(...faces.map((value, at) => Math.abs(value - (faces[at - 1] ?? value))));
}
/** Of a fade of 250 ms at 60 pictures a second, with a hair for rounding. */
const step = 1 / 15 + 1e-3;

describe('a server’s face', () => {
  test('is faded into when it comes in time, and stays', () => {
    const shown = play(4000, { local: () => 30, server: () => 180 });
    expect(shown.slice(10).every((value) => value !== null)).toBe(true);
    expect(largestStep(shown)).toBeLessThan(step);
    expect(shown.slice(120).every((value) => value === 1)).toBe(true);
  });

  test('is faded out of when it stops, and into again when it is back', () => {
    const shown = play(12_000, { local: () => 30, server: (at) => (at > 4000 && at < 7000 ? null : 180) });
    expect(largestStep(shown)).toBeLessThan(step);
    expect(shown[Math.round(5000 / frameMs)]).toBe(0);
    expect(shown.at(-1)).toBe(1);
  });

  test('that is late now and then is no stall and no flicker: what is shown steps gently', () => {
    // Each twentieth answer is 300 ms late, and those behind it wait for it.
    let free = 0;
    const shown = play(8000, {
      local: () => 30,
      server(at) {
        const late = Math.floor(at / 100) % 20 === 7 ? 450 : 150;
        free = Math.max(free, at + late);
        return free - at;
      },
    });
    expect(largestStep(shown)).toBeLessThan(step);
    expect(shown.every((value, at) => at < 10 || value !== null)).toBe(true);
  });

  test('is held back for and caught up after without time running backwards', () => {
    const tiers = new LocalRemoteBlend();
    const times: number[] = [];
    play(
      9000,
      { local: () => 30, server: (at) => (at < 1500 || at > 5000 ? null : 700) },
      {
        tiers,
        each(at) {
          const from = tiers.faceAt(at)?.from;
          if (from) times.push(from.frame.timeCode);
        },
      },
    );
    // The server's frame and the built-in one of the same moment may differ by one.
    for (const [at, time] of times.entries())
      expect(time).toBeGreaterThanOrEqual((times[at - 1] ?? 0) - 0.02);
    expect(8.95 - times.at(-1)!).toBeLessThan(0.12);
  });
});

describe('a face that is cut off', () => {
  const talking = { local: () => 30, server: () => 180 };

  test('is gone at once, with no jump, and nothing of it comes back', () => {
    const tiers = new LocalRemoteBlend();
    play(4000, talking, { tiers });
    tiers.interrupt(4, 4000);
    // What was under way arrives all the same.
    for (let at = 3850; at < 4000; at += frameMs) tiers.push('server', frame(at / 1000, 1), 4010);
    const values = Array.from({ length: 12 }, (_, i) => {
      const shown = tiers.faceAt(4000 + i * frameMs);
      return shown?.face.weights[0] ?? 0;
    });
    expect(values[0]).toBeGreaterThan(0.9);
    expect(values[2]).toBeLessThan(0.7);
    expect(values.slice(5).every((value) => value === 0)).toBe(true);
    expect(tiers.serverShare).toBe(0);
    for (const [at, value] of values.entries())
      expect(value).toBeLessThanOrEqual((values[at - 1] ?? 1) + 1e-6);
  });

  test('passes into the built-in face of what is said next, then into the server’s', () => {
    const tiers = new LocalRemoteBlend();
    play(4000, talking, { tiers });
    tiers.interrupt(4, 4000);
    const shown = play(3000, talking, { tiers, from: 4000 });
    expect(largestStep(shown)).toBeLessThan(frameMs / 80 + 0.02);
    expect(shown[Math.round(130 / frameMs)]).toBeLessThan(0.2);
    expect(shown.at(-1)).toBe(1);
  });
});
