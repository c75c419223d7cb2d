import type { OtherPhoto } from '@likeness/portrait/contract/head_request.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { Text } from '../http/language.ts';
import type { PhotoReader } from '../photos/photo_reader.ts';

/** What B1 asks for. */
export interface HeadOrder {
  /** The photo file's bytes: JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF, checked by content and by header. */
  photo: Uint8Array;
  /** Further photos of the same person, checked alike; absent or empty: none. */
  others?: readonly Uint8Array[];
  /** 1 = female, 0 = male. */
  sex: 0 | 1;
  /** 1 = single eyelid, 2 = double; null where the caller left it open. */
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  options: HeadOptions | null;
  /** Even if the photo fails a quality rule. */
  anyway: boolean;
  /** Told as each stage begins, with how much is done, 0..1. */
  onStage?: (stage: string, fraction: number) => void;
  /** Aborted when nobody wants the head any more. */
  signal: AbortSignal;
}

export interface MadeHead {
  /** The GLB's bytes. */
  glb: Uint8Array;
  /** What became of each further photo; absent where there were none. */
  photos?: readonly OtherPhoto[];
}

/** Turns a photo into a head. */
export interface HeadMaker {
  /** Part of every result's address: other code, other bytes. */
  readonly version: string;
  /** Heads that are made at the same time. */
  readonly parallel: number;
  /** Rejects with an error that `explain` knows how to tell. */
  makeHead(order: HeadOrder): Promise<MadeHead>;
  /** The same workers look at photos, so that networks are loaded once. */
  readonly photos: PhotoReader;
  /** What a person should change in the photo; null where the error is not the photo's fault. */
  explain(error: unknown): Text | null;
  /** While somebody speaks, heads and photos have lower priority. */
  yieldTo?(isSpeaking: boolean): void;
  close(): Promise<void>;
}
