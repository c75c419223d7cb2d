import { readFile } from 'node:fs/promises';
import { joinMessages, type Message } from '@likeness/messages';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import type { PersonOfPhotos } from '#contract';
import type { ManifestProblem } from './photos/manifest.ts';
import { type FoundManifest, matchManifest } from './photos/manifest_match.ts';
import { inOneEach, peopleByFolder, peopleByNumbers, peopleByViews } from './photos/people_by_name.ts';
import type { PhotoRow, PhotoTags } from './photos/photo_row.ts';

export const personRules = ['column', 'folder', 'name', 'off'] as const;
export type PersonRule = (typeof personRules)[number];

/** Settings of a run for its photos. */
export interface RunSettings {
  /** Defaults for all photos; a manifest can override them for some. */
  sex?: 'female' | 'male';
  eyelidType?: 'single' | 'double';
  /** Head options for all photos; null: none, whatever the options in the list. */
  options?: HeadOptions | null;
  /**
   * Path of a CSV manifest; false: ignore manifests, also those in the folders; undefined: use those in the
   * folders.
   */
  manifest?: string | false;
  /**
   * How photos are grouped into persons: by manifests (the default), by folders of two to eight photos, or by
   * names with a view or a number. `off`: each photo alone.
   */
  person?: PersonRule;
  /**
   * Makes heads even if the photo fails a quality rule; only the built-in engine supports that.
   */
  anyway?: boolean;
}

/** Result of applying the manifests of a run. */
export interface AppliedManifests {
  /** Applied manifests, with the number of photos that each one describes. */
  manifests: { file: string; applied: number }[];
  manifestProblems: (ManifestProblem & { file: string })[];
}

/**
 * Returns the settings of each photo from flags and manifests: the manifest that was named, otherwise those
 * found.
 */
export async function settingsByPhoto(
  photos: readonly PhotoRow[],
  found: readonly FoundManifest[],
  { sex, eyelidType, options, manifest, anyway, person = 'column' }: RunSettings,
): Promise<{ tagsByPhoto: Map<string, PhotoTags>; people: PersonOfPhotos[] } & AppliedManifests> {
  const common: PhotoTags = {
    ...(sex && { sex }),
    ...(eyelidType && { eyelidType }),
    ...(options !== undefined && { options }),
    ...(anyway && { anyway }),
  };
  const tagsByPhoto = new Map<string, PhotoTags>(photos.map(({ id }) => [id, { ...common }]));
  const applied: AppliedManifests = {
    manifests: [],
    manifestProblems: [],
  };
  const people: PersonOfPhotos[] = [];
  const take = (file: string, manifest: FoundManifest | string): void => {
    const match = matchManifest(manifest, photos);
    for (const { photo, set } of match.assignments) Object.assign(tagsByPhoto.get(photo.id) ?? {}, set);
    people.push(...match.people);
    applied.manifests.push({ file, applied: match.assignments.length });
    applied.manifestProblems.push(...match.problems.map((problem) => ({ ...problem, file })));
  };
  if (typeof manifest === 'string') {
    const bytes = await readFile(manifest).catch((error: unknown) => {
      throw storageFailure(error, manifest);
    });
    take(
      manifest,
      decodeText(bytes, () => photos.map(({ fileName }) => fileName)),
    );
  } else if (manifest === undefined) for (const one of found) take(one.path ?? one.name, one);
  return { tagsByPhoto, people: inOneEach(peopleBy[person](photos, people)), ...applied };
}

const peopleBy: Readonly<
  Record<PersonRule, (photos: readonly PhotoRow[], bySheet: PersonOfPhotos[]) => PersonOfPhotos[]>
> = {
  column: (_photos, bySheet) => bySheet,
  folder: (photos) => peopleByFolder(photos).map(({ ids, name }) => ({ ids, name })),
  name(photos) {
    const byViews = peopleByViews(photos);
    const taken = new Set(byViews.flatMap(({ ids }) => ids));
    const byNumbers = peopleByNumbers(photos.filter(({ id }) => !taken.has(id)));
    return [...byViews, ...byNumbers].map(({ ids, name }) => ({ ids, name }));
  },
  off: () => [],
};

/** Returns the settings of a person's photos, the front photo first. */
export const tagsOfPerson = (
  tagsByPhoto: ReadonlyMap<string, PhotoTags>,
  photos: readonly PhotoRow[],
): PhotoTags => Object.assign({}, ...photos.toReversed().map(({ id }) => tagsByPhoto.get(id)));

/** Returns the problems of a photo as joined sentences. */
export const whyBlocked = ({ findings }: PhotoRow): Message =>
  findings
    .filter(({ severity }) => severity === 'blocking')
    .map(({ message }) => message)
    .reduce(joinMessages, '');
