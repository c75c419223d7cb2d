/**
 * `face.pb` of a take: the received messages of the face stream, each with its arrival time, so that a
 * session can be replayed without microphone or server. Length-delimited messages of
 *
 *     message Arrival {
 *       double arrived_at = 1;  // seconds since the take's first sample
 *       uint32 tier = 2;        // 0: built-in engine, 1: server, 2: built-in engine, afterwards, 3: a tracker
 *       bytes message = 3;      // likeness.v1.StreamMessage, without length prefix
 *     }
 *
 * Time codes count from the take's first sample; a header begins a new stream within its tier. Tier 2, made
 * from the whole audio, fills gaps of the recorded face.
 */

import protobuf from 'protobufjs/minimal.js';
import { shareBetween } from './face/frames_around.ts';
import { ownFrame, type PlayableFrame } from './face/own_frame.ts';
import { gazeBetween, poseBetween } from './face/pose_mix.ts';
import { FaceStreamDecoder } from './face_stream.ts';
import { FaceStreamError } from './face_stream_error.ts';
import type { FaceStreamFrame, FaceStreamHeader } from './face_stream_protocol.ts';
import { DelimitedReader, delimit } from './framing.ts';
import type { Tier } from './live/live_message.ts';

/** Whose face it is, and when it was made. */
export type TakeTier = Tier | 'afterwards' | 'tracker';

/** By their number in the file. */
const tiers: readonly TakeTier[] = ['local', 'server', 'afterwards', 'tracker'];

export interface Arrival {
  /** Seconds since the take's first sample. */
  arrivedAt: number;
  tier: TakeTier;
  /** A StreamMessage without length prefix. */
  message: Uint8Array;
}

/** Bytes of the longest message of a take. */
export const maxMessageBytes = 16 * 1024 * 1024;
/** Messages of a take that are read: nine hours of two faces at 60 frames a second. */
const maxArrivals = 4_000_000;

export function encodeArrival({ arrivedAt, tier, message }: Arrival): Uint8Array<ArrayBuffer> {
  const writer = new protobuf.Writer();
  writer.uint32(9).double(arrivedAt);
  if (tier !== 'local') writer.uint32(16).uint32(tiers.indexOf(tier));
  writer.uint32(26).bytes(message);
  return delimit(writer.finish());
}

/**
 * Reads a whole file. One cut off by a crash is read up to the last complete message.
 *
 * @returns the arrivals, and how many bytes they take: what follows is half a message
 */
export function readArrivals(bytes: Uint8Array): { arrivals: Arrival[]; wholeBytes: number } {
  const reader = new DelimitedReader(maxMessageBytes);
  reader.push(bytes);
  const arrivals: Arrival[] = [];
  let wholeBytes = 0;
  try {
    for (let message = reader.next(); message && arrivals.length < maxArrivals; message = reader.next()) {
      arrivals.push(readArrival(message));
      wholeBytes = reader.offset;
    }
  } catch {
    // Reading ends at the first damaged message.
  }
  return { arrivals, wholeBytes };
}

/** @throws where it is damaged */
export function readArrival(bytes: Uint8Array): Arrival {
  const reader = new protobuf.Reader(bytes);
  const arrival: Arrival = { arrivedAt: 0, tier: 'local', message: new Uint8Array(0) };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 9) arrival.arrivedAt = reader.double();
    else if (tag === 16) arrival.tier = tiers[reader.uint32()] ?? 'local';
    else if (tag === 26) arrival.message = reader.bytes();
    else reader.skipType(tag & 7);
  }
  return arrival;
}

/** The face of one tier over a whole take. */
export interface TakeFace {
  tier: TakeTier;
  /** Names of the weights by position. */
  channelNames: readonly string[];
  /** Hertz, nominal. */
  frameRate: number;
  /** By time code, seconds since the take's first sample, strictly increasing. */
  frames: FaceStreamFrame[];
}

/** A face that comes frame by frame: hours of it need no memory where they are written as they come. */
export interface StreamedFace extends Pick<TakeFace, 'channelNames' | 'frameRate'> {
  frames: AsyncIterable<FaceStreamFrame>;
}

/**
 * The faces in a take, by tier. A later frame for a time that is there already is left out, as are streams
 * whose channels differ from the tier's first.
 */
