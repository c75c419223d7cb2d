import { randomBytes } from 'node:crypto';
import { arkitBlendshapeIndex, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { describe, expect, test } from 'vitest';
import type { ArkitFace } from '../../../main/send/protocols/arkit_face.ts';
import {
  decodeLiveLink,
  encodeLiveLink,
  type LiveLinkFrame,
} from '../../../main/send/protocols/live_link_packet.ts';

const frame: LiveLinkFrame = {
  deviceId: '5b2f9b0e-5c7f-4a6f-9f0f-0c2f4f3a1d7e',
  subject: 'Likeness',
  frame: 1_296_000.25,
  frameRate: 60,
};

function faceOf(weights: Readonly<Record<string, number>>): ArkitFace {
  const all = new Float32Array(arkitBlendshapeNames.length);
  for (const [name, value] of Object.entries(weights))
    all[(arkitBlendshapeIndex as Record<string, number>)[name]!] = value;
  return {
    weights: all,
    headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(0.15), 0, Math.cos(0.15)] },
    eyeGaze: { leftYaw: 0.1, leftPitch: 0.2, rightYaw: 0.1, rightPitch: 0.2 },
  };
}

/**
 * The layout as public readers have it (PyLiveLinkFace and those after it): the version as a little-endian
 * int, a device id of 37 bytes from byte 4, whose first is the `$` that a length of 36 reads as, the name's
 * length at 41, then `!if2ib` and 61 floats.
 */
function readAsPublicParsers(packet: Buffer) {
  const nameEnd = 45 + packet.readInt32BE(41);
  return {
    version: packet.readInt32LE(0),
    uuid: packet.toString('utf8', 4, 41),
    name: packet.toString('utf8', 45, nameEnd),
    frame: packet.readInt32BE(nameEnd),
    subFrame: packet.readFloatBE(nameEnd + 4),
    fps: packet.readInt32BE(nameEnd + 8),
    denominator: packet.readInt32BE(nameEnd + 12),
    count: packet.readInt8(nameEnd + 16),
    values: Array.from({ length: 61 }, (_, at) => packet.readFloatBE(nameEnd + 17 + at * 4)),
    left: packet.length - (nameEnd + 17 + 61 * 4),
  };
}

test('a public reader finds every field where it looks for it', () => {
  const read = readAsPublicParsers(encodeLiveLink(frame, faceOf({ jawOpen: 0.5, tongueOut: 1 })));
  expect(read).toMatchObject({
    version: 6,
    uuid: `$${frame.deviceId}`,
    name: 'Likeness',
    frame: 1_296_000,
    subFrame: 0.25,
    fps: 60,
    denominator: 1,
    count: 61,
    left: 0,
  });
  expect(read.values[17]).toBe(0.5); // JawOpen
  expect(read.values[51]).toBe(1); // TongueOut
  // HeadYaw: towards the face's own left is negative.
  expect(read.values[52]).toBeCloseTo(-0.3);
  expect(read.values[55]).toBeCloseTo(-0.1); // LeftEyeYaw
  expect(read.values[56]).toBeCloseTo(-0.2); // LeftEyePitch
});

test('what is written is read back', () => {
  const face = faceOf({ jawOpen: 0.5, eyeBlinkLeft: 0.25 });
  const read = decodeLiveLink(encodeLiveLink(frame, face));
  if ('fault' in read || !read.face) throw new Error('no face');
  expect(read.frame).toEqual(frame);
  expect(read.face.weights).toEqual(face.weights);
  for (const axis of [0, 1, 2, 3] as const)
    expect(read.face.headPose.rotation[axis]).toBeCloseTo(face.headPose.rotation[axis], 6);
  expect(read.face.eyeGaze.rightPitch).toBeCloseTo(0.2);
});

test('a head that is turned, tilted and nods at once comes back as it was', () => {
  const rotation = [0.1, -0.2, 0.15, Math.sqrt(1 - 0.01 - 0.04 - 0.0225)] as const;
  const face = { ...faceOf({}), headPose: { translation: [0, 0, 0] as const, rotation } };
  const read = decodeLiveLink(encodeLiveLink(frame, face));
  if ('fault' in read || !read.face) throw new Error('no face');
  for (const axis of [0, 1, 2, 3] as const)
    expect(read.face.headPose.rotation[axis]).toBeCloseTo(rotation[axis], 5);
});

test('a sender that sees no face says so', () => {
  expect(decodeLiveLink(encodeLiveLink(frame, null))).toEqual({ frame, face: null });
});

describe('a datagram that is not the protocol', () => {
  const whole = encodeLiveLink(frame, faceOf({ jawOpen: 0.5 }));
  const changed = (change: (packet: Buffer) => void): Buffer => {
    const packet = Buffer.from(whole);
    change(packet);
    return packet;
  };
  const valuesAt = whole.length - 61 * 4;

  test('is told from one of another version', () => {
    expect(decodeLiveLink(changed((packet) => packet.writeUInt8(7)))).toEqual({ fault: 'version' });
  });
  test('may end anywhere', () => {
    for (let length = 0; length < whole.length; length++) {
      const read = decodeLiveLink(whole.subarray(0, length));
      expect('fault' in read || read.face === null).toBe(true);
    }
  });
  test('may name a length that is not there, or less than nothing', () => {
    for (const length of [-1, 0x7fffffff, 300])
      expect(decodeLiveLink(changed((packet) => packet.writeInt32BE(length, 1)))).toEqual({
        fault: 'cut_off',
      });
  });
  test('may hold another count, or values that are none', () => {
    expect(decodeLiveLink(changed((packet) => packet.writeUInt8(60, valuesAt - 1)))).toEqual({
      fault: 'count',
    });
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e9])
      expect(decodeLiveLink(changed((packet) => packet.writeFloatBE(value, valuesAt)))).toEqual({
        fault: 'value',
      });
  });
  test('may be any bytes at all', () => {
    for (let round = 0; round < 2000; round++) {
      const bytes = randomBytes(round % 400);
      if (bytes.length > 0) bytes[0] = 6;
      expect(decodeLiveLink(bytes)).toBeTypeOf('object');
    }
  });
});
