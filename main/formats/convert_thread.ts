/** A thread that turns heads into other forms, so that main is never held up. Started by `convert_threads.ts`. */
import { answerOrders } from '../thread_answers.ts';
import { type ConvertOrder, convertHead } from './convert.ts';

answerOrders<{ glb: Uint8Array; order: ConvertOrder }>(async ({ glb, order }) => {
  const value = await convertHead(glb, order);
  // A file may be a piece of a larger memory, which can't be handed over.
  const files = value.files.map(({ name, data }) => ({ name, data: Uint8Array.from(data) }));
  return { value: { ...value, files }, transfer: files.map(({ data }) => data.buffer) };
});
