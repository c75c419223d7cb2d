/**
 * A sort key for natural order: case and accents are ignored, and numbers compare by value, so that `img2`
 * comes before `img10`.
 */
export const naturalKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => {
      const value = digits.replace(/^0+(?=\d)/, '');
      // A number's length is compared before its digits.
      return `${String(Math.min(value.length, 99)).padStart(2, '0')}${value}`;
    });

/** Compares names in that order; names that read alike, by their characters. */
export function byNaturalOrder(a: string, b: string): number {
  const [left, right] = [naturalKey(a), naturalKey(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
