import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import type { PhotoView, Sex } from './head_request.ts';
import type { PortraitErrorCode } from './portrait_error.ts';

/** The result of pre-flight for a photo, in plain values that any program can read. */
export interface PhotoReport {
  /** Pixels of the whole photo, upright; 0 if the file isn't a picture. */
  readonly width: number;
  readonly height: number;
  /** In parts of the whole photo; null where no face was found. */
  readonly face: Crop | null;
  /** Degrees, positive when the subject turns to its left; also beyond what a head can be made of. Null: unknown. */
  readonly yaw: number | null;
  /** The side that the photo shows; a photo from the side can go with a front photo. */
  readonly view: PhotoView | null;
  /** Errors, the worst first, then warnings. Empty: all is well. */
  readonly findings: readonly ReportedFinding[];
}

export interface ReportedFinding {
  readonly code: PortraitErrorCode | PhotoWarning;
  /** `error`: no head is made, unless it is overridable and was overridden. */
  readonly severity: 'error' | 'warning';
  readonly overridable: boolean;
  /** The measured figure and the limit that it missed, in `unit`; null if there is none. */
  readonly figure: number | null;
  readonly limit: number | null;
  readonly unit: '' | '%' | '°' | 'px' | 'MB' | 'MP' | 'faces';
  /** Details of an error, such as the side that a head is turned to. */
  readonly params: Readonly<Record<string, string | number>>;
  /** Advice for an error. */
  readonly messages?: { readonly en: string; readonly zh: string };
}

export interface OutlineRequest {
  /** A path; null where the photo of this name is kept by a worker. */
  readonly photo: string | null;
  /** Identifies the photo's content. */
  readonly name: string;
  readonly crop: Crop | null;
  /** As the head will be made; null while unknown. */
  readonly sex: Sex | null;
  readonly corrections: Partial<HeadCorrections> | null;
  /** Whether requests with other corrections follow: the worker then keeps what it has read. */
  readonly keep: boolean;
  /** Nobody waits for it. */
  readonly isBackground: boolean;
  readonly signal?: AbortSignal;
}

export interface OutlineReport {
  /** Closed rings, x, y, x, y … in parts of what the crop leaves. */
  readonly rings: readonly (readonly number[])[];
  /** How sure the engine is, 0..1. */
  readonly score: number;
  /** Whether that is enough, so that nobody needs to look. */
  readonly sure: boolean;
  /** Whether hair goes on beyond the edge of the photo. */
  readonly cutOff: boolean;
}
