import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { requiredClosures } from '@likeness/proto/speech/required_closures.ts';
import type { Arrival } from '@likeness/proto/take_stream.ts';
import { curveRate } from '@likeness/proto/takes/curve_lag.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { describe, expect, test } from 'vitest';
import { arrivalFigures } from '../../../../main/takes/scorecard/arrival_figures.ts';
import { closuresOfFace, closuresShut } from '../../../../main/takes/scorecard/closures_shut.ts';
import { peaksOf } from '../../../../main/takes/scorecard/curve_peaks.ts';
import {
  channelRanges,
  isUsed,
  jawAfterSound,
  jitter,
  missingFrames,
  mouthSpeed,
} from '../../../../main/takes/scorecard/face_figures.ts';
import { peaksKept } from '../../../../main/takes/scorecard/peaks_kept.ts';
import { EnergyMeter, silenceIn } from '../../../../main/takes/scorecard/sound_energy.ts';
import { madeFace, syllables } from '../../../fixtures/made_face.ts';
import { soundEnergy } from '../../../fixtures/sound_energy.ts';
import { alignmentOf } from '../../../fixtures/studio/takes.ts';

const whole = timeMap(noEdits.pieces, 10);
/** A hum as loud as a curve. */
const humOf = (loudness: (time: number) => number, seconds = 10, sampleRate = 16_000) => ({
  sampleRate,
  samples: Float32Array.from({ length: seconds * sampleRate }, (_, at) => {
    const time = at / sampleRate;
    return loudness(time) * Math.sin(900 * time);
  }),
});

describe('jaw and sound', () => {
  test.each([0.12, 0, -0.06])('a jaw that comes %f s after the sound has that lag', (by) => {
    const energy = soundEnergy(humOf(syllables));
    const { lag, r } = jawAfterSound(madeFace({ jawOpen: (time) => syllables(time - by) }), energy)!;
    expect(Math.abs(lag - by)).toBeLessThan(0.005);
    expect(r).toBeGreaterThan(0.97);
  });

  test('a jaw that rests, or a silent sound, has none', () => {
    const energy = soundEnergy(humOf(syllables));
    expect(jawAfterSound(madeFace({ jawOpen: () => 0.2 }), energy)).toBeNull();
    expect(jawAfterSound(madeFace({ jawOpen: syllables }), new Float32Array(1000))).toBeNull();
  });
});

test.each([1, 160, 1000, 65_536])('sound that comes in blocks of %i samples has the same energy', (size) => {
  const sound = humOf(syllables, 3, 11_025);
  const meter = new EnergyMeter({ samples: sound.samples.length, sampleRate: sound.sampleRate });
  for (let at = 0; at < sound.samples.length; at += size) meter.push(sound.samples.subarray(at, at + size));
  expect(meter.energy()).toEqual(soundEnergy(sound));
});

describe('silence', () => {
  const spoken = (time: number): number => (time < 4 || time >= 6 ? 0.5 : 0.0005);

  test('it is found between what is spoken, without its first and last moments', () => {
    const silent = silenceIn(soundEnergy(humOf(spoken)));
    const at = (time: number): number => silent[Math.round(time * curveRate)]!;
    expect([at(3.9), at(4.05), at(4.3), at(5.7), at(5.95), at(6.1)]).toEqual([0, 0, 1, 1, 0, 0]);
  });

  test('nothing but silence is none', () => expect(silenceIn(new Float32Array(500)).includes(1)).toBe(false));

  test('a mouth that moves half as fast in it has half the speed', () => {
    const face = madeFace({
      // A weight that goes up and down by 2 a second, and by 1 a second in silence.
      jawOpen: (time) => Math.abs(((time * (time >= 4 && time < 6 ? 1 : 2)) % 1) - 0.5),
      browInnerUp: (time) => Math.sin(50 * time),
    });
    const silent = silenceIn(soundEnergy(humOf(spoken)));
    const speech = silent.map((is) => 1 - is);
    expect(mouthSpeed(face, silent)).toBeCloseTo(1, 1);
    expect(mouthSpeed(face, speech)).toBeCloseTo(1.97, 1);
    expect(mouthSpeed(face, new Uint8Array(1000))).toBeNull();
  });
});

describe('jitter', () => {
  test('a channel that goes ±a from frame to frame has a', () => {
    const trembling = madeFace({ jawOpen: (time) => 0.5 + (Math.round(time * 60) % 2 === 0 ? 0.02 : -0.02) });
    expect(jitter(trembling)).toBeCloseTo(0.02, 6);
  });

  test('an even slope has none, and what rests does not make it less', () => {
    expect(jitter(madeFace({ jawOpen: (time) => time / 20 }))).toBeCloseTo(0, 6);
    const half = madeFace({
      jawOpen: (time) => (Math.round(time * 60) % 2 === 0 ? 0.03 : 0),
      mouthPucker: () => 0.3,
    });
    expect(jitter(half)).toBeCloseTo(0.015, 6);
  });

  test('a face that rests has no figure', () => expect(jitter(madeFace({ jawOpen: () => 0 }))).toBeNull());
});

