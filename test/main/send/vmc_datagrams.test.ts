import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { toBuffer } from 'osc-min';
import { describe, expect, test } from 'vitest';
import type { ArkitFace } from '../../../main/send/protocols/arkit_face.ts';
import { namesFor } from '../../../main/send/protocols/expression_names.ts';
import { encodeVmc, VmcReader } from '../../../main/send/protocols/vmc.ts';
import { WorkBudget } from '../../../main/send/receive/work_budget.ts';

const face: ArkitFace = {
  weights: Float32Array.from(arkitBlendshapeNames, (_, at) => at / 52),
  headPose: { translation: [0, 0, 0], rotation: [0, 0, 0, 1] },
  eyeGaze: { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 },
};
const bytesOf = (packet: Parameters<typeof toBuffer>[0]): Buffer => {
  const { buffer, byteOffset, byteLength } = toBuffer(packet);
  return Buffer.from(buffer, byteOffset, byteLength);
};

describe('a VMC frame', () => {
  test.each(['arkit', 'arkit-pascal', 'vrm', 'vrm0'] as const)(
    'of %s fits datagrams that no network parts',
    (names) => {
      const packets = encodeVmc(face, namesFor(names), 0);
      expect(Math.max(...packets.map(({ length }) => length))).toBeLessThanOrEqual(1472);
      expect(packets.length).toBeLessThanOrEqual(2);
    },
  );

  test('is whole at its last datagram, with every weight', () => {
    const reader = new VmcReader();
    const read = encodeVmc(face, namesFor('arkit'), 0).map((packet) => reader.accept(packet));
    expect(read.map((faces) => faces?.length)).toEqual([0, 1]);
    for (const [at, weight] of face.weights.entries())
      expect(read[1]?.[0]?.weights[at]).toBeCloseTo(weight, 6);
  });

  test('as one message a datagram is read whole too', () => {
    const reader = new VmcReader();
    const values = namesFor('arkit')(face.weights).map(([name, value]) =>
      bytesOf({ address: '/VMC/Ext/Blend/Val', args: [name, { type: 'float', value }] }),
    );
    for (const packet of values) expect(reader.accept(packet)).toEqual([]);
    const [read] = reader.accept(bytesOf({ address: '/VMC/Ext/Blend/Apply', args: [] })) ?? [];
    for (const [at, weight] of face.weights.entries()) expect(read?.weights[at]).toBeCloseTo(weight, 6);
  });
});

describe('the bound of work', () => {
  test('lets a burst of a second’s work pass, then an even rate, and never saves up more', () => {
    const budget = new WorkBudget(100);
    const used = (now: number): number => {
      let count = 0;
      for (; budget.hasLeft(now); count++) budget.use(10);
      return count;
    };
    expect(used(5000)).toBe(10);
    expect(used(5000)).toBe(0);
    expect(used(5100)).toBe(1);
    expect(used(5600)).toBe(5);
    expect(used(90_000)).toBe(10);
  });

  test('takes work that was more than what was left from what comes later', () => {
    const budget = new WorkBudget(100);
    expect(budget.hasLeft(0)).toBe(true);
    budget.use(300);
    expect(budget.hasLeft(1900)).toBe(false);
    expect(budget.hasLeft(2100)).toBe(true);
  });
});
