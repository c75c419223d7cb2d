import { type FaceRegion, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { TakeEdits, TakenStretch } from '@likeness/proto/takes/edits/take_edits.ts';

/** A stretch that is taken from one try, with all regions that are. */
export interface TakenPart extends TakenStretch {
  readonly regions: readonly FaceRegion[];
}

/** Stretches that edits take from tries, by time. */
export function takenParts({ taken }: Pick<TakeEdits, 'taken'>): TakenPart[] {
  const parts = new Map<string, TakenStretch & { regions: FaceRegion[] }>();
  for (const region of faceRegions)
    for (const stretch of taken[region]) {
      const key = `${stretch.from} ${stretch.to} ${stretch.attempt}`;
      const part = parts.get(key) ?? { ...stretch, regions: [] };
      part.regions.push(region);
      parts.set(key, part);
    }
  return [...parts.values()].toSorted((a, b) => a.from - b.from);
}
