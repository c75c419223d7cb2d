import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import type { TaskOptions, ThreadErrors } from '@likeness/node-kit/threads/thread_task.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadRequest, HeadResult } from './contract/head_request.ts';
import type { OutlineReport, OutlineRequest, PhotoReport } from './contract/photo_report.ts';
import { PortraitError } from './contract/portrait_error.ts';
import { photoBytes } from './photo/photo.ts';
import type { HeadStage, PortraitTask, SerializedError } from './worker.ts';
import { defaultWorkers, maxConcurrentPhotos } from './worker_count.ts';

export interface PortraitEngineOptions {
  /** Heads made at once; default: cores − 1, at least 1. */
  readonly workers?: number;
  /** The worker's entry, when a bundler has moved it. */
  readonly workerUrl?: URL;
  /** Milliseconds that each kind of work may take. */
  readonly within?: Partial<typeof limits>;
}

export interface PortraitEngine {
  /**
   * Makes a head: the same photo and parameters give the same bytes.
   * @throws PortraitError
   */
  head(request: HeadRequest): Promise<HeadResult>;
  /**
   * Checks the part of a photo within `crop`. @throws PortraitError only for faults that are not the photo's.
   */
  check(photo: string, crop: Crop | null, signal?: AbortSignal): Promise<PhotoReport>;
  /** @throws PortraitError where no head could be made of the photo; `photo_not_kept` */
  outline(request: OutlineRequest): Promise<OutlineReport>;
  /** The part of a photo that is sent, a JPEG. @throws PortraitError */
  crop(photo: string, crop: Crop, signal?: AbortSignal): Promise<Uint8Array>;
  /** Heads running and waiting. */
  readonly load: { readonly running: number; readonly waiting: number; readonly workers: number };
  /**
   * While somebody speaks: workers run at low priority, and one fewer of them starts new work.
   */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/**
 * Milliseconds that a task may take before its worker is ended. An idle machine checks a photo in 0.1 s and makes a
 * head in 2 s; a hostile file could take for ever.
 */
const limits: Readonly<Record<PortraitTask['kind'], number>> = {
  head: 600_000,
  check: 60_000,
  crop: 60_000,
  outline: 120_000,
};

const errors: ThreadErrors = {
  deserialize(serialized) {
    const { code, params, message } = serialized as SerializedError;
    return code ? new PortraitError(code, params) : new Error(message);
  },
  ended: (cause) =>
    new PortraitError('worker_died', { reason: typeof cause === 'number' ? `exit ${cause}` : cause.message }),
  tookTooLong: (milliseconds) =>
    new PortraitError('took_too_long', { seconds: Math.round(milliseconds / 1000) }),
  cancelled: () => new PortraitError('cancelled'),
  closed: () => new PortraitError('engine_closed'),
};

/**
 * Starts the engine: a pool of worker threads, each with its own networks, one job at a time. Photos are
 * checked beside the heads in progress, so that a brush stroke doesn't wait for a head.
 */
export function createPortraitEngine({
  workers: wanted = defaultWorkers(),
  workerUrl = new URL('./worker.ts', import.meta.url),
  within = {},
}: PortraitEngineOptions = {}): PortraitEngine {
  const workers = Math.max(1, wanted);
  const pool = new ThreadPool<PortraitTask, 'heads' | 'photos'>({
    entry: workerUrl,
    name: 'portrait',
    lanes: { heads: workers, photos: maxConcurrentPhotos },
    // Most of a head's memory is in arrays outside V8's heap; a small young generation frees them sooner. A larger limit of
    // the old one lets V8 collect all of the heap less often.
    memory: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
    // One stays warm: loading its networks takes longer than checking a photo.
    kept: 1,
    // A stage of a head takes less, on a busy machine too. A thread that is ended has to compile its code again.
    grace: 5000,
    errors,
  });
  const run = (
    order: PortraitTask,
    options: Omit<TaskOptions<'heads' | 'photos'>, 'lane' | 'milliseconds'>,
  ): Promise<unknown> =>
    pool.run(order, {
      lane: order.kind === 'head' ? 'heads' : 'photos',
      milliseconds: async () => within[order.kind] ?? limits[order.kind],
      ...options,
    });

  return {
    get load() {
      return { ...pool.load('heads'), workers };
    },
    async head({ photo, others, onStage, signal, ...request }) {
      const bytes = await photoBytes(photo);
      const further = others && (await Promise.all(others.map((other) => photoBytes(other))));
      const onProgress = (progress: unknown): void => {
        const { stage, fraction } = progress as HeadStage;
        onStage?.(stage, fraction);
      };
      return (await run(
        { kind: 'head', request: { ...request, ...(further && { others: further }), photo: bytes } },
        { signal, onProgress },
      )) as HeadResult;
    },
    check: async (photo, crop, signal) =>
      (await run({ kind: 'check', photo, crop }, { signal })) as PhotoReport,
    crop: async (photo, crop, signal) => (await run({ kind: 'crop', photo, crop }, { signal })) as Uint8Array,
    async outline({ name, isBackground, signal, ...request }) {
      const { photo, crop, sex, keep } = request;
      const key = JSON.stringify([name, crop, sex]);
      if (photo === null && !pool.isKept(key)) throw new PortraitError('photo_not_kept');
      return (await run(
        { kind: 'outline', request, key },
        { signal, isBackground, isBound: photo === null, affinity: keep ? key : undefined },
      )) as OutlineReport;
    },
    yieldTo: (isSpeaking) => pool.yieldTo(isSpeaking),
    close: () => pool.close(),
  };
}
