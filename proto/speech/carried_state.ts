/**
 * Carries the state of something that streams out of it or into it: one list of fields for both ways, so that neither
 * forgets one. Each call takes what a field holds and gives what it holds from now on.
 */
export interface StateCarrier {
  number(value: number): number;
  flag(value: boolean): boolean;
  /** In place; its length stays. */
  fill(values: Float32Array | Float64Array | Uint8Array): void;
  /** Of any length. */
  floats(values: Float32Array): Float32Array<ArrayBuffer>;
  doubles(values: Float64Array): Float64Array<ArrayBuffer>;
}

/** The state did not come from the same code. */
class StateMismatch extends Error {
  override readonly name = 'StateMismatch';
}

/** Writes a state; the carried values themselves stay unchanged. */
export class StateWriter implements StateCarrier {
  #bytes = new Uint8Array(65_536);
  #length = 0;

  number(value: number): number {
    this.#append(new Float64Array([value]));
    return value;
  }

  flag(value: boolean): boolean {
    this.number(Number(value));
    return value;
  }

  fill(values: Float32Array | Float64Array | Uint8Array): void {
    this.number(values.byteLength);
    this.#append(values);
  }

  floats(values: Float32Array): Float32Array<ArrayBuffer> {
    this.fill(values);
    return values as Float32Array<ArrayBuffer>;
  }

  doubles(values: Float64Array): Float64Array<ArrayBuffer> {
    this.fill(values);
    return values as Float64Array<ArrayBuffer>;
  }

  /** A copy of what was written. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #append(values: Float32Array | Float64Array | Uint8Array): void {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    if (this.#length + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array(2 * (this.#length + bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

/** Reads what a `StateWriter` wrote. @throws {StateMismatch} where the fields are other ones */
export class StateReader implements StateCarrier {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(_value: number): number {
    return new DataView(this.#take(8).buffer).getFloat64(0, true);
  }

  flag(_value: boolean): boolean {
    return this.number(0) === 1;
  }

  fill(values: Float32Array | Float64Array | Uint8Array): void {
    const bytes = this.#array(values.BYTES_PER_ELEMENT);
    if (bytes.length !== values.byteLength) throw new StateMismatch('a field has another length');
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength).set(bytes);
  }

  floats(_values: Float32Array): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#array(4).buffer);
  }

  doubles(_values: Float64Array): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#array(8).buffer);
  }

  /** All of it has been read. @throws {StateMismatch} */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new StateMismatch('it holds more than is known');
  }

  #array(each: number): Uint8Array<ArrayBuffer> {
    const length = this.number(0);
    if (!Number.isInteger(length / each)) throw new StateMismatch('a field is of another kind');
    return this.#take(length);
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    if (!(length >= 0 && this.#at + length <= this.#bytes.length)) throw new StateMismatch('it ends early');
    this.#at += length;
    // A copy, also of a Buffer, whose own slice would be a view of a pool.
    return new Uint8Array(this.#bytes.subarray(this.#at - length, this.#at));
  }
}
