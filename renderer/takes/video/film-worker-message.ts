/** Messages between a page and the worker that draws its film. */
import type { FaceMoment } from '@likeness/proto/live/face_state.ts';
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

/** The head of the thumbnails that follow. */
export interface OpenThumbnail extends Pick<FilmJob, 'width' | 'height' | 'drives'> {
  kind: 'open thumbnail';
  /** Absolute address. */
  headUrl: string;
  channelNames: readonly string[];
}

/** `film` and `at` come back with the picture. */
export interface AskedThumbnail {
  kind: 'thumbnail';
  film: number;
  at: number;
  moment: FaceMoment;
}

export type ToFilmWorker =
  | DrawFilm
  | OpenThumbnail
  | AskedThumbnail
  /** So many bytes are written in all. */
  | { kind: 'written'; bytes: number };

/** A drawn thumbnail: RGBA with straight alpha, the top row first. */
export interface DrawnThumbnail {
  kind: 'thumbnail';
  film: number;
  at: number;
  pixels: Uint8Array<ArrayBuffer>;
}

export type FromFilmWorker =
  | DrawnThumbnail
  | { kind: 'piece'; position: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'frame'; index: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'progress'; done: number }
  | { kind: 'end' }
  | { kind: 'failed'; why: FilmFault; message: string };
