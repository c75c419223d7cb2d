/** Takes secrets out of text that is about to be written or shown. */
export interface Scrub {
  /** From now on this value is a secret, for as long as the process runs (also after it was cleared). */
  know(secret: string): void;
  /** The text with every known secret, and everything that looks like one, replaced by `[secret]`. */
  (text: string): string;
}

const mark = '[secret]';

/** Shorter values would tear harmless text to pieces; no server issues such keys. */
const shortestSecret = 4;
/** A text that was cut may end within a secret; this much of its beginning is recognised. */
const shortestHead = 6;

/** Things that are secret by their looks, also when the studio never saw them before (a server echoes a header). */
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
 * Known secrets are found as they are and as JSON, URLs and base64 carry them. Scrub before you cut a text to
 * length: half a secret in the middle of other text can't be recognised.
 */
export function createScrub(): Scrub {
  /** Forms in which a known secret may turn up; the longest first, so that no part of one is replaced alone. */
  let forms: string[] = [];

  const scrub = (text: string): string => {
    let clean = text;
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, mark);
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    for (const form of forms) clean = withoutHeadAtEnd(clean, form);
    return clean;
  };
  const know = (secret: string): void => {
    const all = new Set(forms);
    for (const part of partsOf(secret)) for (const form of formsOf(part)) all.add(form);
    forms = [...all].sort((a, b) => b.length - a.length);
  };
  return Object.assign(scrub, { know });
}

/** A secret of several lines (a PEM key) may be quoted line by line. */
function partsOf(secret: string): string[] {
  const lines = secret.includes('\n') ? secret.split(/\r?\n/) : [];
  const telling = lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
  return [secret, secret.trim(), ...telling].filter((part) => part.length >= shortestSecret);
}

function formsOf(part: string): string[] {
  const bytes = Buffer.from(part, 'utf8');
  return [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(part.toWellFormed()),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

function withoutHeadAtEnd(text: string, form: string): string {
  for (let length = Math.min(form.length - 1, text.length); length >= shortestHead; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + mark;
  }
  return text;
}
