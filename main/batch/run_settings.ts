import { readFile } from 'node:fs/promises';
import { joinMessages, type Message } from '@likeness/messages';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { textOf } from '@likeness/proto/text/text_encoding.ts';
import type { PersonOfPhotos } from '#contract';
import type { ManifestProblem } from './photos/manifest.ts';
import { type FoundManifest, matchManifest } from './photos/manifest_match.ts';
import { inOneEach, peopleByFolder, peopleByNumbers, peopleByViews } from './photos/people_by_name.ts';
import type { PhotoRow, PhotoTags } from './photos/photo_row.ts';

export const personRules = ['column', 'folder', 'name', 'off'] as const;
export type PersonRule = (typeof personRules)[number];

/** What a run says of its photos. */
export interface RunSettings {
  /** For all photos; a manifest says more of some. */
  sex?: 'female' | 'male';
  eyelidType?: 'single' | 'double';
  /** What is chosen of all heads; null: nothing, whatever the photos in the tray say. */
  options?: HeadOptions | null;
  /** Path of a CSV manifest; false: none, also not those that lie in the folders. Undefined: those. */
  manifest?: string | false;
  /**
   * By what photos are of one person: what manifests say (the default), folders of two to eight photos, names
   * that say views or count on; `off`: each photo by itself.
   */
  person?: PersonRule;
  /**
   * Makes heads even if the photo fails a quality rule; only the built-in engine supports that.
   */
  anyway?: boolean;
}

/** What came of the manifests of a run. */
export interface AppliedManifests {
  /** Manifests that were followed, with how many photos each told of. */
  manifests: { file: string; applied: number }[];
  manifestProblems: (ManifestProblem & { file: string })[];
}

/** What flags and manifests say of each photo: the manifest that was named, else those that were found. */
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
      textOf(bytes, () => photos.map(({ fileName }) => fileName)),
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

/** What is said of a person's photos, of the front one first. */
export const tagsOfPerson = (
  tagsByPhoto: ReadonlyMap<string, PhotoTags>,
  photos: readonly PhotoRow[],
): PhotoTags => Object.assign({}, ...photos.toReversed().map(({ id }) => tagsByPhoto.get(id)));

/** What speaks against a photo, one sentence after the other. */
export const whyBlocked = ({ findings }: PhotoRow): Message =>
  findings
    .filter(({ severity }) => severity === 'blocking')
    .map(({ message }) => message)
    .reduce(joinMessages, '');
