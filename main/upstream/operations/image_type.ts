import { basename, extname } from 'node:path';

const signatures: [mediaType: string, extension: string, matches: (head: Buffer) => boolean][] = [
  ['image/jpeg', '.jpg', (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/png', '.png', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/webp', '.webp', (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP'],
  ['image/gif', '.gif', (head) => ascii(head, 0, 4) === 'GIF8'],
  ['image/avif', '.avif', (head) => ascii(head, 4, 8) === 'ftyp' && /^avi[fs]$/.test(ascii(head, 8, 12))],
  [
    'image/heic',
    '.heic',
    (head) => ascii(head, 4, 8) === 'ftyp' && /^(hei[cxms]|mif1|msf1)$/.test(ascii(head, 8, 12)),
  ],
  ['image/bmp', '.bmp', (head) => ascii(head, 0, 2) === 'BM'],
  ['image/tiff', '.tif', (head) => /^(II\*\0|MM\0\*)$/.test(ascii(head, 0, 4))],
];

/** Bytes of a file's beginning that {@link imageType} wants. */
export const imageHeadBytes = 16;

/** Media type and usual extension of an image by its first bytes, whatever its name says. */
export function imageType(head: Buffer): { mediaType: string; extension: string } {
  const found = signatures.find(([, , matches]) => matches(head));
  return found
    ? { mediaType: found[0], extension: found[1] }
    : { mediaType: 'application/octet-stream', extension: '' };
}

/**
 * A file name that can be shown to a server: the last part of the path only, in letters, digits and `._-`,
 * at most 80 characters, never empty, never hidden.
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

function ascii(head: Buffer, from: number, to: number): string {
  return head.toString('latin1', from, to);
}
