/**
 * Idle motion: the head breathes, sways, looks about and blinks. A pure function of time and a seed, so that
 * the page, the head's own window and tests get the same result.
 *
 * Rates as in the built-in engine's silence: 14 breaths and some 15
 * blinks a minute, a look aside every few seconds.
 */
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { lidAfter, lidSeconds } from '@likeness/proto/face/eye_movement.ts';
import { type FaceState, restingFace } from '@likeness/proto/live/face_state.ts';
import { lookAt, setChannel } from './look-at.ts';
import { turnHead } from './turn-head.ts';

const degree = Math.PI / 180;
/** Seconds of a breath. */
const breathing = 4.2;
/** Seconds in which one blink falls. */
const blinkEvery = 4;
/** Seconds that a look lasts, and that the eyes need for the next. */
const glanceSeconds = 2.3;
const lookTakes = 0.07;
/** Hertz and size, of 1, of the waves of which a sway is made; no two have a period in common. */
const waves = [
  [0.07, 0.55],
  [0.19, 0.3],
  [0.43, 0.15],
] as const;

export interface IdleMotion {
  /** Returns the same object, rewritten each time. @param seconds of any monotonic clock */
  at(seconds: number): FaceState;
}

export function createIdleMotion(seed: number): IdleMotion {
  const chance = (about: string, count: number): number => fraction(`${seed} ${about} ${count}`);
  const sway = (axis: string, seconds: number): number =>
    waves.reduce(
      (sum, [hertz, size], at) =>
        sum +
        size *
          Math.sin(2 * Math.PI * (hertz * (0.8 + 0.4 * chance(axis, at)) * seconds + chance(axis, at + 9))),
      0,
    );
  const looked = (count: number): [yaw: number, pitch: number] => {
    const reach = chance('aside', count) < 0.3 ? 1 : 0.16;
    return [
      (chance('yaw', count) * 2 - 1) * 9 * degree * reach,
      (chance('pitch', count) * 2 - 1.15) * 5 * degree * reach,
    ];
  };
  const face: FaceState = {
    ...restingFace(),
    channelNames: arkitBlendshapeNames,
    weights: new Float32Array(arkitBlendshapeNames.length),
  };
  return {
    at(seconds) {
      const breath = Math.sin((2 * Math.PI * seconds) / breathing);
      const yaw = sway('turn', seconds) * 2.2 * degree;
      const pitch = (sway('nod', seconds) * 1 - 0.25 * breath) * degree;
      const roll = sway('tilt', seconds) * 1.1 * degree;
      face.rotation.splice(0, 4, 0, 0, 0, 1);
      turnHead(face, { yaw, pitch, roll });
      face.translation = [yaw * 0.02, breath * 0.0011 - pitch * 0.01, sway('lean', seconds) * 0.0012];

      const glance = Math.floor(seconds / glanceSeconds);
      const passed = smooth((seconds - glance * glanceSeconds) / lookTakes);
      const [from, to] = [looked(glance - 1), looked(glance)];
      // Eyes hold their target while the head turns, most of it.
      lookAt(
        face,
        from[0] + (to[0] - from[0]) * passed - 0.75 * yaw,
        from[1] + (to[1] - from[1]) * passed + 0.75 * pitch,
      );

      const blink = Math.floor(seconds / blinkEvery);
      const since = seconds - blink * blinkEvery - (0.2 + 3.4 * chance('blink', blink));
      const lid = lidAfter(since - lidSeconds.closing);
      setChannel(face, 'eyeBlinkLeft', lid);
      setChannel(face, 'eyeBlinkRight', lid);
      setChannel(face, 'browInnerUp', 0.025 + 0.02 * sway('brow', seconds));
      return face;
    },
  };
}

/** 0 to 1, without a corner at either end. */
function smooth(share: number): number {
  const x = Math.min(1, Math.max(0, share));
  return x * x * (3 - 2 * x);
}

/** 0..1 from a text, evenly: FNV-1a with MurmurHash3's last step. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