export function facesOf(arrivals: readonly Arrival[]): TakeFace[] {
  const faces = new Map<TakeTier, TakeFace>();
  const reader = new ArrivalReader();
  for (const arrival of arrivals) {
    const { header, frame } = reader.read(arrival);
    if (header) {
      const { channelNames, frameRate } = header;
      faces.set(arrival.tier, { tier: arrival.tier, channelNames, frameRate, frames: [] });
    }
    if (frame) faces.get(arrival.tier)!.frames.push(frame);
  }
  return [...faces.values()];
}

/** Filters arrivals one by one to those that belong to their tier's face. Keeps no frames. */
export class ArrivalReader {
  readonly #decoders = new Map<TakeTier, FaceStreamDecoder>();
  /** For each face that has begun: its channels, and the time of its last frame in seconds. */
  readonly #faces = new Map<TakeTier, { channels: number; last: number }>();

  /** A tier's first header, its frames by time, nothing for what is left out. */
  read({ tier, message }: Arrival): { header?: FaceStreamHeader; frame?: FaceStreamFrame } {
    const next = read(this.#decoders.get(tier), message);
    if (!next) return {};
    this.#decoders.set(tier, next.decoder);
    const face = this.#faces.get(tier);
    if (next.header && !face) {
      this.#faces.set(tier, { channels: next.header.channelNames.length, last: -Infinity });
      return { header: next.header };
    }
    const { frame } = next;
    if (!frame || !face || face.channels !== frame.weights.length || frame.timeCode <= face.last) return {};
    face.last = frame.timeCode;
    return { frame };
  }
}

/** Tries the message in the stream under way, else as the beginning of a new one. */
function read(
  decoder: FaceStreamDecoder | undefined,
  message: Uint8Array,
): { decoder: FaceStreamDecoder; header?: FaceStreamHeader; frame?: FaceStreamFrame } | undefined {
  for (const candidate of decoder ? [decoder, new FaceStreamDecoder()] : [new FaceStreamDecoder()]) {
    try {
      const read = candidate.accept(message);
      if (read.kind === 'header') return { decoder: candidate, header: read };
      return read.kind === 'frame' ? { decoder: candidate, frame: read } : { decoder: candidate };
    } catch (error) {
      if (!(error instanceof FaceStreamError)) throw error;
    }
  }
  return undefined;
}

/** The same face, so many seconds later. */
export const faceLater = (face: PlayableFace, by: number): PlayableFace => ({
  ...face,
  frames: face.frames.map((frame) => ({ ...ownFrame(frame), timeCode: frame.timeCode + by })),
});

/** A face that can be played or exported: one set of channels, frames by time. */
export interface PlayableFace {
  channelNames: readonly string[];
  frameRate: number;
  frames: PlayableFrame[];
  /** Whose face a frame is: 0 the built-in engine's, 1 the server's, between them a cross-fade. */
  serverShare: Float32Array;
}

/** Seconds over which one tier's face becomes the other's. */
const fadeSeconds = 0.25;
/** A gap between frames longer than this, seconds, means that the tier's face is missing. */
const gapSeconds = 0.1;

/** Counts for how long the base face is missing, while a take is written or read. */
export class FaceGaps {
  readonly #reader = new ArrivalReader();
  /** By tier, seconds: where its last frame is, and what is missing before it. */
  readonly #tiers = new Map<TakeTier, { last: number; missing: number }>();

  add(arrival: Arrival): void {
    const time = this.#reader.read(arrival).frame?.timeCode;
    if (time === undefined) return;
    const { last, missing } = this.#tiers.get(arrival.tier) ?? { last: 0, missing: 0 };
    this.#tiers.set(arrival.tier, { last: time, missing: missing + gapBetween(last, time) });
  }

