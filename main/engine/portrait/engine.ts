import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { lower, raise } from '../../threads/thread_priority.ts';
import {
  engineVersion,
  type HeadReport,
  type HeadRequest,
  type HeadResult,
} from './contract/head_request.ts';
import { PortraitError } from './contract/portrait_error.ts';
import { photoBytes } from './photo/photo.ts';
import type { WorkerMessage } from './worker.ts';
import { defaultWorkers } from './worker_count.ts';

export interface PortraitEngineOptions {
  /** Where finished heads are kept by content; without it nothing is kept. */
  readonly cacheDir?: string;
  /** Worker threads; cores − 1, at least 1, unless given. */
  readonly workers?: number;
  /** The worker's entry, when a bundler has moved it. */
  readonly workerUrl?: URL;
}

export interface PortraitEngine {
  /**
   * Makes a head, or takes it from the cache: the same photo and parameters give the same bytes.
   * @throws PortraitError
   */
  head(request: HeadRequest): Promise<HeadResult>;
  /** Jobs running and waiting. */
  readonly load: { readonly running: number; readonly waiting: number; readonly workers: number };
  /** While somebody speaks: workers get a core when nobody else wants it, and one fewer of them begins what waits. */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

interface Job {
  readonly id: number;
  readonly request: HeadRequest;
  readonly bytes: Uint8Array;
  readonly resolve: (result: HeadResult) => void;
  readonly reject: (error: Error) => void;
}

interface WorkerSlot {
  worker: Worker | undefined;
  job: Job | undefined;
  /** The worker's thread, where it has a priority of its own, and whether that is low. */
  thread: number | null;
  isLow: boolean;
}

/** Starts the engine: a pool of worker threads, each with its own networks, one job at a time. */
export async function createPortraitEngine(options: PortraitEngineOptions = {}): Promise<PortraitEngine> {
  const workers = Math.max(1, options.workers ?? defaultWorkers());
  const workerUrl = options.workerUrl ?? new URL('./worker.ts', import.meta.url);
  const slots: WorkerSlot[] = Array.from({ length: workers }, () => ({
    worker: undefined,
    job: undefined,
    thread: null,
    isLow: false,
  }));
  const waiting: Job[] = [];
  const underWay = new Map<string, Promise<HeadResult>>();
  let nextId = 1;
  let closed = false;
  let isYielding = false;
  if (options.cacheDir) await mkdir(options.cacheDir, { recursive: true });

  /** Gives a worker the priority that it is to have now. One whose low priority can't be taken back is replaced. */
  const settlePriority = (slot: WorkerSlot): void => {
    const { worker, thread } = slot;
    if (!worker || thread === null || slot.isLow === isYielding) return;
    if (isYielding) slot.isLow = lower(thread);
    else if (raise(thread)) slot.isLow = false;
    else if (!slot.job) {
      slot.worker = undefined;
      worker.terminate().catch(() => {});
    }
  };

  const finish = (slot: WorkerSlot, settle: (job: Job) => void): void => {
    const job = slot.job;
    slot.job = undefined;
    if (job) settle(job);
    settlePriority(slot);
    pump();
  };

  const startWorker = (slot: WorkerSlot): Worker => {
    const worker = new Worker(workerUrl, {
      name: 'portrait',
      // Most of a head's memory lies in arrays outside V8's heap; a small young generation frees them sooner.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
    });
    Object.assign(slot, { worker, thread: null, isLow: false });
    worker.on('message', (message: WorkerMessage) => {
      const job = slot.job;
      if (message.kind === 'thread') {
        if (slot.worker !== worker) return;
        slot.thread = message.thread;
        settlePriority(slot);
        return;
      }
      if (slot.worker !== worker || job?.id !== message.id) return;
      if (message.kind === 'stage') job.request.onStage?.(message.stage, message.fraction);
      else if (message.kind === 'done') finish(slot, () => job.resolve(message.result));
      else {
        const error = message.code
          ? new PortraitError(message.code, message.params)
          : new Error(message.message);
        finish(slot, () => job.reject(error));
      }
    });
    // A worker that dies takes only its own job with it; the slot is filled again for the next one.
    const gone = (reason: string): void => {
      if (slot.worker !== worker) return;
      slot.worker = undefined;
      finish(slot, (job) => job.reject(new PortraitError('worker_died', { reason })));
    };
    worker.on('error', (error) => gone(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => gone(`exit ${code}`));
    worker.unref();
    return worker;
  };

  const pump = (): void => {
    const places = isYielding ? Math.max(1, workers - 1) : workers;
    for (const slot of slots) {
      if (slot.job || waiting.length === 0 || closed) continue;
      if (slots.filter(({ job }) => job).length >= places) break;
      const job = waiting.shift()!;
      slot.job = job;
      const worker = slot.worker ?? startWorker(slot);
      worker.ref();
      const { sex, eyelidType, corrections, anyway } = job.request;
      worker.postMessage({
        id: job.id,
        request: {
          photo: job.bytes,
          sex,
          ...(eyelidType ? { eyelidType } : {}),
          ...(corrections ? { corrections } : {}),
          ...(anyway ? { anyway } : {}),
        },
      });
    }
    for (const slot of slots) if (!slot.job) slot.worker?.unref();
  };

  const run = (request: HeadRequest, bytes: Uint8Array): Promise<HeadResult> =>
    new Promise((resolve, reject) => {
      const job: Job = { id: nextId++, request, bytes, resolve, reject };
      request.signal?.addEventListener(
        'abort',
        () => {
          const place = waiting.indexOf(job);
          if (place >= 0) waiting.splice(place, 1);
          const slot = slots.find((candidate) => candidate.job === job);
          if (slot) {
            // The work is synchronous: the only way to stop it is to stop its thread.
            const worker = slot.worker;
            slot.worker = undefined;
            slot.job = undefined;
            worker?.terminate().catch(() => {});
          }
          reject(new PortraitError('cancelled'));
          pump();
        },
        { once: true },
      );
      waiting.push(job);
      pump();
    });

  return {
    get load() {
      return { running: slots.filter((slot) => slot.job).length, waiting: waiting.length, workers };
    },
    yieldTo(isSpeaking) {
      isYielding = isSpeaking;
      for (const slot of slots) settlePriority(slot);
      pump();
    },
    head: async (request) => {
      if (closed) throw new PortraitError('engine_closed');
      if (request.signal?.aborted) throw new PortraitError('cancelled');
      const bytes = await photoBytes(request.photo);
      const key = requestKey(request, bytes);
      const stored = options.cacheDir ? await readStored(options.cacheDir, key) : undefined;
      if (stored) return stored;
      const same = request.signal ? undefined : underWay.get(key);
      if (same !== undefined) return same;
      const made = run(request, bytes).then(async (result) => {
        if (options.cacheDir) await store(options.cacheDir, key, result);
        return result;
      });
      if (!request.signal) {
        underWay.set(key, made);
        made.finally(() => underWay.delete(key)).catch(() => {});
      }
      return made;
    },
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new PortraitError('engine_closed'));
      await Promise.all(
        slots.map(async (slot) => {
          const { worker, job } = slot;
          slot.worker = undefined;
          slot.job = undefined;
          job?.reject(new PortraitError('engine_closed'));
          await worker?.terminate();
        }),
      );
    },
  };
}

