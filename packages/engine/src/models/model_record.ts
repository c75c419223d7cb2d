import type { Both } from '@likeness/messages';
import type { OtherPhoto } from '@likeness/portrait/contract/head_request.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';

/**
 * The owner of data: a tenant of the service, by a name that the service assigns (1 to 200 characters, no
 * line breaks). Null: the single person using the engine.
 */
export type Owner = string | null;

/** The kind of model: a head by B1, or a head for an image task (A2). */
export type ModelKind = 'head' | 'image';

/** Higher priorities go first, across owners; within one priority, owners take turns. */
export type Priority = -1 | 0 | 1;

/** `status` of a model, as the interface numbers it. */
export const modelState = { success: 1, processing: 3, fail: 4 } as const;
export type ModelState = (typeof modelState)[keyof typeof modelState];

/** Parameters of an ordered head, without its photos. */
export interface HeadParameters {
  /** 1 = female, 0 = male. */
  sex: 0 | 1;
  /** 1 = single eyelid, 2 = double; null if the caller left it open. */
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  /** Only the options that differ from their defaults. */
  options: HeadOptions | null;
  /** Makes the head even if the photo fails a quality rule. */
  anyway: boolean;
  /** Makes a coarser head to try options with, and keeps the photo read for the next. Absent: no. */
  preview?: boolean | undefined;
}

/** Returns an order's parameters without the rest of its record. */
export const headParameters = ({
  sex,
  eyelidType,
  corrections,
  options,
  anyway,
  preview,
}: HeadParameters): HeadParameters => ({ sex, eyelidType, corrections, options, anyway, preview });

/** A model as stored in the database. */
export interface ModelRecord extends HeadParameters {
  /** Position in order of arrival. */
  sequence: number;
  /** UUID; `modelId` in the interface. */
  id: string;
  state: ModelState;
  /** When it was ordered, milliseconds since 1970 UTC. */
  createdAt: number;
  /** SHA-256 of the photo's bytes, hex. */
  photo: string;
  /** Further photos of the person, as SHA-256 of their bytes, in upload order. */
  others: readonly string[];
  /** The result for each further photo; null before the head is made, or if there are none. */
  photos: readonly OtherPhoto[] | null;
  /** Last part of the download link, without `.glb`. Not derived from the id: the link is a secret. */
  file: string;
  /** Address of the result in the result store; null until it exists. */
  result: string | null;
  /** Number of times that making it was started. */
  attempts: number;
  failure: Both | null;
  owner: Owner;
  kind: ModelKind;
  priority: Priority;
}
