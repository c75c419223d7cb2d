import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/**
 * Returns the new path of a damaged file: `keys.json` becomes `keys.damaged-20261103T101112Z.json`. If that
 * name is taken, it gets a number: files that a person may still want are never deleted or overwritten.
 *
 * @param at - Milliseconds since 1970.
 */
export function quarantinePath(path: string, at: number): string {
  const extension = extname(path);
  const stem = basename(path, extension);
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  for (let attempt = 1; ; attempt += 1) {
    const number = attempt === 1 ? '' : `-${attempt}`;
    const candidate = join(dirname(path), `${stem}.damaged-${stamp}${number}${extension}`);
    if (!existsSync(candidate)) return candidate;
  }
}

/** Returns the time of quarantine in a file's name, in milliseconds since 1970; null for any other name. */
export function quarantineTime(fileName: string): number | null {
  const stamp = /\.damaged-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?\.[a-z]+$/.exec(fileName);
  if (!stamp) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = stamp.slice(1, 7).map(Number);
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isFinite(at) ? at : null;
}
