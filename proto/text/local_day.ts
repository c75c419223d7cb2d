const two = (count: number): string => String(count).padStart(2, '0');

/** Returns the local date of a time (milliseconds since 1970) as pages show it: `2026-11-03`. */
export function localDay(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
