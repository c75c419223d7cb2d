/**
 * Days as a person's calendar has them, for date fields (`2026-03-01`) and times (milliseconds since 1970).
 */

const two = (value: number): string => String(value).padStart(2, '0');

/** The day of a time, here; empty for none. */
export function dayOf(at: number | null | undefined): string {
  if (at === null || at === undefined) return '';
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

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
