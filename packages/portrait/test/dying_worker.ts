/**
 * A worker that dies of one photo (its first byte is 1), never answers another (2), fails a third (3), and works on a
 * fourth until it is cancelled (8). A head's last byte is the number of its thread. Of
 * photos that are looked at it dies of `dies`, works on `for ever`, never answers `never`, and fills its
 * memory with `fills`.
 */
import { parentPort, threadId } from 'node:worker_threads';
import { ownThread } from '@likeness/node-kit/threads/thread_priority.ts';
import type { ThreadAnswer, ThreadOrder } from '@likeness/node-kit/threads/thread_task.ts';
import type { PortraitTask } from '../src/worker.ts';

const post = (answer: ThreadAnswer): void => parentPort?.postMessage(answer);

post({ thread: ownThread() });

parentPort?.on('message', (order: ThreadOrder<PortraitTask>) => {
  if (order.kind === 'head') makeHead(order, order.request.photo as Uint8Array);
  else lookAt(order.id, order.kind === 'outline' ? order.request.photo : order.photo, order.kind);
});

function makeHead({ id, cancelled }: ThreadOrder<PortraitTask>, photo: Uint8Array): void {
  const [kind] = photo;
  if (kind === 1) process.exit(7);
  if (kind === 2) return;
  if (kind === 3) {
    post({ id, error: { code: 'no_face', params: {}, message: 'no_face' } });
    return;
  }
  if (kind === 8) {
    const timer = setInterval(() => {
      if (Atomics.load(cancelled!, 0) === 0) return;
      clearInterval(timer);
      post({ id, error: { code: 'cancelled', params: {}, message: 'cancelled' } });
    }, 20);
    return;
  }
  const glb = new Uint8Array([...photo, threadId]);
  post({ id, progress: { stage: 'decode', fraction: 0.5 } });
  post({ id, value: { glb, sha256: '', report: {} } });
}

function lookAt(id: number, photo: string | null, kind: PortraitTask['kind']): void {
  if (photo === 'dies') process.exit(3);
  if (photo === 'for ever') for (;;);
  if (photo === 'fills') for (let all = {}; ; ) all = { all };
  if (photo === 'never') return;
  // An outline tells which worker drew it.
  post({ id, value: kind === 'outline' ? { rings: [], score: threadId, sure: true, cutOff: false } : photo });
}
