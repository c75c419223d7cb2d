import { basename, extname } from 'node:path';

/**
 * Returns a file name that is safe to send to a server: the last part of the path only, in letters, digits
 * and `._-`, at most 80 characters, never empty and without a leading dot.
 */
export function safeFileName(pathOrName: string, extension: string): string {
  // Both separators, on any system: the name may come from an archive or another machine.
  const last = basename(pathOrName.replaceAll('\\', '/'));
  const ownExtension = extname(last);
  const stem = last.slice(0, last.length - ownExtension.length);
  const clean = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^A-Za-z0-9._-]+/g, '_');
  const safeStem =
    clean(stem)
      .replace(/^[._-]+|[._-]+$/g, '')
      .slice(0, 64) || 'image';
  const safeExtension = clean(ownExtension).slice(0, 12);
  return safeStem + (safeExtension.length > 1 ? safeExtension : extension);
}
