import { decodeHTMLStrict } from 'entities';

/** A reference that a web program escaped twice. */
const escapedTwice = /&(?:#\d+|#x[\da-f]+|amp|apos|quot|lt|gt|nbsp);/i;

/** Decodes HTML character references: `it&#39;s caf&eacute;`, also `it&amp;#39;s`. */
export function withoutReferences(text: string): string {
  if (!text.includes('&')) return text;
  const once = decodeHTMLStrict(text);
  const decoded = escapedTwice.test(once) ? decodeHTMLStrict(once) : once;
  return decoded.replaceAll('\u00a0', ' ').replace(/[[\p{Cf}\p{Cc}]--[\t\n\u200d]]/gv, '');
}
