import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import type { CallInput, PhotoFinding } from '#contract';

/** Parameters of a head, besides its photo. */
interface HeadParameters {
  sex: 'female' | 'male' | null;
  eyelidType: 'single' | 'double' | null;
  crop: Crop | null;
  corrections: HeadCorrections | null;
  /** Only values that differ from the defaults. */
  options: HeadOptions | null;
}

/** An additional photo of the person. */
export interface ModelPhoto {
  path: string;
  sha256: string;
  fileName: string;
  /** The part of the photo that was sent; null: all of it. */
  crop: Crop | null;
}

/** Metadata of a model that was made from a photo. */
export interface MadeModel {
  /** Chosen before anything is sent, so that the model can be found after a crash. */
  id: string;
  name: string;
  fileName: string;
  photo: { path: string; sha256: string };
  /** Additional photos of the person that the model was made from. */
  others: ModelPhoto[];
  /** How each photo was used, the front one first; null if the server did not report it. */
  photoUses: PhotoUse[] | null;
  parameters: HeadParameters;
  /** Findings about the photo that the user overrode. */
  overridden: PhotoFinding['code'][];
  profile: { id: string; name: string };
  remoteModelId: string;
  timings: { submittedAt: number | null; doneAt: number | null; seconds: number | null };
  cost: number;
  currency: string;
  tags: string[];
  /** The model in the library that gets this file; null: a new one. */
  replaces: string | null;
  /** SHA-256 of the downloaded GLB, as hex. */
  sha256: string;
}

/**
 * Stores the heads that the queue has made. A model's folder is filled under a hidden name and then renamed.
 * Each step can be repeated after a crash.
 */
export interface ModelStore {
  defaultLibraryId(): string;
  /** Whether the studio (still) has this library. */
  knows(libraryId: string): boolean;
  /** Creates the model's folder and returns the path for its GLB. @throws Failure `storage` */
  prepare(libraryId: string, modelId: string): Promise<string>;
  /** Returns true if the model already exists. */
  has(libraryId: string, modelId: string, name: string, replaces: string | null): Promise<boolean>;
  /**
   * Stores photo, thumbnail and record beside the GLB that `prepare` named, and adds the model to the
   * library.
   * @throws Failure `storage`
   */
  finish(libraryId: string, model: MadeModel): Promise<void>;
  /** Removes the files of `prepare` for a model that is not finished. */
  discard(libraryId: string, modelId: string): Promise<void>;
  /**
   * Returns the photos and settings of a model. Additional photos that no longer exist are only counted.
   *
   * @throws Failure `not_found` if the front photo no longer exists
   */
  portraitOf(modelId: string): Promise<
    Pick<MadeModel, 'name' | 'fileName' | 'photo' | 'others' | 'parameters' | 'tags' | 'overridden'> & {
      libraryId: string;
      othersGone: number;
    }
  >;
  /** Returns the ids of the given models, or of all results of a query, in its order. */
  selected(selection: CallInput<'batch', 'makeAgain'>['selection']): readonly string[];
  /** Returns a model's name; null if the model does not exist. */
  nameOf(modelId: string): string | null;
  /** Returns the ids of models whose folders were not filled completely. */
  unfinished(libraryId: string): Promise<string[]>;
  /**
   * Returns a model of the same photos (`personKey`) and parameters from this profile (null: from any
   * profile), or null.
   */
  madeBefore(person: string, parameters: HeadParameters, profileId: string | null): string | null;
}
