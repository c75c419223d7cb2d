/**
 * Control characters (ESC starts terminal commands), line ends, and invisible characters: bidi overrides and
 * isolates, zero-width characters, lone surrogates.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Makes a line safe for a terminal, because names of files and heads and server messages come from outside.
 * Characters that could move the cursor, reverse the text or be invisible are escaped as in JSON (`\u001b`),
 * so that a line of JSON stays the same JSON.
 */
export const printable = (line: string): string =>
  line.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );

/** The same for our own text of several lines that contains quotations: line ends and tabs stay. */
export const printableText = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('');

/** Part of a file for standard output: a leading byte order mark belongs to the file. */
export const printablePiece = (text: string): string =>
  text.startsWith('\ufeff') ? `\ufeff${printableText(text.slice(1))}` : printableText(text);

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