/** SHA-256 over the engine's version, the parameters and the photo's bytes. */
function requestKey(request: HeadRequest, bytes: Uint8Array): string {
  const parameters = JSON.stringify([
    engineVersion,
    request.sex,
    request.eyelidType ?? null,
    request.corrections ?? null,
    request.meshopt !== false,
    ...(request.anyway ? ['anyway'] : []),
  ]);
  return createHash('sha256').update(parameters).update('\0').update(bytes).digest('hex');
}

async function readStored(folder: string, key: string): Promise<HeadResult | undefined> {
  try {
    const [glb, text] = await Promise.all([
      readFile(join(folder, `${key}.glb`)),
      readFile(join(folder, `${key}.json`), 'utf8'),
    ]);
    const { sha256, report } = JSON.parse(text) as { sha256: string; report: HeadReport };
    if (createHash('sha256').update(glb).digest('hex') !== sha256) return undefined;
    return { glb: new Uint8Array(glb), sha256, report };
  } catch {
    return undefined;
  }
}

/** Both files under their final names only when whole; the description last, since it vouches for the head. */
async function store(folder: string, key: string, result: HeadResult): Promise<void> {
  const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const files: [string, Uint8Array | string][] = [
    [join(folder, `${key}.glb`), result.glb],
    [join(folder, `${key}.json`), JSON.stringify({ sha256: result.sha256, report: result.report })],
  ];
  for (const [path, content] of files) {
    const part = `${path}.${mark}.part`;
    try {
      await writeFile(part, content);
      await rename(part, path);
    } catch {
      // A full disk must not cost the head that is already made.
      await rm(part, { force: true }).catch(() => {});
      return;
    }
  }
}
