import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import sharp from 'sharp';
import { maxPeople, type personSigns, type SuggestedPerson } from '#contract';
import { type ShotMark, shotMark } from './exif_shot.ts';
import type { ImportList } from './import_list.ts';
import { peopleByFolder, peopleByNumbers, peopleByViews, suggested } from './people_by_name.ts';
import type { PhotoRow } from './photo_row.ts';

type Sign = (typeof personSigns)[number];

/** Maximum photos of a list to search for bursts, because each file is opened. */
const maxOpened = 400;
/** Maximum seconds between two shots of a person who turns. */
const longestPause = 20;
/**
 * Minimum degrees between the two most different directions: people who queue at a camera all look into it.
 */
const minTurn = 20;
/** Maximum yaw of a front photo, degrees. */
const maxFrontTurn = 20;

/**
 * Suggests photos of one person, by criteria in the given order; the first match of a photo counts. Omits
 * photos that are already grouped.
 */
export async function suggestPeople(importList: ImportList, by: readonly Sign[]): Promise<SuggestedPerson[]> {
  const taken = new Set<string>();
  const found: SuggestedPerson[] = [];
  const alone = importList
    .selected({ filter: { sort: 'added' } })
    .filter(({ id }) => importList.people.othersOf(id).length === 0);
  for (const sign of by) {
    const left = alone.filter(({ id }) => !taken.has(id));
    for (const person of await bySign[sign](left)) {
      if (found.length >= maxPeople) return found;
      for (const id of person.ids) taken.add(id);
      found.push(person);
    }
  }
  return found;
}

const bySign: Readonly<
  Record<Sign, (photos: readonly PhotoRow[]) => SuggestedPerson[] | Promise<SuggestedPerson[]>>
> = {
  folder: peopleByFolder,
  views: peopleByViews,
  numbers: peopleByNumbers,
  burst: peopleByBurst,
};

/**
 * Finds bursts of one person: shots of the same camera within seconds, in different directions, one of them
 * from the front. Suggests nothing without measured directions, because a school photographer takes a hundred
 * people in a row.
 */
async function peopleByBurst(photos: readonly PhotoRow[]): Promise<SuggestedPerson[]> {
  const turned = photos.filter(({ yaw }) => yaw !== null);
  if (turned.length < 2 || turned.length > maxOpened) return [];
  const shots: { photo: PhotoRow; mark: ShotMark }[] = [];
  for (const photo of turned) {
    const { exif } = await sharp(photo.path)
      .metadata()
      .catch(() => ({ exif: undefined }));
    const mark = exif ? shotMark(exif) : null;
    if (mark) shots.push({ photo, mark });
  }
  shots.sort(
    (a, b) =>
      (a.mark.camera < b.mark.camera ? -1 : Number(a.mark.camera > b.mark.camera)) || a.mark.at - b.mark.at,
  );
  const runs: (typeof shots)[] = [];
  for (const shot of shots) {
    const last = runs.at(-1)?.at(-1);
    const goesOn =
      last !== undefined &&
      last.mark.camera === shot.mark.camera &&
      shot.mark.at - last.mark.at <= longestPause * 1000;
    if (goesOn) runs.at(-1)?.push(shot);
    else runs.push([shot]);
  }
  return runs.flatMap((run) => {
    const yaws = run.map(({ photo }) => photo.yaw ?? 0);
    const spread = Math.max(...yaws) - Math.min(...yaws);
    const isOne =
      run.length >= 2 &&
      run.length <= maxPhotosPerPerson &&
      spread >= minTurn &&
      yaws.filter((yaw) => Math.abs(yaw) <= maxFrontTurn).length === 1;
    const group = run.map(({ photo }) => photo);
    return isOne ? [suggested(group, group[0]?.name ?? '', 'burst')] : [];
  });
}
