import { Failure } from '../failure.ts';

const magic = 0x46546c67;
const jsonChunk = 0x4e4f534a;
const binChunk = 0x004e4942;

/** A GLB taken apart: its JSON, and the chunks after it as they are (glTF 2.0, 4.4). */
export interface GlbContainer<Json> {
  json: Json;
  rest: Uint8Array;
}

/** @throws Failure `invalid_input` where it is no binary glTF 2.0. */
export function openGlb<Json>(glb: Uint8Array): GlbContainer<Json> {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const isGlb = glb.byteLength >= 20 && view.getUint32(0, true) === magic && view.getUint32(4, true) === 2;
  if (!isGlb || view.getUint32(16, true) !== jsonChunk) {
    throw new Failure('invalid_input', 'The head is not a binary glTF 2.0 file (GLB).', {
      hint: 'Choose another head, or verify the library that it is in.',
    });
  }
  const end = 20 + view.getUint32(12, true);
  return {
    json: JSON.parse(Buffer.from(glb.subarray(20, end)).toString('utf8')) as Json,
    rest: glb.subarray(end),
  };
}

export function closeGlb({ json, rest }: GlbContainer<unknown>): Uint8Array {
  const text = padded(Buffer.from(JSON.stringify(json), 'utf8'), 0x20);
  const head = Buffer.alloc(20);
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + text.length + rest.byteLength, 8);
  head.writeUInt32LE(text.length, 12);
  head.writeUInt32LE(jsonChunk, 16);
  return Buffer.concat([head, text, rest]);
}

/** The content of the binary chunk that `rest` begins with; empty where there is none. */
export function binaryOf(rest: Uint8Array): Uint8Array {
  if (rest.byteLength < 8) return new Uint8Array();
  const view = new DataView(rest.buffer, rest.byteOffset);
  return view.getUint32(4, true) === binChunk
    ? rest.subarray(8, 8 + view.getUint32(0, true))
    : new Uint8Array();
}

/** A binary chunk of so much content, to be the `rest`. */
export function binaryChunk(content: Uint8Array): Uint8Array {
  const body = padded(content, 0);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(binChunk, 4);
  return Buffer.concat([head, body]);
}

/** Chunks are multiples of four bytes. */
function padded(bytes: Uint8Array, fill: number): Buffer {
  const body = Buffer.alloc(Math.ceil(bytes.byteLength / 4) * 4, fill);
  body.set(bytes);
  return body;
}
