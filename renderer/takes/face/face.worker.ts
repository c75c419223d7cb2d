/** Reads and measures takes’ faces outside the page's thread. */
import { piecesOf } from '../fetched-bytes.ts';
import { sendFace } from './face-messages.ts';
import type { FromFaceWorker, ToFaceWorker } from './face-worker-message.ts';

const running = new Map<number, AbortController>();

const answer = (message: FromFaceWorker, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

self.onmessage = ({ data }: MessageEvent<ToFaceWorker>): void => {
  if (data.kind === 'stop') running.get(data.id)?.abort();
  else void read(data);
};

async function read({ id, url, wantsBeginning }: ToFaceWorker & { kind: 'read' }): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    await sendFace(id, piecesOf(url, stop.signal), wantsBeginning, answer);
  } catch (error) {
    answer({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}
