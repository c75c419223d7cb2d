/** Declared here because this folder has neither DOM nor Node types; both provide it. */
declare const TextDecoder: new (
  encoding: string,
  options?: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Pairs of bytes above A0 are GB 18030; a lone one is an accented letter.
 */
const areChinesePairs = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    if ((bytes[at] ?? 0) < 0xa1 || (bytes[at + 1] ?? 0) < 0xa1) return false;
    at += 1;
  }
  return true;
};

/**
 * The text of a file that some program of a person wrote: UTF-8 and UTF-16 with or without their mark, else
 * the encoding that spreadsheets call “CSV”: GB 18030 where the bytes are pairs of it, and Windows-1252.
 */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Text begins with a letter or a quote; every other byte 0 means UTF-16.
  if (first !== 0 && second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(areChinesePairs(bytes) ? 'gb18030' : 'windows-1252').decode(bytes);
  }
}
