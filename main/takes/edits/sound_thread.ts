/** A worker thread that renders the audio of edited takes, so that main is never blocked. */
import { answerOrders } from '@likeness/node-kit/threads/thread_answers.ts';
import { serializeFailure } from '@likeness/node-kit/threads/thread_failures.ts';
import { renderSound, type SoundOrder } from './render_sound.ts';

answerOrders<SoundOrder>(async (order) => {
  await renderSound(order);
  return { value: null };
}, serializeFailure);
