import type { SQLInputValue } from 'node:sqlite';
import type { PhotoFilter } from '#contract';

/** SQL for each sort order of the list. */
export const orders: Readonly<Record<NonNullable<PhotoFilter['sort']>, string>> = {
  // The file name, not the head's name: the latter changes while the user edits the list.
  name: 'nameKey, fileName, sequence',
  newest: 'sequence DESC',
  added: 'sequence',
};

/** SQL condition for each filter of the list. */
export function conditionsOf({ text, sex, check, folder }: PhotoFilter): {
  where: string;
  values: SQLInputValue[];
} {
  // Several photos of one person count as one entry, represented by the front photo.
  const parts = ['inTray = 1', 'frontId IS NULL'];
  const values: SQLInputValue[] = [];
  if (text) {
    parts.push(`instr(lower(name || ' ' || fileName || ' ' || folder || ' ' || tags), lower(?)) > 0`);
    values.push(text);
  }
  if (sex === 'unset') parts.push('sex IS NULL');
  else if (sex) {
    parts.push('sex = ?');
    values.push(sex);
  }
  if (check === 'usable') parts.push(`"check" <> 'blocked'`);
  else if (check) {
    parts.push('"check" = ?');
    values.push(check);
  }
  if (folder !== undefined) {
    parts.push('folder = ?');
    values.push(folder);
  }
  return { where: parts.join(' AND '), values };
}

/** SQL: no job needs the photo. */
export const ofNoJob = `id NOT IN (SELECT photoId FROM jobs) AND id NOT IN (
  SELECT other.value ->> 'photoId' FROM jobs, json_each(jobs.others) other WHERE jobs.others IS NOT NULL)`;
