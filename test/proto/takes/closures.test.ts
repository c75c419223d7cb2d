import { arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import {
  contactChannels,
  contactsOf,
  framesAt,
  lipOpening,
  shutOpening,
} from '@likeness/proto/takes/closures.ts';
import { describe, expect, it } from 'vitest';
import { blinkEvery, closureEvery, speakingFace } from './edited_faces.ts';

const seconds = 10;

describe('contacts of a face', () => {
  it('are its closures and its blinks, and nothing of a mouth that rests', () => {
    const face = speakingFace(seconds);
    const contacts = contactsOf(face);
    const lips = contacts.filter(({ of }) => of === 'lips');
    expect(lips).toHaveLength(seconds / closureEvery);
    for (const { first, last } of lips) expect(last - first).toBe(2);
    expect(contacts.filter(({ of }) => of === 'lid')).toHaveLength((2 * seconds) / blinkEvery);

    for (const { weights } of face.frames) weights.fill(0);
    expect(contactsOf(face)).toEqual([]);
  });
});

describe('a face at other times', () => {
  it.each([24, 25, 30_000 / 1001, 30, 50, 60, 120])('keeps every contact at %d frames a second', (rate) => {
    const face = speakingFace(seconds);
    const times = Array.from({ length: Math.floor(seconds * rate) }, (_, at) => at / rate);
    const frames = framesAt(face, times);
    expect(frames.map(({ timeCode }) => timeCode)).toEqual(times);
    const channels = contactChannels(face.channelNames);
    for (let at = 0; at < seconds / closureEvery; at++) {
      const middle = at * closureEvery + 0.275;
      const near = frames.filter(({ timeCode }) => Math.abs(timeCode - middle) < 0.06);
      const openings = near.map(({ weights }) => lipOpening(weights, channels));
      expect(Math.min(...openings)).toBeLessThanOrEqual(shutOpening);
    }
    for (let at = 1; at < seconds; at += blinkEvery) {
      const near = frames.filter(({ timeCode }) => Math.abs(timeCode - at) < 0.06);
      const lids = near.map(({ weights }) => weights[arkitBlendshapeIndex.eyeBlinkLeft]!);
      expect(Math.max(...lids)).toBeGreaterThan(0.98);
    }
  });

  it('is the face itself at its own times', () => {
    const face = speakingFace(2);
    const frames = framesAt(
      face,
      face.frames.map(({ timeCode }) => timeCode),
    );
    for (const [at, { weights }] of frames.entries()) expect(weights).toEqual(face.frames[at]!.weights);
  });
});
