/** Rows that are made at once: a few milliseconds, after which others have their turn. */
const rowsPerChunk = 256;

/**
 * A text file of a head line and a row a frame, in pieces that are made when they are asked for: ten minutes of face
 * are 24 MB, and neither the memory nor the wait of one text.
 */
export function* rowChunks<Row>(
  head: string,
  rows: readonly Row[],
  lineOf: (row: Row, index: number) => string,
): Generator<string> {
  yield `${head}\n`;
  for (let from = 0; from < rows.length; from += rowsPerChunk) {
    const lines = rows.slice(from, from + rowsPerChunk).map((row, index) => lineOf(row, from + index));
    yield `${lines.join('\n')}\n`;
  }
}
