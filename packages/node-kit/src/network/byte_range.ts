/** A range of a file's bytes, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The one range of a file that a request asks for (RFC 9110 §14). Several ranges, or a malformed one, are
 * answered with the whole file, as the RFC allows.
 *
 * @param etag strong; a range of another version of the file, by `If-Range`, is answered with the whole file
 *   too
 * @param size bytes of the file
 * @returns null where the whole file is to be sent
 */
export function requestedRange(
  { range, ifRange }: { range: string | null | undefined; ifRange: string | null | undefined },
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  if (ifRange && ifRange.trim() !== etag) return null;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  // A range that ends before it begins is invalid.
  if (to !== '' && Number(to) < first) return null;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** `Content-Range` of an answer with that range; null where it lies outside the file. */
export const contentRangeOf = (range: ByteRange | null, size: number): string =>
  `bytes ${range ? `${range.first}-${range.last}` : '*'}/${size}`;

/** Whether an `If-None-Match` names this version, so that 304 is the answer. */
export function isUnchanged(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return known.includes('*') || known.includes(etag);
}
