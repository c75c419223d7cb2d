export interface SafeNameOptions {
  /**
   * Maximum bytes in UTF-8. Default 120: leaves room for numbers, suffixes and deep folders on every system.
   */
  maxBytes?: number;
  /** The name if nothing is left. Default `unnamed`. */
  fallback?: string;
}

/** Windows device names, with or without an extension, in any case. */
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\.|\s*$)/i;

/**
 * Makes a safe file name from any text: a photo's name, a server's answer, a person's input. The result is a
 * single path segment that Windows, macOS and Linux all accept, and that command lines never take for an
 * option. Control characters, bidi overrides and a leading dot are removed.
 *
 * The same text always gives the same name; different texts may give the same one (see `distinctNames`).
 *
 * @example safeName('../../etc/passwd') // 'etc_passwd'
 * @example safeName('CON.png') // '_CON.png'
 */
export function safeName(text: string, options: SafeNameOptions = {}): string {
  const maxBytes = options.maxBytes ?? 120;
  const fallback = options.fallback ?? 'unnamed';
  let name = text
    .toWellFormed()
    .normalize('NFC')
    // Separators, characters that Windows forbids, and look-alikes of a slash that some tools convert into
    // one.
    .replace(/[/\\:*?"<>|\u2044\u2215\u29f8\uff0f\uff3c\ufffd]+/gu, '_')
    // Controls, formatting marks (bidi overrides, zero-width), private use, unassigned, line separators. The
    // joiners within emoji are formatting marks too; a family of four becomes four people.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu, '')
    .replace(/\p{Zs}+/gu, ' ');
  name = trimEnds(name);
  if (name.startsWith('-') || windowsDevice.test(name)) name = `_${name}`;
  name = trimEnds(cut(name, maxBytes));
  return name === '' || /^_+$/.test(name) ? cut(fallback, maxBytes) : name;
}

/**
 * Returns the same text for all names that some disk considers equal: most ignore case, and some compose or
 * decompose accents.
 */
export const diskKey = (name: string): string =>
  name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');

const inBrackets = (name: string, number: number): string => `${name} (${number})`;

/**
 * Plans the names of all files that one call writes to a folder, before it writes the first: no two are equal
 * on any disk. Of equal names the first stays and the others get numbers; a number never makes the name of
 * another one.
 *
 * @param names - Safe and without extensions: two titles may give one safe name.
 */
export function distinctNames(names: readonly string[], numbered = inBrackets): string[] {
  const wanted = new Set(names.map(diskKey));
  const given = new Set<string>();
  return names.map((name) => {
    let planned = name;
    for (let number = 2; given.has(diskKey(planned)); ) {
      do planned = numbered(name, number++);
      while (wanted.has(diskKey(planned)));
    }
    given.add(diskKey(planned));
    return planned;
  });
}

/**
 * Windows drops trailing dots and spaces; a leading dot hides a file; repeated `_` from `../../` mean
 * nothing.
 */
function trimEnds(name: string): string {
  return name.replace(/^[\s._]*[.][\s._]*/u, '').replace(/^\s+|[\s.]+$/gu, '');
}

/** Cuts at grapheme boundaries and keeps a short extension. */
function cut(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const [stem, extension] = splitExtension(name);
  const room = maxBytes - Buffer.byteLength(extension);
  let kept = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(stem)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > room) break;
    kept += segment;
  }
  return kept.replace(/[\s.]+$/u, '') + extension;
}

function splitExtension(name: string): [stem: string, extension: string] {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return extension.length < name.length
    ? [name.slice(0, name.length - extension.length), extension]
    : [name, ''];
}
