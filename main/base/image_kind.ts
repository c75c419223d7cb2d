/** Bytes and pixels of a picture that is decoded to be shown; a head is made of fewer (`photoLimits`). */
export const mostPicture = { bytes: 256 * 1024 * 1024, pixels: 150_000_000 } as const;

/** Bytes of a file's beginning that tell what it is. */
export const imageHeadBytes = 32;

/** A format by its first bytes, whatever the file is called; null where it is no picture. */
export function imageKind(head: Uint8Array): string | null {
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff';
  if (text.slice(4, 8) === 'ftyp') {
    const brand = text.slice(8, 12);
    if (/^avi[fs]$/.test(brand)) return 'avif';
    // `mif1` names the container only; what is in it stands among the compatible brands.
    if (/^(hei[cxms]|hev[cxms])$/.test(brand)) return 'heic';
    if (/^(mif1|msf1)$/.test(brand)) return /avif/.test(text.slice(16)) ? 'avif' : 'heic';
  }
  if (text.startsWith('GIF8')) return 'gif';
  if (text.startsWith('BM')) return 'bmp';
  return null;
}

/** Formats that heads are made of. HEIC depends on the decoder: see `intake.ts`. */
export const takenKinds: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'tiff', 'avif', 'heic']);
