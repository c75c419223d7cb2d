import {
  type Accessor,
  BufferUtils,
  Extension,
  type GLTF,
  type Buffer as GltfBuffer,
  PropertyType,
  type WriterContext,
} from '@gltf-transform/core';

/**
 * Writes sparse accessors, as gltf-transform does itself, but quickly: the library examines every number
 * through growing arrays, which took most of the time. It is registered as an extension but leaves no name in
 * the file.
 */
export class SparseWriter extends Extension {
  static override readonly EXTENSION_NAME = 'LIKENESS_sparse_writer';
  override readonly extensionName = SparseWriter.EXTENSION_NAME;
  override readonly prewriteTypes = [PropertyType.ACCESSOR];
  /** The buffers whose byte offset is filled in during one write. */
  private packed = new Map<GltfBuffer, Packed>();

  override read(): this {
    return this;
  }

  override prewrite(context: WriterContext): this {
    this.packed = new Map();
    for (const accessor of this.document.getRoot().listAccessors())
      if (accessor.getSparse() && accessor.getBuffer() && !context.accessorIndexMap.has(accessor))
        this.pack(context, accessor);
    for (const [buffer, { indices, values }] of this.packed)
      context.otherBufferViews.set(buffer, [
        ...(context.otherBufferViews.get(buffer) ?? []),
        indices.joined(),
        values.joined(),
      ]);
    return this;
  }

  private pack(context: WriterContext, accessor: Accessor): void {
    const array = accessor.getArray();
    if (!array) return;
    const width = accessor.getElementSize();
    const { numbers, values, min, max } = movingElements(array, width);
    const json = context.jsonDoc.json;
    const definition: GLTF.IAccessor = {
      ...context.createPropertyDef(accessor),
      type: accessor.getType(),
      componentType: accessor.getComponentType(),
      count: array.length / width,
      ...(accessor.getNormalized() ? { normalized: true } : {}),
      ...(array.length ? boundsOf(array, min, max) : {}),
    };
    if (numbers.length) {
      const buffer = accessor.getBuffer()!;
      const packed = this.packed.get(buffer) ?? { all: [], indices: new Pieces(), values: new Pieces() };
      this.packed.set(buffer, packed);
      definition.sparse = {
        count: numbers.length,
        indices: {
          bufferView: -1,
          byteOffset: packed.indices.offsetOf(padded(numbers)),
          componentType: componentTypes[numbers.BYTES_PER_ELEMENT]!,
        },
        values: { bufferView: -1, byteOffset: packed.values.offsetOf(padded(values)) },
      };
      packed.all.push(definition.sparse);
    }
    json.accessors!.push(definition);
    context.accessorIndexMap.set(accessor, json.accessors!.length - 1);
  }

  override write(context: WriterContext): this {
    for (const { all, indices, values } of this.packed.values()) {
      for (const sparse of all) {
        sparse.indices.bufferView = context.otherBufferViewsIndexMap.get(indices.joined())!;
        sparse.values.bufferView = context.otherBufferViewsIndexMap.get(values.joined())!;
      }
    }
    this.packed.clear();
    const used = context.jsonDoc.json.extensionsUsed;
    const own = used?.indexOf(this.extensionName) ?? -1;
    if (own >= 0) used!.splice(own, 1);
    return this;
  }
}

/** A buffer's two views, one of indices and one of values, shared by all its accessors. */
interface Packed {
  readonly all: GLTF.IAccessorSparse[];
  readonly indices: Pieces;
  readonly values: Pieces;
}

/** Bytes of a buffer view. Equal pieces are held once: many shapes move the same vertices, some alike. */
class Pieces {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private readonly offsets = new Map<string, number>();
  private length = 0;
  private whole: Uint8Array | undefined;

  /** Where the piece lies, bytes from the beginning. */
  offsetOf(piece: Uint8Array<ArrayBuffer>): number {
    const key = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    const known = this.offsets.get(key);
    if (known !== undefined) return known;
    const offset = this.length;
    this.offsets.set(key, offset);
    this.parts.push(piece);
    this.length += piece.byteLength;
    return offset;
  }

  /** All of them; the same array each time. */
  joined(): Uint8Array {
    this.whole ??= BufferUtils.concat(this.parts);
    return this.whole;
  }
}

type Values = NonNullable<ReturnType<Accessor['getArray']>>;

const componentTypes: Readonly<Record<number, GLTF.IAccessorSparseIndices['componentType']>> = {
  1: 5121,
  2: 5123,
  4: 5125,
};

/** The indices of the non-zero elements, and the bounds of all. */
function movingElements(
  array: Values,
  width: number,
): {
  numbers: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
  values: Values;
  min: number[];
  max: number[];
} {
  const all = notZero(array, width);
  const count = all.length;
  const values = array.slice(0, count * width);
  const rest = count < array.length / width ? 0 : undefined;
  const min = Array.from({ length: width }, () => rest ?? Infinity);
  const max = Array.from({ length: width }, () => rest ?? -Infinity);
  for (let n = 0; n < count; n++) {
    for (let c = 0; c < width; c++) {
      const value = array[width * all[n]! + c]!;
      values[width * n + c] = value;
      if (value < min[c]!) min[c] = value;
      if (value > max[c]!) max[c] = value;
    }
  }
  const last = count ? all[count - 1]! : 0;
  const Numbers = last < 255 ? Uint8Array : last < 65_535 ? Uint16Array : Uint32Array;
  return { numbers: Numbers.from(all), values, min, max };
}

const boundsOf = (array: Values, min: number[], max: number[]): { min: number[]; max: number[] } =>
  array instanceof Float32Array ? { min: min.map(shortest), max: max.map(shortest) } : { min, max };

/** The shortest decimal number that is this one in single precision. */
function shortest(value: number): number {
  const single = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return Number(single.toPrecision(9));
}

function notZero(array: Values, width: number): Uint32Array {
  const all = new Uint32Array(array.length / width);
  let count = 0;
  if (array instanceof Float32Array && width === 3) {
    const bits = new Uint32Array(array.buffer, array.byteOffset, array.length);
    // A zero has no bits, but for its sign.
    for (let from = 0, element = 0; from < bits.length; from += 3, element++)
      if ((bits[from]! | bits[from + 1]! | bits[from + 2]!) << 1 !== 0) all[count++] = element;
    return all.subarray(0, count);
  }
  for (let from = 0, element = 0; from < array.length; from += width, element++) {
    for (let c = 0; c < width; c++) {
      if (array[from + c] === 0) continue;
      all[count++] = element;
      break;
    }
  }
  return all.subarray(0, count);
}

/** The bytes of an array, up to a multiple of four. */
function padded(array: Values): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (bytes.length % 4 === 0) return bytes;
  const out = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  out.set(bytes);
  return out;
}
