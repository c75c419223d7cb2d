import { type FaceState, restingFace } from '@likeness/proto/live/face_state.ts';
import { expect, test } from 'vitest';
import { createIdleMotion } from '../../../renderer/speaking/idle-motion.ts';
import { PerformedFace, type Wanted } from '../../../renderer/speaking/performed-face.ts';

const names = ['jawOpen', 'mouthSmileLeft', 'viseme_aa'];
const voiceOf = (...weights: number[]): FaceState => ({
  ...restingFace(),
  channelNames: names,
  weights: Float32Array.from(weights),
  rotation: [0, Math.sin(0.05), 0, Math.cos(0.05)],
});
const nothing: Wanted = { voice: null, idle: false, expression: null, gaze: null };

/** Asks sixty times a second for so many seconds; the last face. */
function after(performed: PerformedFace, from: number, seconds: number, wanted: Partial<Wanted>) {
  let face: FaceState | null = null;
  for (let at = from; at <= from + seconds * 1000; at += 1000 / 60)
    face = performed.at(at, { ...nothing, ...wanted });
  return face;
}
const weightOf = (face: FaceState | null, name: string): number =>
  face?.weights[face.channelNames.indexOf(name)] ?? Number.NaN;
const performedFace = () => new PerformedFace(createIdleMotion(1));

test('a voice alone is shown as it came, to the bit', () => {
  const performed = performedFace();
  const voice = voiceOf(0.4, 0.1, 0.7);
  const face = after(performed, 0, 1, { voice, idle: true });
  for (const [at, name] of names.entries()) expect(weightOf(face, name)).toBe(voice.weights[at]);
  expect(face?.rotation[1]).toBeCloseTo(Math.sin(0.05), 12);
  // And rests when it ends, where nothing else is wished.
  expect(after(performed, 2000, 1, {})).toBeNull();
});

test('from idling to speaking the head does not jump', () => {
  const performed = performedFace();
  const turned: number[] = [];
  for (let at = 0; at < 2000; at += 1000 / 60)
    turned.push(
      performed.at(at, { ...nothing, idle: true, voice: at > 1000 ? voiceOf(0, 0, 0) : null })!.rotation[1],
    );
  const steps = turned.slice(1).map((turn, at) => Math.abs(turn - turned[at]!));
  expect(turned.at(-1)).toBeCloseTo(Math.sin(0.05), 6);
  expect(Math.max(...steps)).toBeLessThan(0.006);
});

test('an expression comes and goes over a voice, also in channels that the voice does not have', () => {
  const performed = performedFace();
  const expression = { mouthSmileLeft: 0.8, browInnerUp: 0.9 };
  const face = after(performed, 0, 1, { voice: voiceOf(0.5, 0.5, 0), expression });
  expect(weightOf(face, 'jawOpen')).toBe(0.5);
  expect(weightOf(face, 'mouthSmileLeft')).toBeCloseTo(0.9, 3);
  expect(weightOf(face, 'browInnerUp')).toBeCloseTo(0.9, 3);
  const without = after(performed, 2000, 1, { voice: voiceOf(0.5, 0.5, 0) });
  expect(weightOf(without, 'mouthSmileLeft')).toBe(0.5);
  expect(weightOf(without, 'browInnerUp')).toBe(0);
});

test('eyes and head look where they are told, and back', () => {
  const performed = performedFace();
  const face = after(performed, 0, 1, { gaze: { yaw: 0.4, pitch: 0.2 } });
  expect(face?.gaze.leftYaw).toBeCloseTo(0.26, 2);
  expect(face?.gaze.rightPitch).toBeCloseTo(0.13, 2);
  expect(2 * face!.rotation[1]).toBeCloseTo(0.14, 2);
  // Up is a turn about −X.
  expect(2 * face!.rotation[0]).toBeCloseTo(-0.07, 2);
  expect(weightOf(face, 'eyeLookOutLeft')).toBeGreaterThan(0.3);
  expect(weightOf(face, 'eyeLookOutRight')).toBe(0);
  expect(after(performed, 2000, 1, {})).toBeNull();
});
