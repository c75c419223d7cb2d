/**
 * A worker thread that converts heads, so that main is never blocked. Started by `convert_threads.ts`.
 */
import { answerOrders } from '@likeness/node-kit/threads/thread_answers.ts';
import { serializeFailure } from '@likeness/node-kit/threads/thread_failures.ts';
import { convertHead } from './convert.ts';
import { convertTake } from './convert_take.ts';
import type { ConvertThreadOrder } from './convert_threads.ts';
import { faceOfHanded } from './handed_face.ts';

answerOrders<ConvertThreadOrder>(async (given) => {
  if ('take' in given) {
    const file = Uint8Array.from(
      await convertTake(given.head, { ...given.take, face: faceOfHanded(given.take.face) }),
    );
    return { value: file, transfer: [file.buffer] };
  }
  const value = await convertHead(given.glb, given.order);
  // The bytes may be a view on a larger buffer, which can't be transferred.
  const files = value.files.map(({ name, data }) => ({ name, data: Uint8Array.from(data) }));
  return { value: { ...value, files }, transfer: files.map(({ data }) => data.buffer) };
}, serializeFailure);
