import type { OtherPhoto } from '@likeness/portrait/contract/head_request.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { Text } from '../http/language.ts';

/**
 * Whose something is: a tenant of the service, by a name that the service gives it (1 to 200 characters, no line
 * breaks). Null: the one person whose engine it is.
 */
export type Owner = string | null;

/** What is made: a head by B1, or what an image task (A2) asks for. */
export type ModelKind = 'head' | 'image';

/** Higher ones go first, whoever's they are; within one, owners take turns. */
export type Priority = -1 | 0 | 1;

/** `status` of a model, as the interface numbers it. */
export const modelState = { success: 1, processing: 3, fail: 4 } as const;
export type ModelState = (typeof modelState)[keyof typeof modelState];

/** A model as the database knows it. */
export interface ModelRecord {
  /** Place in the order of arrival. */
  sequence: number;
  /** UUID; `modelId` in the interface. */
  id: string;
  state: ModelState;
  /** When it was ordered, milliseconds since 1970 UTC. */
  createdAt: number;
  /** SHA-256 of the photo's bytes, hex. */
  photo: string;
  /** The further photos of the person, named as `photo` is, in the order that they came in. */
  others: readonly string[];
  /** What became of each of them; null before the head is made, and where there are none. */
  photos: readonly OtherPhoto[] | null;
  sex: 0 | 1;
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  /** Only what differs from the usual. */
  options: HeadOptions | null;
  /** Made although a rule of quality speaks against the photo. */
  anyway: boolean;
  /** Last part of the download link, without `.glb`. Not derived from the id: the link is its own secret. */
  file: string;
  /** Address of the result in the store of results; null until there is one. */
  result: string | null;
  /** Times that the making was begun. */
  attempts: number;
  failure: Text | null;
  owner: Owner;
  kind: ModelKind;
  priority: Priority;
}
