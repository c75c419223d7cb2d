/** A worker thread that makes views of takes, so that main is never blocked. */
import { answerOrders } from '@likeness/node-kit/threads/thread_answers.ts';
import { serializeFailure } from '@likeness/node-kit/threads/thread_failures.ts';
import { makeView, type ViewTask } from './make_view.ts';

answerOrders<ViewTask>(async (order) => {
  makeView(order);
  return { value: null };
}, serializeFailure);
