/** The worker that reads takes’ faces, as the page sees it: one for all, made when the first is read. */
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import type { FaceMeasures } from '../editor/timeline/take-curves.ts';
import type { FromFaceWorker, ToFaceWorker } from './face-worker-message.ts';

export interface ReadFace {
  face: PackedFace;
  /** Measurements of the loaded part. */
  measured: FaceMeasures;
}

interface Reading {
  /** Told with what there is of a face that takes its time, once. */
  onBegun: ((read: ReadFace) => void) | undefined;
  begun: PackedFace | null;
  resolve(read: ReadFace): void;
  reject(reason: unknown): void;
}

let worker: Worker | null = null;
let last = 0;
const readings = new Map<number, Reading>();

/** @param url of a packed face, or of the messages that it is made of @throws where it can’t be read */
export async function readFace(
  url: string,
  signal: AbortSignal,
  onBegun?: (read: ReadFace) => void,
): Promise<ReadFace> {
  signal.throwIfAborted();
  last += 1;
  const id = last;
  const { promise, resolve, reject } = Promise.withResolvers<ReadFace>();
  readings.set(id, { onBegun, begun: null, resolve, reject });
  const stop = (): void => {
    if (!readings.delete(id)) return;
    send({ kind: 'stop', id });
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  send({ kind: 'read', id, url: new URL(url, location.href).href, wantsBeginning: onBegun !== undefined });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

function send(message: ToFaceWorker): void {
  worker ??= started();
  worker.postMessage(message);
}

function started(): Worker {
  const made = new Worker(new URL('./face.worker.ts', import.meta.url), { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<FromFaceWorker>) => take(data);
  made.onerror = ({ message }) => {
    // The next one that is read gets a worker of its own.
    made.terminate();
    worker = null;
    for (const { reject } of readings.values()) reject(new Error(message));
    readings.clear();
  };
  return made;
}

function take(message: FromFaceWorker): void {
  const reading = readings.get(message.id);
  if (!reading) return;
  if (message.kind === 'begun') {
    const { head, times, first, measured } = message;
    const face = PackedFace.awaited(head, times);
    face.setBlock(first.from, first.to, first.values);
    reading.begun = face;
    reading.onBegun?.({ face, measured });
    return;
  }
  if (message.kind === 'block') {
    const { from, to, values } = message.block;
    reading.begun?.setBlock(from, to, values);
    return;
  }
  readings.delete(message.id);
  if (message.kind === 'failed') {
    reading.reject(new Error(message.reason));
    return;
  }
  const { parts, measured } = message;
  // What was found out about a part of it is not true of all.
  const face = parts ? PackedFace.from(parts) : reading.begun?.shared();
  if (face) reading.resolve({ face, measured });
}
