/** Removes secrets from text before it is written or shown. */
export interface Scrub {
  /** Registers a secret for the rest of the process, even after it was cleared. */
  know(secret: string): void;
  /** Whether the text contains a known secret in any of its known forms. */
  containsSecret(text: string): boolean;
  /** The text with every known secret, and everything that looks like one, replaced by `[secret]`. */
  (text: string): string;
}

export interface ScrubOptions {
  /**
   * Called for each comparison of a known form with a position in a text, so that a test can measure
   * complexity.
   */
  onCompared?: () => void;
}

const mark = '[secret]';

/** Shorter values would match harmless text, and no server issues such keys. */
const shortestSecret = 4;
/** Secrets of at least this length are matched without case. */
const shortestInAnyCase = 12;
/** Truncated text may end inside a secret; a prefix of this length is recognised. */
const shortestHead = 6;
/** Maximum lines of one secret to match separately. A private key of 16,384 bits has 200. */
const maxLines = 512;

/** Patterns of secrets that were never registered (a server may echo a header). */
const patterns: readonly [RegExp, string][] = [
  [
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
    `[private key]`,
  ],
  [/\b(Bearer|Basic)(\s+|%20)(?!\[secret\])[A-Za-z0-9._~+/=%-]{4,}/gi, `$1$2${mark}`],
  [
    /\b(auth_ak|authorization|api[_-]?key|access[_-]?token|proxy-authorization|passphrase|password|secret)(\\?["']?\s*[:=]\s*\\?["']?)(?!\[secret\]|Bearer\b|Basic\b)[^\s"'\\,;&}]{4,}/gi,
    `$1$2${mark}`,
  ],
  [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${mark}@`],
];

/**
 * Creates a scrub without secrets. There is one per process: key store, environment and engine register their
 * secrets, and log and journal write nothing without it.
 *
 * It finds known secrets unchanged, in any case, and as encoded in JSON, HTML, URLs, base64 (at any offset)
 * and hex. Scrub before you cut a text to length: half a secret in the middle of other text can't be
 * recognised.
 *
 * The work grows with the text, not with the number of secrets: each position is compared only with forms
 * that begin with the same four characters.
 */
export function createScrub({ onCompared }: ScrubOptions = {}): Scrub {
  const known = new Set<string>();
  /** Forms in which a known secret may appear, by their first characters; the longest first. */
  const forms = new Map<string, string[]>();
  /** Length of the longest form, characters. */
  let longest = 0;

  const formAt = (text: string, at: number): string | undefined =>
    forms.get(text.slice(at, at + shortestSecret))?.find((form) => {
      onCompared?.();
      return text.startsWith(form, at);
    });

  /** Yields the ranges of known forms; overlapping ones are merged. */
  const found = function* (text: string): Generator<[from: number, to: number]> {
    let from = -1;
    let to = -1;
    for (let at = 0; at <= text.length - shortestSecret; at += 1) {
      const form = formAt(text, at);
      if (form === undefined) continue;
      if (at >= to) {
        if (to >= 0) yield [from, to];
        from = at;
      }
      to = Math.max(to, at + form.length);
    }
    if (to >= 0) yield [from, to];
  };

  const withoutKnown = (text: string): string => {
    let clean = '';
    let done = 0;
    for (const [from, to] of found(text)) {
      clean += text.slice(done, from) + mark;
      done = to;
    }
    return clean + text.slice(done);
  };

  /** A form's prefix at the very end of a truncated text. */
  const withoutHeadAtEnd = (text: string): string => {
    for (let at = Math.max(0, text.length - longest); at <= text.length - shortestHead; at += 1) {
      const rest = text.slice(at);
      const begins = forms.get(rest.slice(0, shortestSecret))?.some((form) => {
        onCompared?.();
        return form.startsWith(rest);
      });
      if (begins) return text.slice(0, at) + mark;
    }
    return text;
  };

  const scrub = (text: string): string => {
    let clean = withoutKnown(text);
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    return withoutHeadAtEnd(clean);
  };
  const know = (secret: string): void => {
    if (known.has(secret)) return;
    known.add(secret);
    for (const part of partsOf(secret)) {
      for (const form of formsOf(part)) {
        const key = form.slice(0, shortestSecret);
        const alike = forms.get(key) ?? [];
        if (alike.includes(form)) continue;
        longest = Math.max(longest, form.length);
        forms.set(
          key,
          [...alike, form].sort((a, b) => b.length - a.length),
        );
      }
    }
  };
  const containsSecret = (text: string): boolean => found(text).next().done === false;
  return Object.assign(scrub, { know, containsSecret });
}

/** A secret of several lines (a PEM key) may be quoted line by line. */
function partsOf(secret: string): string[] {
  const lines = secret.includes('\n') ? secret.split(/\r?\n/, maxLines) : [];
  const telling = lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
  return [secret, secret.trim(), ...telling].filter((part) => part.length >= shortestSecret);
}

/** Encodings in which programs write a text, including a server's echo. */
function formsOf(part: string): Set<string> {
  const bytes = Buffer.from(part, 'utf8');
  const json = JSON.stringify(part).slice(1, -1);
  const html = part
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
  const hex = bytes.toString('hex');
  const forms = [
    part,
    json,
    json.replaceAll('/', '\\/'), // PHP
    html,
    encodeURIComponent(part.toWellFormed()),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
  ];
  // A short lower-case password may be any word.
  if (part.length >= shortestInAnyCase) forms.push(part.toLowerCase(), part.toUpperCase());
  for (const offset of [1, 2]) {
    // After other bytes (`user:key`): the part of the base64 that is independent of its neighbours.
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    for (const coding of ['base64', 'base64url'] as const) {
      const inner = shifted.toString(coding).slice(4, Math.floor(shifted.byteLength / 3) * 4);
      if (inner.length >= 8) forms.push(inner);
    }
  }
  return new Set(forms);
}
