/** What a page and the worker that draws its film tell each other. */
import type { FilmJob } from '#proto/takes/film_message.ts';

export interface DrawFilm {
  kind: 'draw';
  job: FilmJob;
  /** Absolute addresses. */
  headUrl: string;
  faceUrl: string;
  soundUrl: string;
}

export type ToFilmWorker =
  | DrawFilm
  /** So many bytes are written in all. */
  | { kind: 'written'; bytes: number };

export type FromFilmWorker =
  | { kind: 'piece'; position: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'frame'; index: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'progress'; done: number }
  | { kind: 'end' }
  /** Something of the film can't be encoded by this browser. */
  | { kind: 'missing'; codec: 'no_webcodecs' | 'no_vp9' | 'no_h264' }
  | { kind: 'failed'; message: string };
