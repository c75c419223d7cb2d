/** A face in columns is the same face: read while it comes, with tiers laid over each other, and edited. */

import { framesAround } from '@likeness/proto/face/frames_around.ts';
import { ownFrame } from '@likeness/proto/face/own_frame.ts';
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import {
  isPackedFaceFile,
  PackedFaceFileReader,
  packedFaceFile,
} from '@likeness/proto/face/packed_face_file.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { PackedTakeReader } from '@likeness/proto/packed_take.ts';
import {
  encodeArrival,
  facesOf,
  mergedFace,
  type PlayableFace,
  readArrivals,
  type TakeTier,
} from '@likeness/proto/take_stream.ts';
import { applyOperation, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { editedFace, noContext } from '@likeness/proto/takes/edits/edited_face.ts';
import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { describe, expect, test } from 'vitest';

import { speakingFace } from './takes/edited_faces.ts';

const pose = (turn: number) => ({
  translation: [turn / 100, 0, 0] as const,
  rotation: [0, Math.sin(turn), 0, Math.cos(turn)] as const,
});

/** Two tiers: the engine's throughout, the server's in the middle, with heads and eyes. */
function takeBytes(seconds: number): Uint8Array {
  const messages: Uint8Array[] = [];
  const write = (tier: TakeTier, message: Parameters<typeof encodeBareMessage>[0]): void => {
    messages.push(encodeArrival({ arrivedAt: 1, tier, message: encodeBareMessage(message) }));
  };
  const begin = (tier: TakeTier, channelNames: readonly string[]): void =>
    write(tier, { kind: 'header', traceId: tier, frameRate: 60, channelNames, mesh: undefined });
  begin('local', ['jawOpen', 'mouthClose']);
  begin('server', ['mouthClose', 'jawOpen']);
  let served = 0;
  for (let index = 0; index < seconds * 60; index++) {
    const timeCode = index / 60;
    write('local', {
      kind: 'frame',
      index,
      timeCode,
      weights: Float32Array.of(Math.abs(Math.sin(timeCode * 9)), 0.25),
      headPose: index % 3 === 0 ? undefined : pose(Math.sin(timeCode)),
      eyeGaze: { leftYaw: timeCode / 10, leftPitch: 0, rightYaw: 0.5, rightPitch: -0.125 },
      vertices: undefined,
    });
    if (timeCode < seconds / 3 || timeCode > seconds / 2) continue;
    write('server', {
      kind: 'frame',
      index: served++,
      timeCode: timeCode + 0.004,
      weights: Float32Array.of(0.75, 0.5),
      headPose: undefined,
      eyeGaze: undefined,
      vertices: undefined,
    });
  }
  return Buffer.concat(messages);
}

/** Numbers of a face, rounded as 32 bits of them may differ. */
const numbers = ({ frames, channelNames, serverShare }: PlayableFace) => ({
  channelNames,
  shares: [...serverShare],
  frames: frames.map(({ timeCode, weights, headPose, eyeGaze }) => [
    timeCode,
    ...weights,
    headPose ? [...headPose.translation, ...headPose.rotation].map((one) => one.toFixed(5)) : null,
    eyeGaze ? Object.values(eyeGaze).map((one) => one.toFixed(5)) : null,
  ]),
});

describe('a take that is read while it comes', () => {
  const bytes = takeBytes(4);

  test.each([1, 7, 4096, 1 << 20])('is the same in pieces of %d bytes', (size) => {
    const reader = new PackedTakeReader();
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
    const plain = mergedFace(facesOf(readArrivals(bytes).arrivals));
    const packed = reader.finish();
    expect(numbers(packed)).toEqual(numbers(plain));
    expect(Math.max(...packed.serverShare)).toBe(1);
  });

  test('that is cut off is read up to its last whole message, one that is damaged up to the damage', () => {
    const reader = new PackedTakeReader();
    reader.push(bytes.subarray(0, bytes.length - 10));
    expect(reader.finish().frames).toHaveLength(4 * 60 - 1);
    const damaged = new PackedTakeReader();
    damaged.push(bytes.subarray(0, bytes.length / 2));
    damaged.push(new Uint8Array(64).fill(0xff));
    damaged.push(bytes);
    const { frames } = damaged.finish();
    expect(frames.length).toBeGreaterThan(60);
    expect(frames.length).toBeLessThan(180);
  });

  test('that holds nothing has no frames', () => {
    const face = new PackedTakeReader().finish();
    expect([face.frames, face.channelNames, face.serverShare.length]).toEqual([[], [], 0]);
  });
});

test('a packed face is edited, cut and retimed as a plain one', () => {
  const plain = speakingFace(6);
  const operations: EditOperation[] = [
    { kind: 'region', region: 'mouth', changes: { gain: 1.5, smoothing: 80, shift: 0.1 } },
    {
      kind: 'pieces',
      pieces: [
        { from: 1, to: 2, speed: 1 },
        { from: 3, to: 5, speed: 0.5 },
      ],
    },
  ];
  const edits = operations.reduce(applyOperation, noEdits);
  const packed = PackedFace.of(plain);
  expect(numbers(packed)).toEqual(numbers(plain));
  expect(numbers(editedFace(packed, edits, noContext(6)))).toEqual(
    numbers(editedFace(plain, edits, noContext(6))),
  );
});

test('of two that share their columns, one that changes leaves the other as it is', () => {
  const packed = PackedFace.of(speakingFace(2));
  const before = numbers(packed);
  const twin = packed.shared();
  expect(numbers(twin)).toEqual(before);
  expect(twin.column(0).buffer).toBe(packed.column(0).buffer);
  twin.set(45, {
    timeCode: 0,
    weights: new Float32Array(52).fill(0.5),
    headPose: undefined,
    eyeGaze: undefined,
  });
  expect(numbers(packed)).toEqual(before);
  expect(twin.frames[45]!.weights[3]).toBe(0.5);
  expect(twin.frames[45]!.headPose).toBeUndefined();
  expect(twin.frames[44]!.headPose).toEqual(packed.frames[44]!.headPose);
});

test('a frame that is spread has no fields, which the compiler says, and one that was made its own has them', () => {
  const face: PlayableFace = PackedFace.of(speakingFace(1));
  const frame = face.frames[5]!;
  // @ts-expect-error: without an error here, a spread frame would pass for a whole one and be empty.
  const spread: PlayableFace['frames'][number] = { ...frame };
  expect(Object.keys(spread)).toEqual([]);
  const own: PlayableFace['frames'][number] = { ...ownFrame(frame), timeCode: 7 };
  expect(own.timeCode).toBe(7);
  expect(own.weights).toEqual(frame.weights);
  expect(own.eyeGaze).toEqual(frame.eyeGaze);
});

test('a frame without fields of its own is compared, and written as JSON, by what it shows', () => {
  const { frames } = PackedFace.of(speakingFace(1));
  const [first, later] = [frames[0]!, frames[20]!];
  expect(first).not.toEqual(later);
  expect(first).toEqual(ownFrame(first));
  expect(first).not.toEqual({});
  expect(JSON.parse(JSON.stringify(later))).toEqual({
    timeCode: later.timeCode,
    weights: [...later.weights],
  });
});

describe('a packed face in a file', () => {
  const face = PackedFace.of(speakingFace(150));
  const bytes = Buffer.concat([...packedFaceFile(face)]);

  test.each([1000, 4096, 1 << 20, 1 << 30])(
    'is the same face when it comes in pieces of %d bytes',
    (size) => {
      const reader = new PackedFaceFileReader();
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      expect(numbers(reader.finish())).toEqual(numbers(face));
    },
  );

  test('is there from its beginning while the rest is on its way, for a face that shares its columns too', () => {
    const reader = new PackedFaceFileReader();
    const half = bytes.length >> 1;
    reader.push(bytes.subarray(0, half));
    const begun = reader.face!.shared();
    expect([begun.frames.length, reader.read]).toEqual([9000, 4096]);
    expect(begun.frames[4000]!.weights).toEqual(face.frames[4000]!.weights);
    expect(Math.max(...begun.frames[8000]!.weights)).toBe(0);
    expect(() => reader.finish()).toThrow('ends too early');
    reader.push(bytes.subarray(half));
    expect(begun.frames[8000]!.weights).toEqual(face.frames[8000]!.weights);
    expect(numbers(reader.finish())).toEqual(numbers(face));
  });

  test('is passed on from where that is asked for, and not kept', () => {
    const reader = new PackedFaceFileReader();
    const half = bytes.length >> 1;
    reader.push(bytes.subarray(0, half));
    const elsewhere = reader.face!.shared();
    elsewhere.own();
    const passed: number[][] = [];
    reader.passOn = (from, to, block) => {
      passed.push([from, to]);
      elsewhere.setBlock(from, to, block);
    };
    reader.push(bytes.subarray(half));
    expect(passed).toEqual([
      [4096, 8192],
      [8192, 9000],
    ]);
    expect(numbers(elsewhere)).toEqual(numbers(face));
    expect(Math.max(...reader.finish().frames[8000]!.weights)).toBe(0);
  });

  test('keeps tiers, heads and eyes, and what is not there', () => {
    const reader = new PackedTakeReader();
    reader.push(takeBytes(4));
    const tiers = reader.finish();
    const again = new PackedFaceFileReader();
    for (const piece of packedFaceFile(tiers)) again.push(piece);
    expect(numbers(again.finish())).toEqual(numbers(tiers));
  });

  test('that is another’s is refused', () => {
    expect(isPackedFaceFile(bytes)).toBe(true);
    expect(isPackedFaceFile(takeBytes(1))).toBe(false);
    expect(() => new PackedFaceFileReader().push(takeBytes(1))).toThrow('is something else');
    const damaged = Buffer.from(bytes);
    damaged.write('{"frames":-1}', 8);
    expect(() => new PackedFaceFileReader().push(damaged)).toThrow();
  });
});

test('a face is the same in another thread', () => {
  const reader = new PackedTakeReader();
  reader.push(takeBytes(4));
  const tiers = reader.finish();
  const before = numbers(tiers);
  const parts = tiers.parts();
  const { times, columns, poses, gazes, shares } = parts;
  const transfer = [times, ...columns, poses!, gazes!, shares].map(({ buffer }) => buffer as ArrayBuffer);
  const again = PackedFace.from(structuredClone(parts, { transfer }));
  expect(numbers(again)).toEqual(before);
  expect([again.count, again.hasPoses, again.hasGazes]).toEqual([240, true, true]);
});

test('the frames around a moment are those that are found among all of them', () => {
  const face = PackedFace.of(speakingFace(2));
  const last = face.time(face.count - 1);
  for (const at of [-1, 0, 0.011, 1, last - 0.001, last, last + 5]) {
    const found = face.around(at)!;
    const among = framesAround(face.frames, at)!;
    expect(found.mix).toBe(among.mix);
    expect(JSON.stringify([found.from, found.to])).toBe(JSON.stringify([among.from, among.to]));
  }
  expect(new PackedFace({ channelNames: [], frameRate: 60 }).around(0)).toBeNull();
});
