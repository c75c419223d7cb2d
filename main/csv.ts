/** One cell of a table; null is an empty one. */
export type CsvCell = string | number | null;

/**
 * What a spreadsheet would run as a formula: `= + - @`, also behind blanks and in full-width forms, and what begins
 * with a tab or a line end. Marks that are there already count as part of it, so that each reading takes off one.
 */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * One line as RFC 4180 has it, with its line end. Names and messages come from files and servers: a text that a
 * spreadsheet would run gets a `'` in front, which `withoutGuard` takes off again. Numbers stay numbers.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? csvText(cell) : String(cell ?? ''))).join(',')}\r\n`;
}

/** A cell as it was before `csvLine` made it harmless. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

function csvText(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",'\t\r\n]|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
