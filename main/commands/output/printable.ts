/**
 * Controls (ESC begins orders to a terminal), line ends, and what is not seen: bidi overrides and isolates,
 * characters without width, halves of surrogate pairs.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A line as a terminal may show it: names of files and heads and what servers say are from outside.
 * Characters that could move the cursor, reverse the text or be invisible are escaped as in JSON (`\u001b`),
 * so that a line of JSON stays the same JSON.
 */
export const printable = (line: string): string =>
  line.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );

/** The same for text of several lines that is our own but for what it quotes: line ends and tabs stay. */
export const printableText = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('');

/** A piece of a file that goes to standard output: the byte order mark that it may begin with is the file's own. */
export const printablePiece = (text: string): string =>
  text.startsWith('\ufeff') ? `\ufeff${printableText(text.slice(1))}` : printableText(text);

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
