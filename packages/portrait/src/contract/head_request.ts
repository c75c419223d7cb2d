import type { HairStyle } from '@likeness/proto/heads/hair_style.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import type { PortraitErrorCode } from './portrait_error.ts';

export interface HeadRequest {
  /** The file's bytes, or a path to it. */
  readonly photo: Uint8Array | string;
  /** Further photos of the same person from any side, as `photo` is given. One that can't be used is left out. */
  readonly others?: readonly (Uint8Array | string)[];
  readonly sex: Sex;
  readonly eyelidType?: 'single' | 'double';
  /** Either part may be left out. */
  readonly corrections?: Partial<HeadCorrections>;
  readonly options?: HeadOptions;
  /** Overrules what the photo shows of hair; `seen` when absent. */
  readonly hair?: HairStyle;
  /** Makes the head although the photo fails a quality rule, if one can be made at all. */
  readonly anyway?: boolean;
  /** To try options with: coarser textures, and what was read of the photo is kept for the next head. */
  readonly preview?: boolean;
  readonly signal?: AbortSignal;
  /** Called as stages begin, with how much of the work is done, 0..1. */
  readonly onStage?: (stage: string, fraction: number) => void;
}

/** The side that a photo shows: in `left`, the nose points to the subject's own left. Null: no head was found. */
export const photoViews = ['front', 'left', 'right', 'leftProfile', 'rightProfile'] as const;
export type PhotoView = (typeof photoViews)[number];

export interface OtherPhoto {
  /** Among the further photos as they were given, from 1. */
  readonly index: number;
  readonly used: boolean;
  /** Why it was left out. */
  readonly reason?: { readonly en: string; readonly zh: string };
  readonly view: PhotoView | null;
  /** Degrees, positive when the subject turns to its left; null where no head was found. */
  readonly yaw: number | null;
}

export interface HeadReport {
  readonly engine: string;
  readonly landmarks: number;
  /** Distance of the outer eye corners, pixels. */
  readonly iodPx: number;
  /** Degrees. */
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  /** How sure the outline of head and hair is, 0..1; below 0.9 a user should look at it. */
  readonly silhouette: number;
  readonly warnings: readonly PhotoWarning[];
  /** Rules that would have refused the photo, by their codes; empty unless it was made `anyway`. */
  readonly overridden: readonly PortraitErrorCode[];
  /** Absent where none were given. */
  readonly photos?: readonly OtherPhoto[];
  readonly stageMs: Readonly<Record<string, number>>;
}

export interface HeadResult {
  readonly glb: Uint8Array;
  readonly sha256: string;
  readonly report: HeadReport;
}

/** Changes whenever the same input may give other bytes; part of the cache's key. */
export const engineVersion = 'portrait-41';

export type Sex = 'female' | 'male';
