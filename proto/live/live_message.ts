/**
 * Messages of a live session's duplex, `studio.live.open`. Every message begins with 24 bytes, little endian:
 * its kind (one byte), seven of padding, and two float64 that depend on the kind. The body follows.
 *
 * Times are milliseconds since 1970 with fractions: page and studio run on the same machine.
 */

import type { Message } from '@likeness/messages';
import protobuf from 'protobufjs/minimal.js';
import type { LatencyFigures, LiveCommand } from './live_command.ts';

const headBytes = 24;
export const messageKinds = {
  sound: 1,
  order: 2,
  'local header': 3,
  'local frame': 4,
  'server header': 5,
  'server frame': 6,
  report: 7,
} as const;

/** Whose face it is: the built-in engine's, which is there at once, or that of the connection's server. */
export type Tier = 'local' | 'server';

/** Mono sound from the page. */
export interface LiveSound {
  kind: 'sound';
  /** When its last sample reached the page. */
  capturedAt: number;
  /** Position of its first sample in the session. */
  firstSample: number;
  samples: Float32Array;
}

/** State of the session, sent a few times a second. */
export interface LiveReport {
  /** Seconds of sound taken. */
  seconds: number;
  /** State of the connection's server; `none` for the built-in engine. */
  server: 'none' | 'waiting' | 'live' | 'late' | 'gone' | 'stopped';
  /** Why the server, or where there is none the built-in engine, does not answer; empty where it does. */
  trouble: Message;
  hint: Message;
  /** Billed usage of the session so far. */
  billedSeconds: number;
  billedFrames: number;
  cost: number;
  currency: string;
  /** Milliseconds from a request of the connection's to its last frame. */
  answer: LatencyFigures | null;
  /** The take under way, and what became of the last one; empty where there is none. */
  recording: string;
  recorded: string;
}

/** A face message with when the session asked for it and had it. */
export interface LiveFace {
  kind: 'header' | 'frame';
  tier: Tier;
  /** When the request left that it answers. */
  askedAt: number;
  /** When it was here, decoded. */
  answeredAt: number;
  /**
   * A message of proto/face_animation.proto without length prefix; time codes count from the session's start.
   */
  message: Uint8Array;
}

function framed(
  kind: keyof typeof messageKinds,
  a: number,
  b: number,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headBytes + body.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = messageKinds[kind];
  view.setFloat64(8, a, true);
  view.setFloat64(16, b, true);
  bytes.set(body, headBytes);
  return bytes;
}

/** JSON as UTF-8, by protobufjs, which works in Node and in the page. */
function asBytes(value: unknown): Uint8Array {
  const text = JSON.stringify(value);
  const bytes = new Uint8Array(protobuf.util.utf8.length(text));
  protobuf.util.utf8.write(text, bytes, 0);
  return bytes;
}

export const encodeSound = ({
  capturedAt,
  firstSample,
  samples,
}: Omit<LiveSound, 'kind'>): Uint8Array<ArrayBuffer> =>
  framed(
    'sound',
    capturedAt,
    firstSample,
    new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
  );

export const encodeOrder = (order: LiveCommand): Uint8Array<ArrayBuffer> =>
  framed('order', 0, 0, asBytes(order));

export const encodeReport = (report: LiveReport): Uint8Array<ArrayBuffer> =>
  framed('report', 0, 0, asBytes(report));

export const encodeFace = ({ kind, tier, askedAt, answeredAt, message }: LiveFace): Uint8Array<ArrayBuffer> =>
  framed(`${tier} ${kind}`, askedAt, answeredAt, message);

/** Parses a message from the studio; null if it isn't one. */
export function decodeToPage(bytes: Uint8Array): LiveFace | { kind: 'report'; report: LiveReport } | null {
  const parts = splitMessage(bytes);
  if (!parts) return null;
  const { kind, a: askedAt, b: answeredAt, body: message } = parts;
  switch (kind) {
    case messageKinds['local header']:
      return { kind: 'header', tier: 'local', askedAt, answeredAt, message };
    case messageKinds['local frame']:
      return { kind: 'frame', tier: 'local', askedAt, answeredAt, message };
    case messageKinds['server header']:
      return { kind: 'header', tier: 'server', askedAt, answeredAt, message };
    case messageKinds['server frame']:
      return { kind: 'frame', tier: 'server', askedAt, answeredAt, message };
    case messageKinds.report: {
      const report = parsedBody(message) as LiveReport | null;
      return report && { kind: 'report', report };
    }
    default:
      return null;
  }
}

/** Splits a message into its header and body; null if it is too short. */
export function splitMessage(
  bytes: Uint8Array,
): { kind: number; a: number; b: number; body: Uint8Array } | null {
  if (bytes.length < headBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    kind: bytes[0]!,
    a: view.getFloat64(8, true),
    b: view.getFloat64(16, true),
    body: bytes.subarray(headBytes),
  };
}

/** Parses a JSON body; null if it is invalid. */
export function parsedBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(protobuf.util.utf8.read(body, 0, body.length));
  } catch {
    return null;
  }
}