  /** @param seconds how long the take is @returns seconds */
  missing(seconds: number): number {
    const base = order.find((tier) => this.#tiers.has(tier));
    const { last, missing } = (base && this.#tiers.get(base)) ?? { last: 0, missing: 0 };
    return missing + gapBetween(last, seconds);
  }
}

const gapBetween = (from: number, to: number): number => (to - from > gapSeconds ? to - from : 0);

/** Later tiers are laid over earlier ones where they are present. */
const order: readonly TakeTier[] = ['afterwards', 'local', 'server', 'tracker'];
/** A tier's face as it is merged with others. */
export interface FaceLayer extends Pick<TakeFace, 'tier' | 'channelNames' | 'frameRate'> {
  frames: PlayableFace['frames'];
}

/** Those with a frame, the lowest first. */
export const layersOf = <Layer extends FaceLayer>(faces: readonly Layer[]): Layer[] =>
  order.flatMap((tier) => faces.filter((face) => face.tier === tier && face.frames.length > 0));

/**
 * Merges the tiers of a take into the face that it plays and exports, cross-faded. Priority: tracker, server,
 * built-in engine, then the frames made afterwards.
 */
export function mergedFace(faces: readonly FaceLayer[]): PlayableFace {
  const [base, ...above] = layersOf(faces);
  if (!base) return { channelNames: [], frameRate: 60, frames: [], serverShare: new Float32Array(0) };
  const { channelNames, frameRate } = base;
  let frames: PlayableFace['frames'] = base.frames;
  let serverShare = new Float32Array(frames.length).fill(base.tier === 'server' ? 1 : 0);
  for (const face of above) {
    const laid = [...laidOver(frames, face, channelNames)];
    frames = laid.map(({ frame }) => frame);
    if (face.tier === 'server') serverShare = Float32Array.from(laid, ({ share }) => share);
  }
  return { channelNames, frameRate, frames, serverShare };
}

/**
 * `frames` with another face laid over them where it is present, one by one; `share`: its weight in a frame, at 0
 * the frame itself.
 */
export function* laidOver(
  frames: PlayableFace['frames'],
  over: FaceLayer,
  channelNames: readonly string[],
): Generator<{ frame: PlayableFace['frames'][number]; share: number }> {
  const channels = channelNames.map((name) => over.channelNames.indexOf(name));
  let at = 0;
  let share = 0;
  let last = 0;
  for (const [index, frame] of frames.entries()) {
    const { timeCode } = frame;
    while (at + 1 < over.frames.length && over.frames[at + 1]!.timeCode <= timeCode) at++;
    const [from, to] = [over.frames[at]!, over.frames[at + 1] ?? over.frames[at]!];
    const isThere =
      from.timeCode <= timeCode + gapSeconds &&
      to.timeCode - from.timeCode <= gapSeconds &&
      timeCode - to.timeCode <= gapSeconds;
    const step = (timeCode - last) / fadeSeconds;
    last = timeCode;
    share = index === 0 ? (isThere ? 1 : 0) : Math.min(1, Math.max(0, share + (isThere ? step : -step)));
    yield { frame: share === 0 ? frame : mixed(frame, from, to, channels, share), share };
  }
}

/** A frame on its way to a face above it, which is between two of that face's. */
function mixed(
  frame: PlayableFace['frames'][number],
  from: PlayableFace['frames'][number],
  to: PlayableFace['frames'][number],
  channels: readonly number[],
  share: number,
): PlayableFace['frames'][number] {
  const { timeCode } = frame;
  const mix = shareBetween(from.timeCode, to.timeCode, timeCode);
  const [before, after] = [from.weights, to.weights];
  const weights = frame.weights.map((weight, channel) => {
    const index = channels[channel]!;
    const laid = index < 0 ? weight : between(before[index]!, after[index]!, mix);
    return between(weight, laid, share);
  });
  return {
    timeCode,
    weights,
    headPose: poseBetween(frame.headPose, poseBetween(from.headPose, to.headPose, mix), share),
    eyeGaze: gazeBetween(frame.eyeGaze, gazeBetween(from.eyeGaze, to.eyeGaze, mix), share),
  };
}

const between = (from: number, to: number, share: number): number => from + (to - from) * share;

/** Frames with others laid into them: between the first and the last of `part`, those of `part` alone. */
export function splicedFrames<Frame extends { readonly timeCode: number }>(
  frames: readonly Frame[],
  part: readonly Frame[],
  frameRate: number,
): Frame[] {
  const [first, last] = [part[0], part.at(-1)];
  if (!first || !last) return [...frames];
  const half = 0.5 / frameRate;
  return [
    ...frames.filter(({ timeCode }) => timeCode < first.timeCode - half),
    ...part,
    ...frames.filter(({ timeCode }) => timeCode > last.timeCode + half),
  ];
}