test('the range of each channel, and which are used', () => {
  const ranges = channelRanges(madeFace({ jawOpen: (time) => time / 20, tongueOut: () => 0.004 }));
  expect(ranges[0]!.most).toBeCloseTo(0.4992, 3);
  expect(ranges.map(isUsed)).toEqual([true, false]);
});

describe('missing frames', () => {
  const face = madeFace({ jawOpen: syllables });

  test('a whole face has none', () => expect(missingFrames(face, 10)).toBe(0));

  test('gaps, and what is not there at the ends, are counted', () => {
    const frames = face.frames.filter((_, at) => at >= 3 && at !== 100 && (at < 200 || at > 209) && at < 590);
    expect(missingFrames({ ...face, frames }, 10)).toBe(3 + 1 + 10 + 10);
    expect(missingFrames({ ...face, frames: [] }, 10)).toBe(600);
  });
});

test('late frames are those after the target; what was made afterwards is none', async () => {
  const arrivals = (tier: Arrival['tier'], delay: (at: number) => number): Arrival[] => [
    {
      arrivedAt: 0,
      tier,
      message: encodeBareMessage({
        kind: 'header',
        traceId: 't',
        frameRate: 10,
        channelNames: ['jawOpen'],
        mesh: undefined,
      }),
    },
    ...Array.from({ length: 10 }, (_, index) => ({
      arrivedAt: index / 10 + delay(index),
      tier,
      message: encodeBareMessage({
        kind: 'frame',
        index,
        timeCode: index / 10,
        weights: Float32Array.of(0),
        headPose: undefined,
        eyeGaze: undefined,
        vertices: undefined,
      }),
    })),
  ];
  const figures = (await arrivalFigures(arrivals('local', (at) => (at === 7 ? 1.2 : 0.1))))!;
  expect(figures).toMatchObject({ frames: 10, late: 1 });
  expect(figures.median).toBeCloseTo(0.1, 9);
  expect(figures.p95).toBeCloseTo(1.2, 9);
  expect(await arrivalFigures(arrivals('afterwards', () => 30))).toBeNull();
});

describe('peaks', () => {
  test('they are found where a curve stands out, and not where it trembles or begins falling', () => {
    expect(peaksOf([0.9, 0.5, 0, 0.1, 0.05, 0.4, 0.38, 0.41, 0, 0.2, 0])).toEqual([7, 9]);
  });

  const recorded = madeFace({ jawOpen: syllables, browInnerUp: () => 0 });

  test('as it was recorded all are kept; halved, none', () => {
    const { count, kept } = peaksKept(recorded, recorded, whole)!;
    expect(count).toBeGreaterThan(8);
    expect(kept).toBe(count);
    const halved = madeFace({ jawOpen: (time) => syllables(time) / 2 });
    expect(peaksKept(recorded, halved, whole)).toEqual({ count, kept: 0 });
    expect(peaksKept(madeFace({ jawOpen: () => 0 }), recorded, whole)).toBeNull();
  });

  test('what is cut out does not count, and what is cut to is found where it plays', () => {
    const pieces = [
      { from: 0, to: 2, speed: 1 },
      { from: 6, to: 10, speed: 2 },
    ];
    const map = timeMap(pieces, 10);
    const played = madeFace({ jawOpen: (time) => syllables(map.toRecorded(time)) }, { seconds: 4 });
    const all = peaksKept(recorded, recorded, whole)!;
    const some = peaksKept(recorded, played, map)!;
    expect(some.count).toBeLessThan(all.count);
    expect(some.kept).toBe(some.count);
  });
});

describe('closures', () => {
  /** Opens half a second, shuts for 0.1 s, and so on. */
  const shutting = (time: number): number => (time % 0.6 < 0.5 ? 0.4 : 0);
  const gap = (weights: ArrayLike<number>): number => 20 * weights[0]!;

  test('those that really shut are counted, and the widest of the others is told', () => {
    const face = madeFace({ jawOpen: shutting });
    const closures = closuresOfFace(face, whole);
    expect(closures.length).toBe(16);
    expect(closuresShut(face, closures, gap)).toMatchObject({ count: 16, shut: 16 });
    const open = madeFace({ jawOpen: (time) => Math.max(shutting(time), time < 3 ? 0.05 : 0) });
    expect(closuresShut(open, closures, gap)).toMatchObject({
      count: 16,
      shut: 11,
      widest: expect.closeTo(1, 5),
    });
  });

  test('the words ask for p, b and m, unless they are not said here', () => {
    const alignment = alignmentOf(16, { 2: 'changed' });
    const asked = requiredClosures(alignment);
    const phones = alignment.words.filter(({ flag }) => flag === null).flatMap(({ phones }) => phones);
    expect(asked.length).toBe(phones.filter(({ phone }) => phone === 'B' || phone === 'M').length);
    expect(asked.length).toBeGreaterThan(5);
  });

  test('where no frame is, nothing stays open', () => {
    expect(closuresShut(madeFace({ jawOpen: shutting }), [{ start: 20, end: 21 }], gap)).toBeNull();
  });
});
