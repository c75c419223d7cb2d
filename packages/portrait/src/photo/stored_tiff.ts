/** Rows of 8-bit RGB or RGBA. */
export interface PixelRows {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly data: Uint8Array;
}

/** A field of a TIFF's directory, by the size of its values: 1 byte undefined, 2 short, 4 long. */
type Field = readonly [tag: number, size: 1 | 2 | 4, values: ArrayLike<number>];
const fieldTypes = { 1: 7, 2: 3, 4: 4 } as const;

/** Rows of a strip: readers hold a whole one in memory. */
const stripRows = 64;

/**
 * A TIFF 6.0 that is not compressed, with an ICC profile: for readers in the same process. Takes no more memory than the
 * file itself, unlike an encoder.
 */
export function storedTiff(rows: PixelRows, profile: Uint8Array | undefined): Buffer {
  const { width, height, channels, stride, data } = rows;
  const rowBytes = width * channels;
  const starts = Array.from({ length: Math.ceil(height / stripRows) }, (_, n) => n * stripRows);
  const fields = (pixels: number): Field[] => [
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 2, Array.from({ length: channels }, () => 8)],
    [259, 2, [1]],
    [262, 2, [2]],
    [273, 4, starts.map((row) => pixels + row * rowBytes)],
    [277, 2, [channels]],
    [278, 4, [stripRows]],
    [279, 4, starts.map((row) => Math.min(stripRows, height - row) * rowBytes)],
    // The colours are not multiplied by alpha.
    ...(channels === 4 ? [[338, 2, [2]] as const] : []),
    ...(profile ? [[34675, 1, profile] as const] : []),
  ];
  const headLength = writeHead(fields(0)).length;
  const tiff = Buffer.allocUnsafe(headLength + height * rowBytes);
  writeHead(fields(headLength)).copy(tiff);
  for (let y = 0; y < height; y++)
    tiff.set(data.subarray(y * stride, y * stride + rowBytes), headLength + y * rowBytes);
  return tiff;
}

/** All before the pixels: the header, the directory, and the values that don't fit into it. */
function writeHead(fields: readonly Field[]): Buffer {
  const directory = Buffer.alloc(8 + 2 + 12 * fields.length + 4);
  directory.write('II*\0\x08', 'latin1');
  directory.writeUInt16LE(fields.length, 8);
  const values: Buffer[] = [];
  let end = directory.length;
  for (const [n, [tag, size, numbers]] of fields.entries()) {
    const bytes = Buffer.alloc(Math.max(4, 4 * Math.ceil((size * numbers.length) / 4)));
    for (let i = 0; i < numbers.length; i++) bytes.writeUIntLE(numbers[i]!, size * i, size);
    const at = 10 + 12 * n;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(fieldTypes[size], at + 2);
    directory.writeUInt32LE(numbers.length, at + 4);
    if (bytes.length === 4) bytes.copy(directory, at + 8);
    else {
      directory.writeUInt32LE(end, at + 8);
      values.push(bytes);
      end += bytes.length;
    }
  }
  return Buffer.concat([directory, ...values]);
}
