import { StringDecoder } from 'node:string_decoder';

/**
 * Splits bytes into lines as they arrive.
 *
 * @param max - Maximum bytes of a line, evaluated for each chunk.
 * @param onTooLong - Called once; nothing more is read.
 */
export function createLineReader(
  max: () => number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  let over = false;
  return (bytes) => {
    if (over) return;
    for (let rest = bytes; rest.length > 0; ) {
      const end = rest.indexOf(10);
      const part = end < 0 ? rest : rest.subarray(0, end);
      length += part.length;
      if (length > max()) {
        over = true;
        pieces = [];
        onTooLong();
        return;
      }
      pieces.push(decoder.write(part));
      if (end < 0) return;
      const line = pieces.join('');
      pieces = [];
      length = 0;
      onLine(line);
      rest = rest.subarray(end + 1);
    }
  };
}

/** Parses a line of JSON; undefined if it is invalid. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
