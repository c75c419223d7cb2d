/** Takes secrets out of text that is about to be written or shown. */
export interface Scrub {
  /** From now on this value is a secret, for as long as the process runs (also after it was cleared). */
  know(secret: string): void;
  /** Whether a known secret stands in the text, in any of the forms that are known of it. */
  holds(text: string): boolean;
  /** The text with every known secret, and everything that looks like one, replaced by `[secret]`. */
  (text: string): string;
}

export interface ScrubOptions {
  /** Told of each comparison of a known form with a place in a text, for a test of how the work grows. */
  onCompared?: () => void;
}

const mark = '[secret]';

/** Shorter values would tear harmless text to pieces; no server issues such keys. */
const shortestSecret = 4;
/** Secrets from this length on are found in capitals and in small letters too. */
const shortestInAnyCase = 12;
/** A text that was cut may end within a secret; this much of its beginning is recognised. */
const shortestHead = 6;
/** Lines of one secret that are looked for by themselves. A private key of 16,384 bits has 200. */
const mostLines = 512;

/**
 * Things that are secret by their looks, also when the studio never saw them before (a server echoes a
 * header).
 */
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
 * A scrub that starts out knowing nothing. One for the whole process: whoever meets a secret (key store,
 * environment, engine) tells it, and log and journal write nothing without it.
 *
 * Known secrets are found as they are, in capitals or without, and as JSON, HTML, URLs, base64 (at any
 * offset) and hex carry them. Scrub before you cut a text to length: half a secret in the middle of other
 * text can't be recognised.
 *
 * The work grows with the text and not with what is known: at each place of a text only those forms are
 * compared that begin with the same four characters.
 */
export function createScrub({ onCompared }: ScrubOptions = {}): Scrub {
  const known = new Set<string>();
  /** Forms in which a known secret may turn up, by their first characters; the longest first. */
  const forms = new Map<string, string[]>();
  /** Characters of the longest of them. */
  let longest = 0;

  const formAt = (text: string, at: number): string | undefined =>
    forms.get(text.slice(at, at + shortestSecret))?.find((form) => {
      onCompared?.();
      return text.startsWith(form, at);
    });

  /** Where known forms begin and end; those that overlap are one. */
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

  /** The beginning of a form at the very end, where a text was cut. */
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
  const holds = (text: string): boolean => found(text).next().done === false;
  return Object.assign(scrub, { know, holds });
}

/** A secret of several lines (a PEM key) may be quoted line by line. */
function partsOf(secret: string): string[] {
  const lines = secret.includes('\n') ? secret.split(/\r?\n/, mostLines) : [];
  const telling = lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
  return [secret, secret.trim(), ...telling].filter((part) => part.length >= shortestSecret);
}

/** Ways in which programs write a text down, an echo of a server included. */
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
  // A short password in small letters may be any word.
  if (part.length >= shortestInAnyCase) forms.push(part.toLowerCase(), part.toUpperCase());
  for (const offset of [1, 2]) {
    // Behind other bytes (`user:key`): what does not depend on what stands before and after.
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    for (const coding of ['base64', 'base64url'] as const) {
      const inner = shifted.toString(coding).slice(4, Math.floor(shifted.byteLength / 3) * 4);
      if (inner.length >= 8) forms.push(inner);
    }
  }
  return new Set(forms);
}
