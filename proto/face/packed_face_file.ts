/**
 * A packed face as bytes without parsing: a page copies the blocks into its columns and can show the first
 * while the rest loads. Layout, little-endian:
 *
 *     uint32   "LKPF"
 *     uint32   bytes of the head, a multiple of 8 less these 8
 *     head     JSON: channelNames, frameRate, frames, poses, gazes; filled up with spaces
 *     float64  times of all frames, seconds
 *     blocks   of `blockFrames` frames, the last of fewer. Each of float32: the columns one after the other, then
 *              poses (7 a frame) and eyes (4 a frame) where the head says so, then the server's shares
 */
import protobuf from 'protobufjs/minimal.js';
import { PackedFace } from './packed_face.ts';

const magic = 0x46504b4c;
/** Frames of a block: at 60 a second, a minute. */
const blockFrames = 4096;
/** Bytes of a head, at most: of some hundred channels it has a few thousand. */
const maxHeaderBytes = 1 << 20;
/** Nine hours at 120 frames a second. */
const maxFrames = 4_000_000;

interface Head {
  channelNames: readonly string[];
  frameRate: number;
  frames: number;
  poses: boolean;
  gazes: boolean;
}

class PackedFaceFileError extends Error {
  constructor(problem: string) {
    super(`The packed face ${problem}.`);
    this.name = 'PackedFaceFileError';
  }
}

/** Whether a file that begins so holds a packed face, and not the messages that it is made of. */
export const isPackedFaceFile = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === magic;

/** The bytes of a face, in pieces. */
export function* packedFaceFile(face: PackedFace): Generator<Uint8Array<ArrayBuffer>> {
  const { channelNames, frameRate } = face;
  const frames = face.count;
  const head: Head = { channelNames, frameRate, frames, poses: face.hasPoses, gazes: face.hasGazes };
  const json = JSON.stringify(head);
  const text = new Uint8Array(protobuf.util.utf8.length(json));
  protobuf.util.utf8.write(json, text, 0);
  const start = new Uint8Array(8 + Math.ceil(text.length / 8) * 8).fill(0x20);
  const view = new DataView(start.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, start.length - 8, true);
  start.set(text, 8);
  yield start;
  yield bytesOf(face.times.slice());
  for (let at = 0; at < frames; at += blockFrames)
    yield bytesOf(face.block(at, Math.min(frames, at + blockFrames)));
}

const bytesOf = ({ buffer }: { readonly buffer: ArrayBuffer }): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer);

/** Reads a packed face's file while it comes. */
export class PackedFaceFileReader {
  /** There once its head and its times have been read; its frames become what they are as they come. */
  face: PackedFace | null = null;
  /** Frames that are there. */
  read = 0;
  /** Given what is read from then on, frames `from` … `to` − 1, in place of the face: it lies elsewhere. */
  passOn: ((from: number, to: number, block: Float32Array<ArrayBuffer>) => void) | null = null;
  #pieces: Uint8Array[] = [];
  #buffered = 0;
  #head: Head | null = null;

  /** @throws PackedFaceFileError */
  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#buffered += bytes.length;
    while (this.#step());
  }

  /** @throws PackedFaceFileError where something of it is missing */
  finish(): PackedFace {
    const { face } = this;
    if (!face || this.read < face.count) throw new PackedFaceFileError('ends too early');
    return face;
  }

  #step(): boolean {
    if (!this.#head) return this.#readHead();
    if (!this.face) {
      const times = this.#take(this.#head.frames * 8);
      if (times) this.face = PackedFace.awaited(this.#head, new Float64Array(times));
      return times !== null;
    }
    const { face, read } = this;
    const end = Math.min(face.count, read + blockFrames);
    if (end === read) return false;
    const block = this.#take(face.blockFloats * (end - read) * 4);
    if (!block) return false;
    const values = new Float32Array(block);
    if (this.passOn) this.passOn(read, end, values);
    else face.setBlock(read, end, values);
    this.read = end;
    return true;
  }

  #readHead(): boolean {
    const start = this.#buffered >= 8 ? this.#joined() : null;
    if (!start) return false;
    const view = new DataView(start.buffer, start.byteOffset);
    const length = view.getUint32(4, true);
    if (view.getUint32(0, true) !== magic || length > maxHeaderBytes)
      throw new PackedFaceFileError('is something else');
    if (this.#buffered < 8 + length) return false;
    const bytes = new Uint8Array(this.#take(8 + length)!);
    this.#head = headOf(protobuf.util.utf8.read(bytes, 8, bytes.length));
    return true;
  }

  /** So many bytes from the front, as a buffer of their own; null as long as they are not there. */
  #take(count: number): ArrayBuffer | null {
    if (this.#buffered < count) return null;
    const taken = new Uint8Array(count);
    let at = 0;
    while (at < count) {
      const piece = this.#pieces[0]!;
      const part = piece.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      if (part.length === piece.length) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(part.length);
    }
    this.#buffered -= count;
    return taken.buffer;
  }

  #joined(): Uint8Array {
    if (this.#pieces.length > 1) {
      const whole = new Uint8Array(this.#buffered);
      let at = 0;
      for (const piece of this.#pieces) {
        whole.set(piece, at);
        at += piece.length;
      }
      this.#pieces = [whole];
    }
    return this.#pieces[0]!;
  }
}

function headOf(text: string): Head {
  const head = JSON.parse(text) as Partial<Head>;
  const { channelNames, frameRate, frames, poses, gazes } = head;
  const isHead =
    Array.isArray(channelNames) &&
    typeof frameRate === 'number' &&
    Number.isInteger(frames) &&
    frames! >= 0 &&
    frames! <= maxFrames;
  if (!isHead) throw new PackedFaceFileError('has a head that makes no sense');
  return { channelNames, frameRate, frames: frames!, poses: poses === true, gazes: gazes === true };
}
