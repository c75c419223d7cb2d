/**
 * A worker thread that converts heads, so that main is never blocked. Started by `convert_threads.ts`.
 */
import { answerOrders } from '../threads/thread_answers.ts';
import { tellFailure } from '../threads/thread_failures.ts';
import { type ConvertOrder, convertHead } from './convert.ts';
import { convertTake, type TakeOrder } from './convert_take.ts';

type Order = { glb: Uint8Array; order: ConvertOrder } | { head: Uint8Array | null; take: TakeOrder };

answerOrders<Order>(async (given) => {
  if ('take' in given) {
    const file = Uint8Array.from(await convertTake(given.head, given.take));
    return { value: file, transfer: [file.buffer] };
  }
  const value = await convertHead(given.glb, given.order);
  // The bytes may be a view on a larger buffer, which can't be transferred.
  const files = value.files.map(({ name, data }) => ({ name, data: Uint8Array.from(data) }));
  return { value: { ...value, files }, transfer: files.map(({ data }) => data.buffer) };
}, tellFailure);
