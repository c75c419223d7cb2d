/** Rows per chunk: a few milliseconds, after which other tasks can run. */
const rowsPerChunk = 256;

/**
 * A text file with a header line and a row per frame, as chunks made on demand: ten minutes of face are 24
 * MB, too much to hold or to make at once.
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
