import { dirname, relative, sep } from 'node:path';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import type { CallOutput, PersonOfPhotos } from '#contract';
import { type ManifestProblem, type ManifestRow, manifestProblem, parseManifest } from './manifest.ts';
import { fieldsChanged, type PhotoRow, type PhotoTags } from './photo_row.ts';

type Named = Pick<PhotoRow, 'folder' | 'fileName' | 'path'>;

/** The name of a photo in a manifest: its path relative to the dropped folder. */
export const pathBelow = ({ folder, fileName }: Pick<Named, 'folder' | 'fileName'>): string =>
  folder === '' ? fileName : `${folder}/${fileName}`;

type FindPhotos = (file: string) => PhotoRow[];

/** Ways to compare names, exact matches first, because two names may differ by case alone. */
const comparisons: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.normalize('NFC'),
  (name) => name.normalize('NFC').toLowerCase(),
];

/**
 * Finds photos by their names in a manifest: the path, or the file name alone.
 *
 * @param pathOf - The path of a photo; null if the manifest does not concern it.
 */
function photoFinder(
  photos: readonly PhotoRow[],
  pathOf: (photo: PhotoRow) => string | null = pathBelow,
): FindPhotos {
  const there = photos.flatMap((photo) => {
    const path = pathOf(photo);
    return path === null ? [] : [{ photo, path }];
  });
  const tables = [
    ...comparisons.map((key) => ({ key, found: Map.groupBy(there, ({ path }) => key(path)) })),
    ...comparisons.map((key) => ({ key, found: Map.groupBy(there, ({ photo }) => key(photo.fileName)) })),
  ];
  return (file) => {
    const wanted = file.replaceAll('\\', '/').replace(/^\.\//, '');
    for (const { key, found } of tables) {
      const photos = found.get(key(wanted));
      if (photos) return photos.map(({ photo }) => photo);
    }
    return [];
  };
}

/** A CSV with a column `file`, found beside photos or given by itself. */
export interface FoundManifest {
  /** The user's name for it, with its folder. */
  name: string;
  /** Its folder relative to the given folder, with `/`. */
  folder: string;
  /** Its absolute path; null: an upload, whose photos are known by their folders alone. */
  path: string | null;
  /** Given by itself, not found in a folder: it applies to all photos. */
  given: boolean;
  rows: ManifestRow[];
  problems: ManifestProblem[];
}

/** Parses a table; null if it is not a manifest, because it has no column `file`. */
export function readTable(
  text: string,
  source: Pick<FoundManifest, 'name' | 'folder' | 'path' | 'given'>,
): FoundManifest | null {
  const { rows, problems } = parseManifest(text);
  if (problems.some(({ fault }) => fault === 'no_file_column' || fault === 'empty')) return null;
  return { ...source, rows, problems };
}

/** Finds the photos of a manifest that was found in a folder: only those in that folder or below. */
function finderOf({ folder, path, given }: FoundManifest, photos: readonly PhotoRow[]): FindPhotos {
  if (given) return photoFinder(photos);
  if (path === null) {
    const top = folder === '' ? '' : `${folder}/`;
    return photoFinder(photos, (photo) => {
      const whole = pathBelow(photo);
      return whole.startsWith(top) ? whole.slice(top.length) : null;
    });
  }
  const top = dirname(path);
  return photoFinder(photos, (photo) => {
    const below = relative(top, photo.path);
    return below.startsWith('..') ? null : below.split(sep).join('/');
  });
}

/** The settings of a manifest for its photos, and its problems. */
export interface ManifestMatch {
  assignments: { photo: PhotoRow; set: PhotoTags }[];
  /** Photos that it groups into one person, in its order. */
  people: PersonOfPhotos[];
  problems: ManifestProblem[];
}

/** @param manifest - Text of a manifest that was read by itself, or one that was found with its photos. */
export function matchManifest(manifest: FoundManifest | string, photos: readonly PhotoRow[]): ManifestMatch {
  const { rows, problems: before } = typeof manifest === 'string' ? parseManifest(manifest) : manifest;
  const find = typeof manifest === 'string' ? photoFinder(photos) : finderOf(manifest, photos);
  const problems = [...before];
  const assignments: ManifestMatch['assignments'] = [];
  const people = new Map<string, { line: number; photo: PhotoRow; set: PhotoTags }[]>();
  for (const { line, file, person = '', ...set } of rows) {
    const [photo, second] = find(file);
    if (photo && !second) {
      assignments.push({ photo, set });
      if (person !== '') people.set(person, [...(people.get(person) ?? []), { line, photo, set }]);
    } else problems.push(manifestProblem({ line, column: 1 }, photo ? 'several_photos' : 'no_photo', file));
  }
  const found = peopleIn(people, problems);
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { assignments, people: found, problems };
}

/** A person keeps the first eight photos; the next line is reported. */
function peopleIn(
  people: ReadonlyMap<string, readonly { line: number; photo: PhotoRow; set: PhotoTags }[]>,
  problems: ManifestProblem[],
): PersonOfPhotos[] {
  const found: PersonOfPhotos[] = [];
  for (const [person, rows] of people) {
    const photos = new Map(rows.map((row) => [row.photo.id, row]));
    const beyond = [...photos.values()][maxPhotosPerPerson];
    if (beyond)
      problems.push(manifestProblem({ line: beyond.line, column: 1 }, 'too_many_of_person', person));
    const ids = [...photos.keys()].slice(0, maxPhotosPerPerson);
    const isNamed = rows.some(({ set }) => set.name !== undefined);
    if (ids.length > 1) found.push({ ids, ...(!isNamed && { name: person }) });
  }
  return found;
}

type Sums = CallOutput<'batch', 'importManifest'>['set'];

/** Counts how many photos each field changes; photos that already have the value do not count. */
export function sumsOf({ assignments, people }: Pick<ManifestMatch, 'assignments' | 'people'>): Sums {
  const sums = { sex: 0, eyelidType: 0, name: 0, tags: 0, options: 0 };
  for (const { photo, set } of assignments)
    for (const field of fieldsChanged(photo, set)) if (field in sums) sums[field as keyof typeof sums] += 1;
  const fronts = new Map(assignments.map(({ photo }) => [photo.id, photo.frontId ?? photo.id]));
  const joined = people.filter(({ ids }) => new Set(ids.map((id) => fronts.get(id) ?? id)).size > 1);
  return { ...sums, person: joined.reduce((sum, { ids }) => sum + ids.length, 0) };
}
