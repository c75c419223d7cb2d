import { t } from '@likeness/messages';
import { Refusal } from './refusal.ts';

/** Limits of a JSON body, checked while its bytes arrive. */
export interface JsonShape {
  /**
   * Name of the top-level field that may be large. It is cut out, so that nobody parses it together with the
   * rest.
   */
  readonly large?: string;
  /** Bytes of everything but the large field. */
  readonly maxBytes: number;
  /** Values of everything but the large field. */
  readonly maxValues: number;
  /** Values within the large field. */
  readonly maxLargeValues: number;
}

/** A body with fields of a few values, and one long string. */
export const flatShape = (large: string): JsonShape => ({
  large,
  maxBytes: 64 * 1024,
  maxValues: 64,
  maxLargeValues: 1,
});

/** Objects and arrays within each other. Deeper than any body of the interface. */
const maxDepth = 8;
const maxNameBytes = 100;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const openObject = 0x7b;
const closeArray = 0x5d;
const closeObject = 0x7d;

/** Bytes from a field's value to after its last, white space included: endless until both are known. */
interface Range {
  start: number;
  end: number;
}

/**
 * Counts depth and values of JSON while it arrives, before anything is parsed: `JSON.parse` of 40 MB of brackets
 * stops the process for seconds. Finds the large field. Wrong syntax is left to the parser, which then gets at
 * most what the shape allows.
 */
export class JsonScan {
  readonly #shape: JsonShape;
  #at = 0;
  #depth = 0;
  #values = 0;
  #largeValues = 0;
  #isInString = false;
  #isEscaped = false;
  /** Bytes of the last name at the top level, until its value begins. */
  #name: string | null = null;
  #isNameNext = false;
  #isInLarge = false;
  #large: Range = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };

  constructor(shape: JsonShape) {
    this.#shape = shape;
  }

  /** @throws {Refusal} 400 `json_too_complex` */
  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      if (this.#isInString) i = this.#endOfString(chunk, i);
      else this.#outside(chunk[i]!, this.#at + i);
    }
    this.#at += chunk.length;
    const { start, end } = this.#large;
    const large = Math.min(this.#at, end) - Math.min(this.#at, start);
    if (this.#at - large > this.#shape.maxBytes) throw tooComplex();
  }

  /** Where the large field's value is. */
  get large(): Readonly<Range> {
    return this.#large;
  }

  /** @returns The index of the string's last byte in the chunk. */
  #endOfString(chunk: Uint8Array, from: number): number {
    let isEscaped = this.#isEscaped;
    let i = from;
    for (; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) break;
    }
    this.#isEscaped = isEscaped;
    if (this.#name !== null) {
      this.#name += Buffer.from(chunk.subarray(from, i)).toString('latin1');
      if (this.#name.length > maxNameBytes) throw tooComplex();
    }
    this.#isInString = i === chunk.length;
    return i;
  }

  #outside(byte: number, at: number): void {
    switch (byte) {
      case quote:
        this.#isInString = true;
        this.#name = this.#isNameNext ? '' : null;
        this.#isNameNext = false;
        break;
      case openObject:
      case openArray:
        this.#depth += 1;
        if (this.#depth > maxDepth) throw tooComplex();
        this.#isNameNext = this.#depth === 1;
        this.#count();
        break;
      case closeObject:
      case closeArray:
        if (this.#depth === 1) this.#endField(at);
        this.#depth -= 1;
        break;
      case comma:
        if (this.#depth === 1) {
          this.#endField(at);
          this.#isNameNext = true;
        }
        this.#count();
        break;
      case colon:
        if (this.#name === this.#shape.large && this.#large.start > at) {
          this.#isInLarge = true;
          this.#large.start = at + 1;
        }
        this.#name = null;
        break;
      default:
    }
  }

  #endField(at: number): void {
    if (this.#isInLarge) this.#large.end = at;
    this.#isInLarge = false;
  }

  #count(): void {
    const { maxValues, maxLargeValues } = this.#shape;
    if (this.#isInLarge) this.#largeValues += 1;
    else this.#values += 1;
    if (this.#values > maxValues || this.#largeValues > maxLargeValues) throw tooComplex();
  }
}

export const isJsonSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

function tooComplex(): Refusal {
  return new Refusal(400, 'json_too_complex', t('refusal.json_too_complex'));
}
