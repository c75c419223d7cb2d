import { byNaturalOrder } from '@likeness/node-kit/natural_order.ts';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import type { PersonOfPhotos, SuggestedPerson } from '#contract';
import { sexByFolder } from './manifest.ts';
import type { PhotoRow } from './photo_row.ts';
import { stemOf, viewByName } from './photo_views.ts';

type Named = Pick<PhotoRow, 'id' | 'fileName' | 'folder'>;

/** File name stems that cameras and datasets give to every photo. */
const anybody = new Set(
  `img image dsc dscn dscf pxl mvimg photo photos pic picture portrait face head person people subject actor user
  scan file frame screenshot sample test female male woman man women men girl boy p f m w imgp cimg sam
  照片 图片 人像 头像 人物 样本`.split(/\s+/),
);

/**
 * Groups photos whose names state their views: `anna_front.jpg` and `anna_left.jpg`, or `anna.jpg` and
 * `anna_left.jpg`, or `front.jpg` and `left.jpg`, in one folder. Certain enough to apply at once: every view
 * occurs once and one is the front, so two people cannot share a name.
 */
export function peopleByViews(photos: readonly Named[]): SuggestedPerson[] {
  const groups = grouped(photos, (photo) => {
    const named = viewByName(photo.fileName);
    return `${photo.folder}\n${named ? named.stem : stemOf(photo.fileName)}`;
  });
  return groups.flatMap((group) => {
    const views = group.map(({ fileName }) => viewByName(fileName)?.view ?? 'front');
    const isOnePerson =
      new Set(views).size === views.length && views.includes('front') && group.length <= maxPhotosPerPerson;
    if (group.length < 2 || !isOnePerson) return [];
    const [first] = group;
    const stem = nameWithoutView(group);
    return [suggested(group, stem || (first?.folder.split('/').at(-1) ?? ''), 'views')];
  });
}

/**
 * Groups photos by number: `anna_1.jpg`, `anna_2.jpg`, in one folder, consecutive from 0 or 1, at most eight.
 * Only a suggestion: `actor_1` and `actor_2` may be two people.
 */
export function peopleByNumbers(photos: readonly Named[]): SuggestedPerson[] {
  const numbered = (fileName: string) => /^(.*?\D)[\s._-]*\(?(\d{1,2})\)?$/.exec(stemOf(fileName));
  const groups = grouped(photos, ({ folder, fileName }) => {
    const stem = tidied(numbered(fileName)?.[1] ?? '');
    return stem.length < 2 || anybody.has(stem) ? null : `${folder}\n${stem}`;
  });
  return groups.flatMap((group) => {
    const numbers = group.map(({ fileName }) => Number(numbered(fileName)?.[2])).sort((a, b) => a - b);
    const [first = -1] = numbers;
    const isCounted = first <= 1 && numbers.every((number, index) => number === first + index);
    if (group.length < 2 || group.length > maxPhotosPerPerson || !isCounted) return [];
    const written = group[0]?.fileName.replace(/\.[^.]*$/, '').replace(/[\s._-]*\(?\d{1,2}\)?$/, '') ?? '';
    return [suggested(group, written, 'numbers')];
  });
}

/**
 * Groups photos by folder: a subfolder that directly contains two to eight photos and isn't named after a
 * sex. Only a suggestion: a folder may contain a family.
 */
export function peopleByFolder(photos: readonly Named[]): SuggestedPerson[] {
  const groups = grouped(photos, ({ folder }) => (folder === '' ? null : folder));
  return groups.flatMap((group) => {
    const name = group[0]?.folder.split('/').at(-1) ?? '';
    const isOf = group.length >= 2 && group.length <= maxPhotosPerPerson && sexByFolder(name) === null;
    return isOf ? [suggested(group, name, 'folder')] : [];
  });
}

/**
 * A photo in several manifests belongs to the person in the last one: deeper folders override those above.
 */
export function inOneEach(people: readonly PersonOfPhotos[]): PersonOfPhotos[] {
  const taken = new Set<string>();
  const kept: PersonOfPhotos[] = [];
  for (const person of [...people].reverse()) {
    const ids = person.ids.filter((id) => !taken.has(id));
    for (const id of ids) taken.add(id);
    if (ids.length > 1) kept.unshift({ ...person, ids });
  }
  return kept;
}

export function suggested(group: readonly Named[], name: string, by: SuggestedPerson['by']): SuggestedPerson {
  const sorted = [...group].sort((a, b) => byNaturalOrder(a.fileName, b.fileName));
  const [first] = sorted;
  return {
    ids: sorted.map(({ id }) => id),
    name: name.trim().slice(0, 120) || (first ? first.fileName.replace(/\.[^.]*$/, '').slice(0, 120) : ''),
    by,
    fileNames: sorted.map(({ fileName }) => fileName),
  };
}

/** Groups photos by a key; omits those without one. */
function grouped(photos: readonly Named[], keyOf: (photo: Named) => string | null): Named[][] {
  const groups = new Map<string, Named[]>();
  for (const photo of photos) {
    const key = keyOf(photo);
    if (key === null) continue;
    const there = groups.get(key);
    if (there) there.push(photo);
    else groups.set(key, [photo]);
  }
  return [...groups.values()];
}

const tidied = (stem: string): string => stem.replace(/[\s._-]+$/, '');

/** Returns the common prefix of the file names, in its original spelling. */
function nameWithoutView(group: readonly Named[]): string {
  for (const { fileName } of group) {
    const named = viewByName(fileName);
    if (named) return fileName.normalize('NFC').trim().slice(0, named.stem.length);
  }
  return '';
}
