/** Messages between a page and the worker that draws its film. */
import type { FilmFault, FilmJob } from '@likeness/proto/takes/film_message.ts';

export interface DrawFilm {
  kind: 'draw';
  job: FilmJob;
  /** Absolute addresses. */
  headUrl: string;
  faceUrl: string;
  soundUrl: string;
  /** Null: there is none behind the head. */
  pictureUrl: string | null;
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
  | { kind: 'failed'; why: FilmFault; message: string };
