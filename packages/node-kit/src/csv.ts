/** One cell of a table; null is an empty one. */
export type CsvCell = string | number | null;

/**
 * Text that a spreadsheet would run as a formula: `= + - @`, also after blanks and in full-width forms, and
 * text that begins with a tab or a line end. Existing guards count as part of it, so that each reading
 * removes exactly one.
 */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * Formats one line as defined by RFC 4180, with its line end. Names and messages come from files and servers:
 * a text that a spreadsheet would run gets a `'` in front, which `fieldText` removes again. Numbers stay
 * numbers.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? csvText(cell) : String(cell ?? ''))).join(',')}\r\n`;
}

/** Restores a cell from before `csvLine` guarded it. */
const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

function csvText(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",'\t\r\n]|^[\s“„]|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One field of a table, with the position of its start, line and column from 1. */
export interface CsvField {
  text: string;
  isQuoted: boolean;
  line: number;
  column: number;
}

/** A field's text without the unquoted blanks around it and without the guard of `csvLine`. */
export const fieldText = ({ text, isQuoted }: CsvField): string =>
  withoutGuard(isQuoted ? text : text.trim());

/**
 * Reads a table as in RFC 4180, with or without a byte order mark. Semicolons, tabs, bars or full-width signs
 * may separate fields as well. Also accepts common deviations: a first line `sep=;`, blanks around quotes,
 * and typographic quotes.
 *
 * Written by hand: csv-parse 7 reports where a field ends, and stops at an unclosed quote. Here an error
 * names the line and column where the field begins, and all errors of a table are reported at once.
 *
 * @returns its lines, empty ones too, and the field with an unclosed quote, if any; that field then holds the
 * rest of the table
 */
export function readCsv(table: string): { lines: CsvField[][]; open: CsvField | null } {
  const text = table.replace(/^\ufeff/, '');
  const [preface = '', , stated] = /^("?)sep=(.)\1[ \t]*(?:\r\n?|\n|$)/i.exec(text) ?? [];
  const separator = stated ?? separatorOf(text);
  const blanks = separator === '\t' ? / */y : /[ \t]*/y;
  const lines: CsvField[][] = [];
  let open: CsvField | null = null;
  let at = preface.length;
  let line = preface === '' ? 1 : 2;
  let lineStart = at;
  let cells: CsvField[] = [];
  const afterBlanks = (): number => {
    blanks.lastIndex = at;
    return at + (blanks.exec(text)?.[0].length ?? 0);
  };
  while (at < text.length) {
    const column = at - lineStart + 1;
    const start = afterBlanks();
    const typed = typedQuotes(text, start, separator);
    if (text[start] === '"' || typed !== null) at = start;
    const cell: CsvField = { text: typed ?? '', isQuoted: text[at] === '"' || typed !== null, line, column };
    if (typed !== null) at += typed.length + 2;
    else if (text[at] === '"') {
      let closed = false;
      at += 1;
      // By runs: appending character by character takes seconds for a long text.
      let from = at;
      while (at < text.length && !closed) {
        const char = text[at];
        at += 1;
        if (char === '"' && text[at] === '"') {
          cell.text += text.slice(from, at);
          at += 1;
          from = at;
        } else if (char === '"') {
          closed = true;
        } else if (char === '\n') {
          line += 1;
          lineStart = at;
        }
      }
      cell.text += text.slice(from, closed ? at - 1 : at);
      if (!closed) open = cell;
    }
    if (cell.isQuoted) {
      const end = afterBlanks();
      if (end === text.length || text[end] === separator || /[\r\n]/.test(text[end]!)) at = end;
    }
    const rest = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
    cell.text += text.slice(rest, at);
    cells.push(cell);
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) cells.push({ text: '', isQuoted: false, line, column: at - lineStart + 1 });
      continue;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    lineStart = at;
    lines.push(cells);
    cells = [];
  }
  if (cells.length > 0) lines.push(cells);
  return { lines, open };
}

/** The text between “typographic quotes” that fill a field, as phones type them; null if there are none. */
function typedQuotes(text: string, at: number, separator: string): string | null {
  if (text[at] !== '“' && text[at] !== '„') return null;
  const [whole, inside] = /^[“„]([^“”„"\r\n]*)[”“][ \t]*/.exec(text.slice(at, at + 2000)) ?? [];
  if (whole === undefined || inside === undefined) return null;
  const after = text[at + whole.length];
  return after === undefined || after === separator || /[\r\n]/.test(after) ? inside : null;
}

/** The separator that the first line with text has most of, outside quotes. */
function separatorOf(text: string): string {
  const first = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|', '，', '；'].map((mark) => ({
    mark,
    count: first.split(mark).length,
  }));
  return counted.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ',';
}
