import { randomBytes } from 'node:crypto';
import { arkitBlendshapeIndex, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import {
  fromBuffer,
  type OscArgOutput,
  type OscBundleOutput,
  type OscMessageOutput,
  toBuffer,
} from 'osc-min';
import { expect, test } from 'vitest';
import type { ArkitFace } from '../../../main/send/protocols/arkit_face.ts';
import { namesFor } from '../../../main/send/protocols/expression_names.ts';
import { encodeVmc, VmcReader } from '../../../main/send/protocols/vmc.ts';

const weightsOf = (named: Readonly<Record<string, number>>): Float32Array =>
  Float32Array.from(arkitBlendshapeNames, (name) => named[name] ?? 0);
const faceOf = (named: Readonly<Record<string, number>>): ArkitFace => ({
  weights: weightsOf(named),
  headPose: { translation: [0.01, 0.02, 0.03], rotation: [0.1, 0.2, 0.3, Math.sqrt(0.86)] },
  eyeGaze: { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 },
});
const bytesOf = (packet: Parameters<typeof toBuffer>[0]): Buffer => {
  const { buffer, byteOffset, byteLength } = toBuffer(packet);
  return Buffer.from(buffer, byteOffset, byteLength);
};

test('ARKit’s channels go out as they are, for Perfect Sync with a capital', () => {
  const weights = weightsOf({ jawOpen: 0.4 });
  expect(namesFor('arkit')(weights)).toHaveLength(52);
  expect(Object.fromEntries(namesFor('arkit')(weights)).jawOpen).toBeCloseTo(0.4);
  expect(Object.fromEntries(namesFor('arkit-pascal')(weights)).JawOpen).toBeCloseTo(0.4);
});

test('a vowel’s own sum is that vowel and nothing else', () => {
  const oh = weightsOf({ jawOpen: 0.35, mouthFunnel: 0.6 });
  const named = Object.fromEntries(namesFor('vrm')(oh));
  expect(named.oh).toBeCloseTo(1, 2);
  for (const other of ['aa', 'ih', 'ou', 'ee']) expect(named[other]).toBeLessThan(0.02);
  expect(Object.fromEntries(namesFor('vrm0')(oh)).O).toBeCloseTo(1, 2);
  // Half of it is half of it, and shut lips are no vowel.
  expect(Object.fromEntries(namesFor('vrm')(oh.map((weight) => weight / 2))).oh).toBeCloseTo(0.5, 2);
  const shut = Object.fromEntries(namesFor('vrm')(weightsOf({ mouthPressLeft: 1, mouthPressRight: 1 })));
  for (const vowel of ['aa', 'ih', 'ou', 'ee', 'oh']) expect(shut[vowel]).toBe(0);
});

test('what both lids do is a blink, the rest is one lid’s', () => {
  const named = Object.fromEntries(namesFor('vrm0')(weightsOf({ eyeBlinkLeft: 0.9, eyeBlinkRight: 0.5 })));
  expect(named.Blink).toBeCloseTo(0.5);
  expect(named.Blink_L).toBeCloseTo(0.4);
  expect(named.Blink_R).toBe(0);
});

test('moods are left to the person at the other end', () => {
  const names = namesFor('vrm')(weightsOf({ mouthSmileLeft: 1, mouthSmileRight: 1 })).map(([name]) => name);
  for (const mood of ['happy', 'angry', 'sad', 'relaxed', 'surprised', 'neutral'])
    expect(names).not.toContain(mood);
});

test('the head’s position and rotation are mirrored into Unity’s space', () => {
  const [packet] = encodeVmc(faceOf({}), namesFor('vrm'), 1);
  const { elements } = fromBuffer(packet!) as OscBundleOutput;
  const bone = (elements as OscMessageOutput[]).find(({ address }) => address === '/VMC/Ext/Bone/Pos');
  // A position lies above the neck by 0.1 m.
  const expected = [-0.01, 0.12, 0.03, 0.1, -0.2, -0.3, Math.sqrt(0.86)];
  const values = (bone!.args.slice(1) as OscArgOutput[]).map(({ value }) => value);
  expect(values).toEqual(expected.map((each) => expect.closeTo(each, 5)));
});

test('a face that is sent is read back, mirrored into Unity’s space and out again', () => {
  const face = faceOf({ jawOpen: 0.4, mouthSmileLeft: 0.7 });
  const reader = new VmcReader();
  const [read] = encodeVmc(face, namesFor('arkit'), 1).flatMap((packet) => reader.accept(packet) ?? []);
  expect(read!.weights[arkitBlendshapeIndex.mouthSmileLeft]).toBeCloseTo(0.7);
  for (const axis of [0, 1, 2, 3] as const)
    expect(read!.headPose.rotation[axis]).toBeCloseTo(face.headPose.rotation[axis], 5);
});

test('a program that sends vowels moves the mouth; beside ARKit’s channels they don’t count twice', () => {
  const value = (name: string, amount: number) => ({
    address: '/VMC/Ext/Blend/Val',
    args: [name, { type: 'float' as const, value: amount }],
  });
  const apply = { address: '/VMC/Ext/Blend/Apply', args: [] };
  const vowel = new VmcReader();
  // In several datagrams: the face is whole at the last.
  expect(vowel.accept(bytesOf(value('A', 0.5)))).toEqual([]);
  const [face] = vowel.accept(bytesOf(apply)) ?? [];
  expect(face!.weights[arkitBlendshapeIndex.jawOpen]).toBeCloseTo(0.3);
  const both = new VmcReader();
  const elements = [value('A', 1), value('JawOpen', 0.2), apply];
  const [mixed] = both.accept(bytesOf({ timetag: [0, 1], elements })) ?? [];
  expect(mixed!.weights[arkitBlendshapeIndex.jawOpen]).toBeCloseTo(0.2);
});

test('what is no message, or none of this protocol, is told apart and never throws', () => {
  const reader = new VmcReader();
  expect(reader.accept(bytesOf({ address: '/else', args: [1] }))).toBeNull();
  for (let round = 0; round < 500; round++) {
    const bytes = randomBytes(round % 300);
    expect(() => reader.accept(bytes)).not.toThrow();
    const bundle = Buffer.concat([Buffer.from('#bundle\0'), bytes]);
    expect(() => reader.accept(bundle)).not.toThrow();
  }
  let nested = bytesOf({ address: '/VMC/Ext/Blend/Apply', args: [] });
  for (let depth = 0; depth < 3000; depth++) {
    const head = Buffer.alloc(20);
    head.write('#bundle\0');
    head.writeInt32BE(nested.length, 16);
    nested = Buffer.concat([head, nested]);
  }
  expect(reader.accept(nested)).toBeNull();
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    reader.accept(bytesOf({ address: '/VMC/Ext/Blend/Val', args: ['jawOpen', { type: 'float', value }] }));
  const [face] = reader.accept(bytesOf({ address: '/VMC/Ext/Blend/Apply', args: [] })) ?? [];
  expect(face!.weights.every(Number.isFinite)).toBe(true);
});
