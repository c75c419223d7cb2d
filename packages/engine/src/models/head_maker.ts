import type { Both } from '@likeness/messages';
import type { OtherPhoto } from '@likeness/portrait/contract/head_request.ts';
import type { PhotoReader } from '../photos/photo_reader.ts';
import type { HeadParameters } from './model_record.ts';

/** The parameters of a B1 order. */
export interface HeadOrder extends HeadParameters {
  /** The photo file's bytes: JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF, checked by content and by header. */
  photo: Uint8Array;
  /** Further photos of the same person, checked the same way; absent or empty: none. */
  others?: readonly Uint8Array[];
  /** Called as each stage begins, with the fraction done, 0..1. */
  onStage?: (stage: string, fraction: number) => void;
  /** Aborted once nobody needs the head. */
  signal: AbortSignal;
}

export interface MadeHead {
  /** The GLB's bytes. */
  glb: Uint8Array;
  /** The result for each further photo; absent if there were none. */
  photos?: readonly OtherPhoto[];
}

/** Turns a photo into a head. */
export interface HeadMaker {
  /** Part of every result's address: other code makes other bytes. */
  readonly version: string;
  /** Heads that are made at the same time. */
  readonly parallel: number;
  /** Rejects with an error that `explain` understands. */
  makeHead(order: HeadOrder): Promise<MadeHead>;
  /** Uses the same workers for photo checks, so that networks are loaded once. */
  readonly photos: PhotoReader;
  /** Returns the person's advice for the photo; null if the photo didn't cause the error. */
  explain(error: unknown): Both | null;
  /** While somebody speaks, heads and photos have lower priority. */
  yieldTo?(isSpeaking: boolean): void;
  close(): Promise<void>;
}
