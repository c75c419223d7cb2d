import type { Both } from '@likeness/messages';
import type { OtherPhoto } from '@likeness/portrait/contract/head_request.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { PhotoReader } from '../photos/photo_reader.ts';

/** The parameters of a B1 order. */
export interface HeadOrder {
  /** The photo file's bytes: JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF, checked by content and by header. */
  photo: Uint8Array;
  /** Further photos of the same person, checked the same way; absent or empty: none. */
  others?: readonly Uint8Array[];
  /** 1 = female, 0 = male. */
  sex: 0 | 1;
  /** 1 = single eyelid, 2 = double; null if the caller left it open. */
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  options: HeadOptions | null;
  /** Makes the head even if the photo fails a quality rule. */
  anyway: boolean;
  /** Makes a coarser head to try options with, and keeps the photo read for the next. */
  preview?: boolean | undefined;
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
