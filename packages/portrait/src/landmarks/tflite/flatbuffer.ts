/**
 * Reads the tables of a FlatBuffers file, each field by its number in the schema.
 *
 * By DataView, since it throws a RangeError where an offset leads out of the file; Google's `flatbuffers` would read
 * zeros there, and of it only these few lines were needed.
 */
export class Table {
  readonly #view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  static root(view: DataView): Table {
    return new Table(view, view.getUint32(0, true));
  }

  /** Where a field's value lies; null where the writer left it at its default. */
  #field(number: number): number | null {
    const vtable = this.#at - this.#view.getInt32(this.#at, true);
    const slot = 4 + 2 * number;
    if (slot >= this.#view.getUint16(vtable, true)) return null;
    const offset = this.#view.getUint16(vtable + slot, true);
    return offset === 0 ? null : this.#at + offset;
  }

  /** What the offset at a place leads to. */
  #follow(place: number): number {
    return place + this.#view.getUint32(place, true);
  }

  /** Where the elements of a vector lie. */
  #elements(number: number, size: number): number[] {
    const field = this.#field(number);
    if (field === null) return [];
    const vector = this.#follow(field);
    const count = this.#view.getUint32(vector, true);
    this.#checkEnd(vector + 4 + count * size);
    return Array.from({ length: count }, (_, i) => vector + 4 + i * size);
  }

  /** Before anything is made of a length which may be nonsense. */
  #checkEnd(end: number): void {
    if (end > this.#view.byteLength) throw new RangeError(`a vector ends at ${end}`);
  }

  byte(number: number): number {
    const field = this.#field(number);
    return field === null ? 0 : this.#view.getUint8(field);
  }

  int(number: number, otherwise = 0): number {
    const field = this.#field(number);
    return field === null ? otherwise : this.#view.getInt32(field, true);
  }

  ints(number: number): number[] {
    return this.#elements(number, 4).map((place) => this.#view.getInt32(place, true));
  }

  table(number: number): Table | null {
    const field = this.#field(number);
    return field === null ? null : new Table(this.#view, this.#follow(field));
  }

  tables(number: number): Table[] {
    return this.#elements(number, 4).map((place) => new Table(this.#view, this.#follow(place)));
  }

  /** A vector of bytes, as a view into the file; empty where it is absent. */
  bytes(number: number): DataView {
    const field = this.#field(number);
    if (field === null) return new DataView(this.#view.buffer, 0, 0);
    const vector = this.#follow(field);
    const length = this.#view.getUint32(vector, true);
    this.#checkEnd(vector + 4 + length);
    return new DataView(this.#view.buffer, this.#view.byteOffset + vector + 4, length);
  }

  text(number: number): string {
    return new TextDecoder().decode(this.bytes(number));
  }
}
