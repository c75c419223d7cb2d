/**
 * Messages of a film's duplex, `studio.video.open`, between main, which has the take and the disk, and the
 * page that draws. Every message begins with 16 bytes, little endian: its kind (one byte), seven of padding,
 * a float64 that depends on the kind.
 */
import protobuf from 'protobufjs/minimal.js';
import type { ShapeDrive } from '../face/shape_drives.ts';
import type { FrameRate } from './frame_rates.ts';

const headBytes = 16;
const kinds = {
  job: 1,
  written: 2,
  saved: 3,
  piece: 4,
  frame: 5,
  progress: 6,
  end: 7,
  failed: 8,
} as const;
type Kind = keyof typeof kinds;

/** A subtitle. */
export interface Cue {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A film for the page to draw. Assets are addressed by kind and id. */
export interface FilmJob {
  format: 'webm' | 'mp4' | 'png';
  width: number;
  height: number;
  rate: FrameRate;
  /** Frame n shows the n-th frame of the face. */
  frames: number;
  framing: 'bust' | 'head' | 'close';
  camera: 'front' | 'threeQuarter' | 'profile' | 'turntable';
  /** `#rrggbb`; null: nothing is behind the head. */
  background: string | null;
  /** Id of a `film-source` that is before the background: red, green, blue of each pixel, the top row first. */
  picture: string | null;
  detail: 'auto' | 'full' | 'quick';
  /** Drawn over the head. */
  subtitles: readonly Cue[];
  head: { kind: 'model' | 'default-head' | 'film-source'; id: string };
  /** Drives of the shapes; other shapes follow the channel of the same name. */
  drives: readonly ShapeDrive[];
  /** Ids of `film-source`: a `face.pb` with one frame for each of the film's, and a WAV file of just its length. */
  face: string;
  sound: string;
  /** Frames of a sequence that are there already: first and last of each stretch, ascending. */
  there: readonly (readonly [first: number, last: number])[];
}

/** A file to be fetched at `assetUrl(exportId, 'take-export')`. */
export interface FilmFile {
  exportId: string;
  fileName: string;
  bytes: number;
}

/** The result of a film: files to download, or its path. */
export interface SavedFilm {
  files: readonly FilmFile[];
  /** Its name as the person sees it; empty where it is to be fetched. */
  at: string;
}

/** Why a film can't be drawn: an encoder that the browser has not, or what its message says. */
export const filmFaults = ['no_webcodecs', 'no_vp9', 'no_h264', 'other'] as const;
export type FilmFault = (typeof filmFaults)[number];

export type FilmToPage =
  | { kind: 'job'; job: FilmJob }
  /** So many bytes of pieces and frames are on the disk. */
  | { kind: 'written'; bytes: number }
  | { kind: 'saved'; saved: SavedFilm };

export type FilmToMain =
  /** Bytes of the file, from a place in it on. */
  | { kind: 'piece'; position: number; bytes: Uint8Array }
  /** A PNG file. */
  | { kind: 'frame'; index: number; bytes: Uint8Array }
  /** Frames that are drawn. */
  | { kind: 'progress'; done: number }
  | { kind: 'end' }
  | { kind: 'failed'; why: FilmFault; message: string };

function framed(kind: Kind, number: number, body: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headBytes + body.length);
  bytes[0] = kinds[kind];
  new DataView(bytes.buffer).setFloat64(8, number, true);
  bytes.set(body, headBytes);
  return bytes;
}

const asBytes = (value: unknown): Uint8Array => {
  const text = JSON.stringify(value);
  const bytes = new Uint8Array(protobuf.util.utf8.length(text));
  protobuf.util.utf8.write(text, bytes, 0);
  return bytes;
};
const fromBytes = (bytes: Uint8Array): unknown => JSON.parse(protobuf.util.utf8.read(bytes, 0, bytes.length));

export function encodeToPage(message: FilmToPage): Uint8Array<ArrayBuffer> {
  if (message.kind === 'job') return framed('job', 0, asBytes(message.job));
  if (message.kind === 'saved') return framed('saved', 0, asBytes(message.saved));
  return framed('written', message.bytes);
}

export function encodeToMain(message: FilmToMain): Uint8Array<ArrayBuffer> {
  switch (message.kind) {
    case 'piece':
      return framed('piece', message.position, message.bytes);
    case 'frame':
      return framed('frame', message.index, message.bytes);
    case 'progress':
      return framed('progress', message.done);
    case 'end':
      return framed('end', 0);
    case 'failed':
      return framed('failed', filmFaults.indexOf(message.why), asBytes(message.message));
  }
}

function split(bytes: Uint8Array): { kind: Kind; number: number; body: Uint8Array } | null {
  if (bytes.length < headBytes) return null;
  const kind = (Object.keys(kinds) as Kind[]).find((name) => kinds[name] === bytes[0]);
  if (!kind) return null;
  const number = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(8, true);
  return { kind, number, body: bytes.subarray(headBytes) };
}

/** Null if it is none. The job comes from main, which made it by the same types. */
export function decodeToPage(bytes: Uint8Array): FilmToPage | null {
  const parts = split(bytes);
  if (parts?.kind === 'job') return { kind: 'job', job: fromBytes(parts.body) as FilmJob };
  if (parts?.kind === 'saved') return { kind: 'saved', saved: fromBytes(parts.body) as SavedFilm };
  return parts?.kind === 'written' ? { kind: 'written', bytes: parts.number } : null;
}

/** Decodes a message of the page; null if it is invalid. The page may write only its own film. */
export function decodeToMain(bytes: Uint8Array): FilmToMain | null {
  const parts = split(bytes);
  if (!parts) return null;
  const { kind, number, body } = parts;
  const isCount = Number.isSafeInteger(number) && number >= 0;
  if (kind === 'piece' && isCount) return { kind, position: number, bytes: body };
  if (kind === 'frame' && isCount) return { kind, index: number, bytes: body };
  if (kind === 'progress' && isCount) return { kind, done: number };
  if (kind === 'end') return { kind };
  if (kind !== 'failed') return null;
  const why = filmFaults[number] ?? 'other';
  try {
    const message = fromBytes(body);
    return { kind, why, message: typeof message === 'string' ? message.slice(0, 500) : '' };
  } catch {
    return { kind, why, message: '' };
  }
}
