import type { SavedFilm } from '@likeness/proto/takes/film_message.ts';

/** Where a film's bytes go. Calls come one after the other. */
export interface FilmSink {
  /** Frames that are there already and whole: first and last of each stretch. */
  readonly there: readonly (readonly [first: number, last: number])[];
  /** @throws Failure `storage`; `invalid_input` for what is no part of such a film */
  piece(position: number, bytes: Uint8Array): Promise<void>;
  /** @throws Failure, as `piece` */
  frame(index: number, bytes: Uint8Array): Promise<void>;
  /** All is there: gives it its name. @throws Failure `storage`, `conflict` */
  finish(): Promise<SavedFilm>;
  /** It won't be finished. Whole frames of a sequence stay, of anything else nothing. */
  discard(): Promise<void>;
}
