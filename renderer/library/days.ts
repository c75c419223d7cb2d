/**
 * Days as a person's calendar has them, for date fields (`2026-03-01`) and times (milliseconds since 1970).
 */

import { localDay } from '@likeness/proto/text/local_day.ts';

/** The day of a time, here; empty for none. */
export const dayOf = (at: number | null | undefined): string =>
  at === null || at === undefined ? '' : localDay(at);

const timeOf = (day: string, clock: string): number | null =>
  day === '' ? null : new Date(`${day}T${clock}`).getTime() || null;

/** The first millisecond of a day, here; null for a field that is empty or half filled in. */
export const startOf = (day: string): number | null => timeOf(day, '00:00:00');
/** The last one. */
export const endOf = (day: string): number | null => timeOf(day, '23:59:59.999');

/** The start of the day so many days ago. */
export function daysAgo(days: number, now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}
