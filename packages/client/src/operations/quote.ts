import { createScrub } from '@likeness/node-kit/storage/scrub.ts';

/** Maximum characters to show of a server's text. */
const longestQuote = 500;

/**
 * A server's text, safe to show: without secrets, on one line, without control and direction characters
 * (which could disguise a message), at most 500 characters.
 *
 * @param secrets Secrets sent with the call: servers echo headers in their errors.
 */
export function quote(text: string, secrets: readonly string[]): string {
  const clean = withoutSecrets(text, secrets)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...clean.slice(0, longestQuote * 2 + 2)];
  return characters.length > longestQuote ? `${characters.slice(0, longestQuote).join('')}…` : clean;
}

/** Cached scrub of the last secrets: a batch uses the same ones thousands of times. */
let latest: { secrets: readonly string[]; scrub: (text: string) => string } | undefined;

/** Removes the secrets from a text, in any encoding in which a server may echo them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const isSame =
    latest?.secrets.length === secrets.length &&
    secrets.every((secret, at) => secret === latest?.secrets[at]);
  if (!latest || !isSame) latest = { secrets: [...secrets], scrub: scrubFor(secrets) };
  return latest.scrub(text);
}

function scrubFor(secrets: readonly string[]): (text: string) => string {
  const scrub = createScrub();
  for (const secret of secrets) scrub.know(secret);
  return scrub;
}
