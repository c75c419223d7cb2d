import type { SavedFilm } from '@likeness/proto/takes/film_message.ts';

/** Destination of a film's bytes. Calls are sequential. */
export interface FilmSink {
  /** Existing complete frames: first and last of each range. */
  readonly there: readonly (readonly [first: number, last: number])[];
  /** @throws Failure `storage`; `invalid_input` for an unexpected part */
  piece(position: number, bytes: Uint8Array): Promise<void>;
  /** @throws Failure, as `piece` */
  frame(index: number, bytes: Uint8Array): Promise<void>;
  /** The film is complete: renames it. @throws Failure `storage`, `conflict` */
  finish(): Promise<SavedFilm>;
  /** Aborts. Complete frames of a sequence stay; everything else is deleted. */
  discard(): Promise<void>;
}
