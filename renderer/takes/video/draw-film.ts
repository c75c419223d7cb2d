/** Draws a film that main has prepared: a worker draws, this carries what comes of it to main. */

import {
  decodeToPage,
  encodeToMain,
  type FilmJob,
  type FilmToMain,
  type SavedFilm,
} from '@likeness/proto/takes/film_message.ts';
import type { StudioStream } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { StudioFailure, studio } from '../../base/studio.ts';
import type { FromFilmWorker, ToFilmWorker } from './film-worker-message.ts';

export interface DrawFilmOptions {
  /** Frames that are drawn, of all. */
  onProgress?: (done: number, frames: number) => void;
  signal?: AbortSignal;
}

/** @throws StudioFailure; `cancelled` where the signal was given: main keeps nothing half then */
export async function drawFilm(filmId: string, options: DrawFilmOptions = {}): Promise<SavedFilm> {
  const { signal, onProgress } = options;
  const stream = await studio.video.open({ filmId });
  let worker: Worker | undefined;
  try {
    return await new Promise<SavedFilm>((resolve, reject) => {
      const stop = (): void => reject(cancelled());
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) stop();
      stream.onClose((error) => reject(error ? new StudioFailure(error) : cancelled()));
      stream.onMessage((bytes) => {
        const message = decodeToPage(bytes);
        if (message?.kind === 'job') {
          const { frames } = message.job;
          worker = workerFor(message.job, stream, (done) => onProgress?.(done, frames));
        } else if (message?.kind === 'written') {
          worker?.postMessage(message satisfies ToFilmWorker);
        } else if (message?.kind === 'saved') resolve(message.saved);
      });
    });
  } finally {
    worker?.terminate();
    stream.close();
  }
}

export const startFilmWorker = (): Worker =>
  new Worker(new URL('./film.worker.ts', import.meta.url), { type: 'module' });

function workerFor(job: FilmJob, stream: StudioStream, onDone: (done: number) => void): Worker {
  const worker = startFilmWorker();
  const send = (message: FilmToMain): void => stream.send(encodeToMain(message));
  worker.onmessage = ({ data }: MessageEvent<FromFilmWorker>) => {
    if (data.kind === 'thumbnail') return; // no film asks for any
    if (data.kind === 'progress') onDone(data.done);
    send(data);
  };
  worker.onerror = ({ message }) => send({ kind: 'failed', why: 'other', message: message ?? '' });
  const absolute = (path: string): string => new URL(path, window.location.href).href;
  worker.postMessage({
    kind: 'draw',
    job,
    headUrl: absolute(assetUrl(job.head.id, job.head.kind)),
    faceUrl: absolute(assetUrl(job.face, 'film-source')),
    soundUrl: absolute(assetUrl(job.sound, 'film-source')),
    pictureUrl: job.picture && absolute(assetUrl(job.picture, 'film-source')),
  } satisfies ToFilmWorker);
  return worker;
}

const cancelled = (): StudioFailure =>
  new StudioFailure({ code: 'cancelled', message: 'The film was cancelled.', hint: '', retryable: false });
