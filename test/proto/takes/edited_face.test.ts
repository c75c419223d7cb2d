import { type ArkitBlendshapeName, arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { contactChannels, lipOpening, shutOpening } from '@likeness/proto/takes/closures.ts';
import { applyOperation, EditError, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { editedFace, noContext, shapedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import { knownContacts } from '@likeness/proto/takes/edits/known_contacts.ts';
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { playedWords, timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { describe, expect, it } from 'vitest';
import { anyOperation } from './any_operation.ts';
import { blinkEvery, closureEvery, speakingFace } from './edited_faces.ts';

const seconds = 10;
const face = speakingFace(seconds);
const channels = contactChannels(face.channelNames);
const edited = (...operations: EditOperation[]): TakeEdits => operations.reduce(applyOperation, noEdits);
const madeBy = (...operations: EditOperation[]): PlayableFace =>
  editedFace(face, edited(...operations), noContext(seconds));
const weight = ({ frames }: PlayableFace, at: number, name: ArkitBlendshapeName): number =>
  frames[Math.round(at * 60)]!.weights[arkitBlendshapeIndex[name]]!;

/** How far the lips are apart in the middle of each closure. @param later seconds */
const openings = (made: PlayableFace, later = 0): number[] =>
  Array.from({ length: seconds / closureEvery - 1 }, (_, at) => {
    const frame = made.frames[Math.round((at * closureEvery + 0.267 + later) * 60)]!;
    return lipOpening(frame.weights, channels);
  });

describe('a take that nobody edited', () => {
  it('is the recording', () => {
    expect(editedFace(face, noEdits, noContext(seconds))).toBe(face);
  });
});

describe('a stretch that is shaped by itself', () => {
  it('has the frames of the whole, wherever it begins and ends', () => {
    const edits = edited(
      region('mouth', { gain: 1.4, smoothing: 150, shift: 0.03 }),
      region('jaw', { gain: 2, smoothing: 60, shift: -0.05 }),
      region('eyes', { gain: 0.7 }),
      { kind: 'blinks', blinks: { recorded: false, added: [0.995, 2.5, 2.51] } },
    );
    const shaped = shapedFace(face, edits, noContext(seconds)).frames;
    expect(shaped).not.toEqual(face.frames);
    for (let first = 0; first < 200; first += 1) {
      const [from, to] = [first, first + 1 + (first % 7)];
      const within = { from: face.frames[from]!.timeCode, to: face.frames[to]!.timeCode };
      expect(shapedFace(face, edits, noContext(seconds), within).frames).toEqual(shaped.slice(from, to + 1));
    }
  });

  it.each([0, 0.35, -0.35, 9, -9])('has generated movement of the whole, shifted by %d s', (shift) => {
    const edits = edited(
      region('eyes', { source: 'generated', seed: 3, shift }),
      region('brows', { source: 'generated', seed: 4, shift, smoothing: 100 }),
      region('head', { source: 'generated', seed: 5, shift }),
    );
    const shaped = shapedFace(face, edits, noContext(seconds)).frames;
    expect(shaped).not.toEqual(face.frames);
    for (let from = 0; from < face.frames.length; from += 7) {
      const to = Math.min(face.frames.length - 1, from + (from % 20));
      const within = { from: face.frames[from]!.timeCode, to: face.frames[to]!.timeCode };
      expect(shapedFace(face, edits, noContext(seconds), within).frames).toEqual(shaped.slice(from, to + 1));
    }
  });

  it('is what an edited face of hours is put together from', () => {
    const long = speakingFace(150);
    const edits = edited(region('jaw', { gain: 2, smoothing: 100, shift: 0.02 }), {
      kind: 'blinks',
      blinks: { recorded: false, added: [4096 / 60 - 0.01, 8192 / 60] },
    });
    const whole = shapedFace(long, edits, noContext(150)).frames;
    expect(editedFace(long, edits, noContext(150)).frames).toEqual(whole);
  });
});

describe('lips that shut in the recording', () => {
  const opened: readonly [string, EditOperation[], number][] = [
    ['smoothing', [region('mouth', { smoothing: 300 }), region('jaw', { smoothing: 300 })], 0],
    ['a jaw that opens twice as far', [region('jaw', { gain: 2 })], 0],
    ['lips that do half as much', [region('mouth', { gain: 0.5 })], 0],
    ['a jaw that hangs', [region('jaw', { offset: 0.3 })], 0],
    ['a jaw that comes an eighth of a second early', [region('jaw', { shift: -0.125 })], 0],
    ['a mouth that comes late', [region('mouth', { shift: 0.1 })], 0.1],
    ['surprise', [{ kind: 'expressions', keys: [key('surprise')] }], 0],
    ['disgust', [{ kind: 'expressions', keys: [key('disgust')] }], 0],
    ['fear over a wide jaw', [region('jaw', { gain: 1.5 }), { kind: 'expressions', keys: [key('fear')] }], 0],
  ];
  it.each(opened)('shut under %s', (_, operations, later) => {
    const made = madeBy(...operations);
    for (const opening of openings(made, later)) expect(opening).toBeLessThanOrEqual(shutOpening + 1e-6);
    // And the mouth still speaks between them.
    expect(lipOpening(made.frames[6]!.weights, channels)).toBeGreaterThan(0.1);
  });

  it('keep their peaks under smoothing', () => {
    const made = madeBy(
      region('mouth', { smoothing: 400 }),
      region('jaw', { smoothing: 400 }),
      region('eyes', { smoothing: 400 }),
    );
    for (const contact of knownContacts(face)) {
      const names: ArkitBlendshapeName[] =
        contact.of === 'lips' ? ['mouthPressLeft', 'mouthPressRight', 'mouthClose'] : ['eyeBlinkLeft'];
      for (const name of names) {
        const recorded = face.frames[contact.deepest]!.weights[arkitBlendshapeIndex[name]]!;
        const kept = made.frames[contact.deepest]!.weights[arkitBlendshapeIndex[name]]!;
        expect(kept).toBeGreaterThanOrEqual(0.98 * recorded);
      }
    }
  });

  it('stay open where a person mutes or draws them', () => {
    const muted = madeBy(region('mouth', { muted: true }));
    expect(muted.frames.every(({ weights }) => weights[arkitBlendshapeIndex.mouthClose] === 0)).toBe(true);
    const keys = [{ time: 0.2, value: 0.7, to: 'linear' as const }];
    const drawn = madeBy({ kind: 'draw', channel: 'jawOpen', from: 0.2, to: 0.4, keys });
    expect(weight(drawn, 0.27, 'jawOpen')).toBeCloseTo(0.7, 6);
    expect(weight(drawn, 0.5, 'jawOpen')).toBe(weight(face, 0.5, 'jawOpen'));
  });
});

describe('each edit', () => {
  it('shifts a region and leaves the others', () => {
    const made = madeBy(region('brows', { shift: 0.1 }));
    expect(weight(made, 2, 'browInnerUp')).toBeCloseTo(weight(face, 1.9, 'browInnerUp'), 5);
    expect(weight(made, 2, 'jawOpen')).toBe(weight(face, 2, 'jawOpen'));
  });

  it('takes gain, offset and bounds', () => {
    const made = madeBy(region('brows', { gain: 2, offset: 0.1, most: 0.5 }));
    const was = weight(face, 2.2, 'browInnerUp');
    expect(weight(made, 2.2, 'browInnerUp')).toBeCloseTo(Math.min(0.5, was * 2 + 0.1), 5);
  });

  it('mutes all but what is solo', () => {
    const made = madeBy(region('eyes', { solo: true }));
    expect(weight(made, 1, 'eyeBlinkLeft')).toBe(weight(face, 1, 'eyeBlinkLeft'));
    expect(weight(made, 1, 'jawOpen')).toBe(0);
    expect(weight(made, 1, 'browInnerUp')).toBe(0);
  });

  it('generates the same from the same seed, and something else from another', () => {
    const one = madeBy(region('eyes', { source: 'generated', seed: 7 }));
    const other = madeBy(region('eyes', { source: 'generated', seed: 8 }));
    const again = madeBy(region('eyes', { source: 'generated', seed: 7 }));
    expect(again.frames).toEqual(one.frames);
    expect(other.frames).not.toEqual(one.frames);
    const blinks = one.frames.filter(({ weights }) => weights[arkitBlendshapeIndex.eyeBlinkLeft]! > 0.99);
    expect(blinks.length).toBeGreaterThan(1);
  });

  it('takes a stretch of a region from another try', () => {
    const other = speakingFace(seconds);
    for (const { weights } of other.frames) weights[arkitBlendshapeIndex.browInnerUp] = 0.9;
    const edits = edited({ kind: 'take', region: 'brows', from: 2, to: 3, attempt: 'b' });
    const made = editedFace(face, edits, { ...noContext(seconds), attempts: new Map([['b', other]]) });
    expect(weight(made, 2.5, 'browInnerUp')).toBeCloseTo(0.9, 6);
    expect(weight(made, 3.5, 'browInnerUp')).toBe(weight(face, 3.5, 'browInnerUp'));
  });

  it('fades tries in and out inside of their stretches, and from one to the next', () => {
    const tryOf = (value: number): PlayableFace => {
      const made = speakingFace(seconds);
      for (const { weights } of made.frames) weights[arkitBlendshapeIndex.browInnerUp] = value;
      return made;
    };
    const flat = tryOf(0);
    const attempts = new Map([
      ['a', tryOf(0.4)],
      ['b', tryOf(0.8)],
    ]);
    const edits = edited(
      { kind: 'take', region: 'brows', from: 2, to: 3, attempt: 'a' },
      { kind: 'take', region: 'brows', from: 3, to: 4, attempt: 'b' },
    );
    const made = editedFace(flat, edits, { ...noContext(seconds), attempts });
    const at = (time: number): number => weight(made, time, 'browInnerUp');
    expect([at(1.999), at(4.001)]).toEqual([0, 0]);
    expect(at(2.04)).toBeGreaterThan(0.1);
    expect(at(2.04)).toBeLessThan(0.3);
    expect([at(2.1), at(2.99), at(3)].map((value) => value.toFixed(4))).toEqual([
      '0.4000',
      '0.4000',
      '0.4000',
    ]);
    expect(at(3.04)).toBeCloseTo(0.6, 1);
    expect(at(3.1)).toBeCloseTo(0.8, 5);
    const steps = made.frames.map(({ weights }) => weights[arkitBlendshapeIndex.browInnerUp]!);
    for (const [frame, value] of steps.entries())
      expect(Math.abs(value - (steps[frame - 1] ?? value))).toBeLessThan(0.3);
    // A try that is gone leaves the recording.
    expect(editedFace(flat, edits, noContext(seconds)).frames).toEqual(flat.frames);
  });

  it('turns the eyes to a target', () => {
    const made = madeBy({ kind: 'gaze', stretches: [{ from: 2, to: 4, yaw: 16, pitch: -8 }] });
    expect(weight(made, 3, 'eyeLookOutRight')).toBeCloseTo(0.5, 5);
    expect(weight(made, 3, 'eyeLookInLeft')).toBeCloseTo(0.5, 5);
    expect(weight(made, 3, 'eyeLookDownLeft')).toBeCloseTo(0.25, 5);
    expect(made.frames[180]!.eyeGaze!.leftYaw).toBeCloseTo((-16 * Math.PI) / 180, 6);
    expect(made.frames[60]!.eyeGaze).toBeUndefined();
  });

  it('blinks where it was told to, and nowhere else', () => {
    const made = madeBy({ kind: 'blinks', blinks: { recorded: false, added: [2.21] } });
    const shut = made.frames.filter(({ weights }) => weights[arkitBlendshapeIndex.eyeBlinkLeft]! > 0.95);
    expect(shut.length).toBeGreaterThan(0);
    for (const { timeCode } of shut) expect(Math.abs(timeCode - 2.22)).toBeLessThan(0.06);
    expect(weight(made, 1, 'eyeBlinkLeft')).toBeLessThanOrEqual(0.25);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is the same in a window as over the whole take (%d)', (seed) => {
    const random = seededRandom(seed);
    let edits = noEdits;
    for (let at = 0; at < 12; at++) {
      try {
        edits = applyOperation(edits, anyOperation(random));
      } catch (error) {
        if (!(error instanceof EditError)) throw error;
      }
    }
    const context = { ...noContext(seconds), attempts: new Map([['second-try', speakingFace(seconds, 50)]]) };
    const whole = shapedFace(face, edits, context);
    const part = shapedFace(face, edits, context, { from: 3, to: 4.5 });
    const there = whole.frames.filter(({ timeCode }) => timeCode >= 3 && timeCode <= 4.5);
    expect(part.frames).toEqual(there);
    expect(whole.frames.every(({ weights }) => weights.every(Number.isFinite))).toBe(true);
  });
});

describe('cuts and speed', () => {
  const pieces = [
    { from: 1, to: 2, speed: 1 },
    { from: 3, to: 5, speed: 2 },
    { from: 5, to: 6, speed: 0.5 },
  ];
  const map = timeMap(pieces, seconds);

  it('map both ways', () => {
    expect(map.seconds).toBe(4);
    expect(map.isWhole).toBe(false);
    const points = [
      [0, 1],
      [0.5, 1.5],
      [1, 3],
      [1.5, 4],
      [3, 5.5],
      [4, 6],
    ] as const;
    for (const [played, recorded] of points) {
      expect(map.toRecorded(played)).toBeCloseTo(recorded, 9);
      expect(map.toPlayed(recorded)).toBeCloseTo(played, 9);
    }
    expect(map.toPlayed(2.5)).toBe(1);
    expect(map.toPlayed(0)).toBe(0);
    expect(map.toPlayed(9)).toBe(4);
    for (let played = 0; played <= 4; played += 0.01)
      expect(map.toPlayed(map.toRecorded(played))).toBeCloseTo(played, 9);
  });

  it('play what is left, at the rate of the face, with every closure', () => {
    const made = madeBy({ kind: 'pieces', pieces });
    for (const [at, { timeCode }] of made.frames.slice(1).entries())
      expect(timeCode - made.frames[at]!.timeCode).toBeGreaterThan(0.004);
    expect(made.frames.at(-1)!.timeCode).toBeLessThan(4);
    expect(made.frames.length).toBeGreaterThan(4 * 60 - 4);
    expect(made.serverShare).toHaveLength(made.frames.length);
    const shut = (recorded: number): number =>
      Math.min(
        ...made.frames
          .filter(({ timeCode }) => Math.abs(timeCode - map.toPlayed(recorded)) < 0.06)
          .map(({ weights }) => lipOpening(weights, channels)),
      );
    for (const recorded of [1.275, 1.775, 3.275, 3.775, 4.275, 4.775, 5.275, 5.775])
      expect(shut(recorded)).toBeLessThanOrEqual(shutOpening);
    expect(blinkEvery).toBe(2);
  });

  it('take words with them, and drop those that are cut out', () => {
    const word = (text: string, start: number, end: number) => ({
      text,
      from: 0,
      to: text.length,
      language: 'en' as const,
      start,
      end,
      confidence: 1,
      flag: null,
      pinned: false,
      phones: [{ phone: 'AH', start, end, confidence: 1 }],
    });
    const alignment = {
      verdict: 'aligned' as const,
      words: [word('gone', 0.2, 0.8), word('stays', 1.2, 1.6), word('quick', 3, 4)],
      unknown: [],
    };
    const { words } = playedWords(alignment, map);
    expect(words.map(({ text }) => text)).toEqual(['stays', 'quick']);
    expect(words[0]!.start).toBeCloseTo(0.2, 9);
    expect(words[1]!.start).toBeCloseTo(1, 9);
    expect(words[1]!.end).toBeCloseTo(1.5, 9);
    expect(words[1]!.phones[0]!.end).toBeCloseTo(1.5, 9);
  });
});

function region(
  name: Extract<EditOperation, { kind: 'region' }>['region'],
  changes: Extract<EditOperation, { kind: 'region' }>['changes'],
): EditOperation {
  return { kind: 'region', region: name, changes };
}

function key(preset: string) {
  return { time: 0, preset, weight: 1, to: 'linear' as const };
}
