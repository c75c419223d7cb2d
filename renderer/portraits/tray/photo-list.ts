/** The photos of the tray that are shown now, and which of them are chosen. */
import type { CallInput, Photo, PhotoFilter } from '#contract';
import { studio } from '../../base/studio.ts';
import { type Listed, LongList } from '../../ui/lists/long-list.ts';
import { type Chosen, Selection } from '../../ui/lists/selection.ts';

export type Filter = ReturnType<(typeof PhotoFilter)['parse']>;

export const photoList = new LongList<Photo, Filter>(
  async (filter, offset, limit) => {
    const { photos, total } = await studio.batch.photos({ filter, offset, limit });
    return { items: photos, total };
  },
  {},
  (list) =>
    studio.batch.onChanged(({ photos, removedPhotos, stale }) => list.patch(photos, removedPhotos, stale)),
);

export const photoSelection = new Selection(photoList);

/** Changes the filter and clears the selection. An undefined field is removed. */
export function filterPhotos(changes: { [K in keyof Filter]?: Filter[K] | undefined }): void {
  const filter = Object.fromEntries(
    Object.entries({ ...photoList.listed.query, ...changes }).filter(([, value]) => value !== undefined),
  ) as Filter;
  photoSelection.restart();
  photoList.find(filter);
}

/** The filter that shows what is left to do: it goes when that is done. */
let task: Filter | undefined;

/** Shows only the photos that still need something. */
export function filterForTask(changes: Pick<Filter, 'sex' | 'check'>): void {
  filterPhotos(changes);
  task = photoList.listed.query;
}

/** Whether all that a task's filter let through has been done. */
export function isTaskDone({ query, shown, total, loading, at }: Listed<Photo, Filter>): boolean {
  if (query !== task || shown !== query || loading || total === undefined) return false;
  for (let index = 0; index < total; index += 1) {
    const photo = at(index);
    if (!photo || fits(photo, query)) return false;
  }
  return true;
}

const fits = ({ sex, check }: Photo, filter: Filter): boolean =>
  (filter.sex === undefined || (sex ?? 'unset') === filter.sex) &&
  (filter.check === undefined || (filter.check === 'usable' ? check !== 'blocked' : check === filter.check));

export type PhotoSelection = CallInput<'batch', 'tag'>['selection'];

/** The chosen ones as main understands them; where none are chosen, all that are shown. */
export const asSelection = ({ all, ids }: Chosen): PhotoSelection =>
  all || ids.size === 0 ? { filter: photoList.listed.query } : { ids: [...ids] };

/** How far the tray was scrolled. */
export const scrolled = { top: 0 };
