/** A worker that dies of one photo (its first byte is 1), never answers another (2), and fails a third (3). */
import { parentPort } from 'node:worker_threads';
import { ownThread } from '../../../../main/threads/thread_priority.ts';

parentPort?.postMessage({ kind: 'thread', thread: ownThread() });

parentPort?.on('message', ({ id, request }: { id: number; request: { photo: Uint8Array } }) => {
  const kind = request.photo[0];
  if (kind === 1) process.exit(7);
  if (kind === 2) return;
  if (kind === 3) {
    parentPort?.postMessage({ id, kind: 'failed', code: 'no_face', params: {}, message: 'no_face' });
    return;
  }
  const glb = new Uint8Array([...request.photo, 42]);
  parentPort?.postMessage({ id, kind: 'stage', stage: 'decode', fraction: 0.5 });
  parentPort?.postMessage({ id, kind: 'done', result: { glb, sha256: '', report: {} } });
});
