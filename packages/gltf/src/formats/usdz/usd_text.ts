/** Lines of a USD file (USDA), kept as bytes: those of a large head are more than one string can hold. */
export class UsdText {
  readonly #parts: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;
  #depth = 0;

  line(text: string): void {
    this.#lines.push(`${'  '.repeat(this.#depth)}${text}\n`);
    this.#length += text.length;
    if (this.#length > 1_000_000) this.#flush();
  }

  /** A prim, or any other block in braces. */
  block(head: string, inside: () => void): void {
    this.line(head);
    this.line('{');
    this.#depth += 1;
    inside();
    this.#depth -= 1;
    this.line('}');
  }

  bytes(): Buffer {
    this.#flush();
    return Buffer.concat(this.#parts);
  }

  #flush(): void {
    this.#parts.push(Buffer.from(this.#lines.join('')));
    this.#lines = [];
    this.#length = 0;
  }
}

/** A string or token, as USDA writes it. */
export const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\p{Cc}/gu, ' ')}"`;

/** A name as prims may have it: letters, digits and underscores, unlike any other of its kind. */
export function identifier(wanted: string, taken: Set<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)|^$/, '_');
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
  taken.add(name);
  return name;
}

/** Numbers of so many decimals. */
export type Rounding = (value: number) => number;

export const decimals = (digits: number): Rounding => {
  const scale = 10 ** digits;
  // Zero has no sign.
  return (value) => Math.round(value * scale) / scale + 0;
};

export const list = (values: Iterable<unknown>): string => `[${[...values].join(', ')}]`;

/** Rows of `width` values, each in parentheses where there is more than one. */
export function tuples(values: ArrayLike<number>, width: number, round: Rounding): string {
  if (width === 1) return `[${Array.from(values, round).join(',')}]`;
  const rows = new Array<string>(values.length / width);
  for (let i = 0; i < rows.length; i++) {
    let row = `(${round(values[i * width]!)}`;
    for (let k = 1; k < width; k++) row += `,${round(values[i * width + k]!)}`;
    rows[i] = `${row})`;
  }
  return `[${rows.join(',')}]`;
}

/** A matrix; USD multiplies rows by it, so that its rows are glTF's columns. */
export const matrixText = (m: readonly number[]): string =>
  `(${[0, 4, 8, 12]
    .map(
      (row) =>
        `(${m
          .slice(row, row + 4)
          .map(decimals(9))
          .join(', ')})`,
    )
    .join(', ')})`;
