import type { Crop } from '@likeness/proto/crop.ts';
import type { PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import type { CallInput, PhotoFinding } from '#contract';
import type { HeadParameters } from './head_parameters.ts';

/** A further photo of the person that a model was made of. */
export interface ModelPhoto {
  path: string;
  sha256: string;
  fileName: string;
  /** The part that was sent; null: all of it. */
  crop: Crop | null;
}

/** What is known of a model that was made of a photo. */
export interface MadeModel {
  /** Chosen before anything was sent, so that it can be found again after a crash. */
  id: string;
  name: string;
  fileName: string;
  photo: { path: string; sha256: string };
  /** Further photos of the person that it was made of. */
  others: ModelPhoto[];
  /** What became of each photo, the front one first; null where nobody said. */
  photoUses: PhotoUse[] | null;
  parameters: HeadParameters;
  /** Findings against the photo that the person overrode. */
  overridden: PhotoFinding['code'][];
  profile: { id: string; name: string };
  remoteModelId: string;
  timings: { submittedAt: number | null; doneAt: number | null; seconds: number | null };
  cost: number;
  currency: string;
  tags: string[];
  /** The model in the library whose file this becomes; null: a new one. */
  replaces: string | null;
  /** Of the downloaded GLB, hex. */
  sha256: string;
}

/**
 * Where the queue puts the heads it has made. A model's folder is filled under a hidden name and then
 * renamed; each step can be repeated after a crash.
 */
export interface ModelStore {
  defaultLibraryId(): string;
  /** Whether the studio (still) has this library. */
  knows(libraryId: string): boolean;
  /** Path to which the model's GLB is written. Makes its folder. @throws Failure `storage` */
  prepare(libraryId: string, modelId: string): Promise<string>;
  /** True where the model is there already. */
  has(libraryId: string, modelId: string, name: string, replaces: string | null): Promise<boolean>;
  /**
   * Puts photo, thumbnail and record beside the GLB that `prepare` named, and adds the model to the library.
   * @throws Failure `storage`
   */
  finish(libraryId: string, model: MadeModel): Promise<void>;
  /** Removes what `prepare` made for a model that won't come. */
  discard(libraryId: string, modelId: string): Promise<void>;
  /**
   * The photos that a model was made from, with its settings; further ones that are gone are only counted.
   *
   * @throws Failure `not_found` where the front photo is gone
   */
  portraitOf(modelId: string): Promise<
    Pick<MadeModel, 'name' | 'fileName' | 'photo' | 'others' | 'parameters' | 'tags' | 'overridden'> & {
      libraryId: string;
      othersGone: number;
    }
  >;
  /** Ids of models, or of all that a query finds, in its order. */
  selected(selection: CallInput<'batch', 'makeAgain'>['selection']): readonly string[];
  /** What a model is called; null where there is none. */
  nameOf(modelId: string): string | null;
  /** Ids of models that were being filled. */
  unfinished(libraryId: string): Promise<string[]>;
  /**
   * A model of the same photos (`personKey`) and parameters by this profile (null: by any); null where there is
   * none.
   */
  madeBefore(person: string, parameters: HeadParameters, profileId: string | null): string | null;
}
