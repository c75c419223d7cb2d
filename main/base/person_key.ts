import { createHash } from 'node:crypto';

/**
 * Names what a head was made of: the photo's SHA-256, of several photos with theirs, whatever their order.
 *
 * @param others - SHA-256 of the photos beside the front one, hex.
 */
export function personKey(sha256: string, others: readonly string[]): string {
  if (others.length === 0 || sha256 === '') return sha256;
  const rest = createHash('sha256')
    .update([...others].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
  return `${sha256}+${rest}`;
}
