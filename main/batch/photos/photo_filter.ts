import type { SQLInputValue } from 'node:sqlite';
import type { PhotoFilter } from '#contract';

/** In SQL: how the tray can be sorted. */
export const orders: Readonly<Record<NonNullable<PhotoFilter['sort']>, string>> = {
  // Of the file: a head's name is written while the list is looked at.
  name: 'nameKey, fileName, sequence',
  newest: 'sequence DESC',
  added: 'sequence',
};

/** In SQL: what a filter asks of the rows of the tray. */
export function conditionsOf({ text, sex, check, folder }: PhotoFilter): {
  where: string;
  values: SQLInputValue[];
} {
  // A person of several photos is one, by the front one.
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

/** In SQL: no job needs the photo. */
export const ofNoJob = `id NOT IN (SELECT photoId FROM jobs) AND id NOT IN (
  SELECT other.value ->> 'photoId' FROM jobs, json_each(jobs.others) other WHERE jobs.others IS NOT NULL)`;
