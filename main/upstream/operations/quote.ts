import { createScrub } from '../../storage/scrub.ts';

/** Most characters of a server's words that a person is shown. */
const longestQuote = 500;

/**
 * A server's words as they can be shown: without secrets, on one line, without control and direction
 * characters (which could make a message read as something else), at most 500 characters.
 *
 * @param secrets What was sent with the call and must not come back: servers echo headers in their errors.
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

/** The scrub of the last secrets asked for: a batch asks for the same ones thousands of times. */
let latest: { secrets: readonly string[]; scrub: (text: string) => string } | undefined;

/** The text without the secrets, in any spelling in which an echo can bring them back. */
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
