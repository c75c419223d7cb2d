/** A worker thread that makes the sound of edited takes, so that main is never blocked. */
import { answerOrders } from '../../threads/thread_answers.ts';
import { tellFailure } from '../../threads/thread_failures.ts';
import { renderSound, type SoundOrder } from './render_sound.ts';

answerOrders<SoundOrder>(async (order) => {
  await renderSound(order);
  return { value: null };
}, tellFailure);
