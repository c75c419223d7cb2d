import { createHash } from 'node:crypto';

/**
 * Returns a key for the photos of a head: the SHA-256 of one photo, or a hash of several that ignores their
 * order.
 *
 * @param others - SHA-256 of the photos besides the front one, as hex.
 */
export function personKey(sha256: string, others: readonly string[]): string {
  if (others.length === 0 || sha256 === '') return sha256;
  const rest = createHash('sha256')
    .update([...others].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
  return `${sha256}+${rest}`;
}
