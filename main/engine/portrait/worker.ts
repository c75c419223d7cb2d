import { parentPort } from 'node:worker_threads';
import { ownThread } from '../../threads/thread_priority.ts';
import type { HeadRequest, HeadResult } from './contract/head_request.ts';
import { PortraitError } from './contract/portrait_error.ts';
import { loadFaceNetworks } from './landmarks/face_networks.ts';
import { makeHead } from './make_head.ts';

/** What the engine sends a worker: one job at a time. */
export interface WorkerJob {
  readonly id: number;
  readonly request: Omit<HeadRequest, 'signal' | 'onStage'>;
}

/** What a worker answers. */
export type WorkerMessage =
  | { readonly kind: 'thread'; readonly thread: number | null }
  | { readonly id: number; readonly kind: 'stage'; readonly stage: string; readonly fraction: number }
  | { readonly id: number; readonly kind: 'done'; readonly result: HeadResult }
  | {
      readonly id: number;
      readonly kind: 'failed';
      readonly code?: PortraitError['code'];
      readonly params?: PortraitError['params'];
      readonly message: string;
    };

const port = parentPort;
if (port) {
  port.on('message', (job: WorkerJob) => {
    const tell = (message: WorkerMessage, moved: ArrayBuffer[] = []): void =>
      port.postMessage(message, moved);
    makeHead({
      ...job.request,
      onStage: (stage, fraction) => tell({ id: job.id, kind: 'stage', stage, fraction }),
    }).then(
      (result) => tell({ id: job.id, kind: 'done', result }, [result.glb.buffer as ArrayBuffer]),
      (error: unknown) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        if (error instanceof PortraitError)
          tell({ id: job.id, kind: 'failed', code: error.code, params: error.params, message });
        else tell({ id: job.id, kind: 'failed', message });
      },
    );
  });
  port.postMessage({ kind: 'thread', thread: ownThread() } satisfies WorkerMessage);
  // Networks are loaded while the first photo is still on its way.
  loadFaceNetworks().catch(() => {});
}
