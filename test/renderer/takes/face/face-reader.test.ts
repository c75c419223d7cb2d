/** A take’s face is read beside the page: whole, or a beginning first, with what is needed to draw it. */

import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import { packedFaceFile } from '@likeness/proto/face/packed_face_file.ts';
import { regionOf } from '@likeness/proto/takes/edits/face_regions.ts';
import { expect, test, vi } from 'vitest';
import { takeCurves } from '../../../../renderer/takes/editor/timeline/take-curves.ts';
import { sendFace } from '../../../../renderer/takes/face/face-messages.ts';
import { readFace } from '../../../../renderer/takes/face/face-reader.ts';
import type { FromFaceWorker } from '../../../../renderer/takes/face/face-worker-message.ts';
import { takeFace } from '../../../fixtures/studio/takes.ts';

const count = 12_000;

/** A head that turns, and one channel that moves late. */
function turningFace(): PackedFace {
  const face = new PackedFace({ channelNames: arkitBlendshapeNames, frameRate: 60 });
  const weights = new Float32Array(arkitBlendshapeNames.length);
  for (let at = 0; at < count; at++) {
    weights[3] = Math.abs(Math.sin(at / 50));
    weights[5] = at > 9000 ? 0.75 : 0;
    const half = 0.1 * Math.sin(at / 200);
    face.push({
      timeCode: at / 60,
      weights,
      headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(half), 0, Math.cos(half)] },
      eyeGaze: undefined,
    });
  }
  return face.trimmed();
}

const bytesOf = (face: PackedFace): Blob => new Blob([...packedFaceFile(face)]);
const curvesOf = (...given: Parameters<typeof takeCurves>) =>
  takeCurves(...given).curves.map(({ name, pyramid }) => [name, pyramid.range(), pyramid.values[9500]]);

test('a packed face is the same as it was written, measured as the page would', async () => {
  const face = turningFace();
  const url = URL.createObjectURL(bytesOf(face));
  const read = await readFace(url, new AbortController().signal);
  expect(read.face.count).toBe(count);
  for (const at of [0, 5000, count - 1]) expect(read.face.frames[at]).toEqual(face.frames[at]);
  expect(curvesOf(read.face, regionOf, read.measured)).toEqual(curvesOf(face, regionOf));
});

test('messages are read where there are no columns as yet', async () => {
  const url = URL.createObjectURL(new Blob([takeFace(4) as Uint8Array<ArrayBuffer>]));
  const read = await readFace(url, new AbortController().signal);
  expect(read.face.count).toBeGreaterThan(200);
  expect(curvesOf(read.face, regionOf, read.measured)).toEqual(curvesOf(read.face, regionOf));
});

test('what is not there, what makes no sense and what is not wanted any more is refused; others go on', async () => {
  const stop = new AbortController();
  const good = URL.createObjectURL(bytesOf(turningFace()));
  const damaged = URL.createObjectURL(bytesOf(turningFace()).slice(0, 100_000));
  const all = Promise.allSettled([
    readFace('/asset/nothing/nowhere', new AbortController().signal),
    readFace(damaged, new AbortController().signal),
    readFace(good, stop.signal),
    readFace(good, new AbortController().signal),
  ]);
  stop.abort(new Error('another take'));
  const [missing, short, left, other] = await all;
  expect(missing.status).toBe('rejected');
  expect(short).toMatchObject({ status: 'rejected', reason: { message: 'The packed face ends too early.' } });
  expect(left).toMatchObject({ status: 'rejected', reason: { message: 'another take' } });
  expect(other.status).toBe('fulfilled');
  await expect(readFace(good, stop.signal)).rejects.toThrow('another take');
});

test('of a face that takes its time the beginning comes first, and the rest in blocks', async () => {
  const face = turningFace();
  const bytes = new Uint8Array(await bytesOf(face).arrayBuffer());
  const told: FromFaceWorker[] = [];
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  const pieces = slowly(bytes, (milliseconds) => {
    time += milliseconds;
  });
  await sendFace(7, pieces, true, (message, transfer) => told.push(structuredClone(message, { transfer })));
  clock.mockRestore();
  const [begun, ...rest] = told;
  if (begun?.kind !== 'begun') throw new Error('It did not begin.');
  expect(rest.map(({ kind }) => kind)).toEqual(['block', 'block', 'whole']);
  const shown = PackedFace.awaited(begun.head, begun.times);
  shown.setBlock(begun.first.from, begun.first.to, begun.first.values);
  expect(shown.frames[4000]).toEqual(face.frames[4000]);
  expect(Math.max(...shown.column(5))).toBe(0);
  expect(begun.measured.ranges[5]).toBe(0);
  for (const message of rest)
    if (message.kind === 'block') shown.setBlock(message.block.from, message.block.to, message.block.values);
  const whole = rest.at(-1);
  if (whole?.kind !== 'whole') throw new Error('It did not end.');
  expect(whole.parts).toBeNull();
  for (const at of [0, 9500, count - 1]) expect(shown.frames[at]).toEqual(face.frames[at]);
  expect(curvesOf(shown, regionOf, whole.measured)).toEqual(curvesOf(face, regionOf));
});

/** The first of three blocks, and the others a good while later. */
async function* slowly(bytes: Uint8Array, pass: (milliseconds: number) => void): AsyncGenerator<Uint8Array> {
  const half = bytes.length >> 1;
  yield bytes.subarray(0, half - 4);
  pass(350);
  yield bytes.subarray(half - 4, half);
  yield bytes.subarray(half);
}
