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

/** A model as stored in the database. */
export interface ModelRecord {
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
  sex: 0 | 1;
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  /** Only the options that differ from their defaults. */
  options: HeadOptions | null;
  /** Made although the photo fails a quality rule. */
  anyway: boolean;
  /** A coarser head, to try options with. */
  preview?: boolean;
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
