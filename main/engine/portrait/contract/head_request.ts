import type { HeadCorrections } from '#proto/head_corrections.ts';
import type { PortraitErrorCode } from './portrait_error.ts';

export interface HeadRequest {
  /** The file's bytes, or a path to it. */
  readonly photo: Uint8Array | string;
  readonly sex: Sex;
  readonly eyelidType?: 'single' | 'double';
  /** Either part may be left out. */
  readonly corrections?: Partial<HeadCorrections>;
  /** Makes the head although the photo fails a quality rule, if one can be made at all. */
  readonly anyway?: boolean;
  readonly signal?: AbortSignal;
  /** Called as stages begin, with how much of the work is done, 0..1. */
  readonly onStage?: (stage: string, fraction: number) => void;
}

/** Warnings about a head that was made. */
const portraitWarningCodes = [
  'small_face',
  'slightly_turned',
  'teeth_showing',
  'glasses',
  'other_faces_ignored',
  'grey_photo',
  'soft_focus',
  'dark_photo',
  'blown_out',
  'eyes_closed',
  'looking_aside',
  'perhaps_drawing',
  'perhaps_statue',
  'odd_skin_colour',
  'uncertain_outline',
  'hair_cut_off',
] as const;
export type PortraitWarning = (typeof portraitWarningCodes)[number];

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
  readonly warnings: readonly PortraitWarning[];
  /** Rules that would have refused the photo, by their codes; empty unless it was made `anyway`. */
  readonly overridden: readonly PortraitErrorCode[];
  readonly stageMs: Readonly<Record<string, number>>;
}

export interface HeadResult {
  readonly glb: Uint8Array;
  readonly sha256: string;
  readonly report: HeadReport;
}

/** Changes whenever the same input may give other bytes; part of the cache's key. */
export const engineVersion = 'portrait-13';

export type Sex = 'female' | 'male';
