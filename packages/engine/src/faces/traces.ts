import {
  type AudioData,
  type AudioFormat,
  audioSeconds,
  frameBytes,
  toSamples,
} from '@likeness/proto/wav.ts';
import { FairShares } from '../http/fair_shares.ts';
import type { EngineLimits } from '../http/limits.ts';
import type { Owner } from '../models/model_record.ts';
import type { FaceMaker, FaceMesh, FaceOptions, FaceTrace } from './face_maker.ts';
import {
  audioChanged,
  audioTooLong,
  meshTooLong,
  tooManyOwn,
  tooManyTraces,
  traceBusy,
  traceNotOpen,
  traceReused,
} from './trace_refusals.ts';

/** The face options that a caller may choose. */
export type FaceTraceOptions = Pick<FaceOptions, 'frameRate' | 'lookahead' | 'suppressNoise'>;

/** The name of a voice. */
export interface VoiceName {
  /** Different for each owner. */
  readonly id: string;
  readonly owner: Owner;
}

/** A voice from its `start` to its end. */
export interface Trace extends VoiceName {
  readonly options: FaceTraceOptions;
  /** The mesh behind every frame's vertices; null if the caller asked for none. */
  readonly mesh: FaceMesh | null;
  /** Sample format of the first part; later parts without a container use it. */
  readonly format: AudioFormat;
  /** Null if the last answer ended the utterance; it is restarted if another part follows. */
  face: FaceTrace | null;
  /** The first part, to restart with; null once restarted. */
  first: AudioData | null;
  /** Time code of the last frame that was sent, seconds; −1 before the first. */
  lastTime: number;
  /** Seconds of audio taken so far. */
  seconds: number;
  /** A request of this trace is being answered. */
  busy: boolean;
}

/** Keeps open traces from one part to the next. */
export interface TraceKeeper {
  /**
   * Opens a trace.
   *
   * @throws {Refusal} 409 `trace_reused`, 503 `too_many_traces`, 413 `audio_too_long`
   */
  start(
    voice: VoiceName,
    maker: FaceMaker,
    data: AudioData,
    options: FaceTraceOptions,
    mesh: FaceMesh | null,
  ): Promise<Trace>;
  /**
   * Returns the open trace for its next part. Call `release` afterwards.
   *
   * @throws {Refusal} 409 `trace_not_open` or `trace_busy`, 400 `audio_changed`, 413 `audio_too_long`
   */
  next(voice: VoiceName, maker: FaceMaker, data: AudioData | null): Promise<Trace>;
  /** Returns the format of a part without a container. @throws {Refusal} 409 `trace_not_open` */
  formatOf(id: string): Promise<AudioFormat>;
  /** Call after analysing a part, just before its answer ends: the part is never analysed again. */
  heard(trace: Trace, isOver: boolean): Promise<void>;
  /** Ends a part's turn: the trace waits for its next part, or ends. */
  release(trace: Trace, isOver: boolean): Promise<void>;
  /** Ends traces without a request for too long. */
  expire(): void;
}

export type TraceLimits = Pick<
  EngineLimits,
  'meshSeconds' | 'openTraces' | 'resumeBytes' | 'traceIdle' | 'traceMemory' | 'traceSeconds'
>;

/**
 * The open traces, with limits on their number and idle time, and the identifiers already used.
 *
 * A `start` is answered as a whole utterance, because it may be one. If another part follows, the trace
 * restarts from the first part. Its frames come out the same and aren't sent twice.
 */
export class Traces implements TraceKeeper {
  readonly #limits: TraceLimits;
  readonly #clock: () => number;
  /** Longest idle first. */
  readonly #open = new Map<string, { trace: Trace; usedAt: number }>();
  /** In order of use; the oldest are forgotten first. */
  readonly #used = new Set<string>();
  readonly #shares: FairShares;

  /** @param clock Milliseconds since 1970 UTC. */
  constructor(limits: TraceLimits, clock: () => number) {
    this.#limits = limits;
    this.#shares = new FairShares(limits.openTraces);
    this.#clock = clock;
  }

  async start(
    voice: VoiceName,
    maker: FaceMaker,
    data: AudioData,
    options: FaceTraceOptions,
    mesh: FaceMesh | null,
  ): Promise<Trace> {
    this.expire();
    checkLength({ seconds: 0, mesh }, data, this.#limits);
    const { id, owner } = voice;
    if (this.#used.has(id)) throw traceReused();
    this.#makeRoom(owner);
    const trace = beginTrace(voice, maker, data, options, mesh);
    this.#shares.take(owner);
    this.#open.set(id, { trace, usedAt: this.#clock() });
    this.#remember(id);
    return trace;
  }

  async next({ id }: VoiceName, _maker: FaceMaker, data: AudioData | null): Promise<Trace> {
    const trace = this.#find(id);
    if (trace.busy) throw traceBusy();
    checkPart(trace, data, this.#limits);
    trace.busy = true;
    return trace;
  }

  async formatOf(id: string): Promise<AudioFormat> {
    return this.#find(id).format;
  }

  async heard(): Promise<void> {}

  async release(trace: Trace, isOver: boolean): Promise<void> {
    trace.busy = false;
    if (isOver) return this.#end(trace);
    // Last in the map, so that the first is the one idle for longest.
    this.#open.delete(trace.id);
    this.#open.set(trace.id, { trace, usedAt: this.#clock() });
  }

  expire(): void {
    const before = this.#clock() - this.#limits.traceIdle;
    for (const { trace, usedAt } of this.#open.values()) {
      if (usedAt < before && !trace.busy) this.#end(trace);
    }
  }

  #find(id: string): Trace {
    this.expire();
    const found = this.#open.get(id);
    if (!found) throw traceNotOpen();
    return found.trace;
  }

  /**
   * Makes room by forgetting the oldest trace that may have been a whole utterance: of this owner, or of all
   * if nothing is free.
   *
   * @throws {Refusal} 503 `too_many_traces`
   */
  #makeRoom(owner: Owner): void {
    const lack = this.#shares.lackOf(owner);
    if (!lack) return;
    const own = this.#shares.usedBy(owner);
    const mayEnd = ({ owner: other, busy, first }: Trace): boolean =>
      !busy && first !== null && (other === owner || (lack === 'all' && own === 0));
    const oldest = [...this.#open.values()].find(({ trace }) => mayEnd(trace))?.trace;
    if (!oldest) throw lack === 'own' ? tooManyOwn(own) : tooManyTraces(this.#limits);
    this.#end(oldest);
  }

  #end({ id, owner }: Trace): void {
    if (this.#open.delete(id)) this.#shares.give(owner);
  }

  #remember(id: string): void {
    this.#used.add(id);
    if (this.#used.size > this.#limits.traceMemory) this.#used.delete(this.#used.values().next().value!);
  }
}

/** @throws {Refusal} 400 `audio_changed`, 413 `audio_too_long` */
export function checkPart(
  trace: Pick<Trace, 'format' | 'seconds' | 'mesh'>,
  data: AudioData | null,
  limits: TraceLimits,
): void {
  if (!data) return;
  const { format } = trace;
  const { sampleRate, channels } = data.format;
  if (sampleRate !== format.sampleRate || channels !== format.channels) {
    throw audioChanged(format, data.format);
  }
  checkLength(trace, data, limits);
}

/** @throws {Refusal} 413 `audio_too_long` */
export function checkLength(
  { seconds, mesh }: Pick<Trace, 'seconds' | 'mesh'>,
  { format, bytes }: AudioData,
  limits: TraceLimits,
): void {
  const part = audioSeconds(format, bytes.length);
  if (seconds + part > limits.traceSeconds) throw audioTooLong(seconds + part, limits);
  if (mesh && part > limits.meshSeconds) throw meshTooLong(part, limits);
}

/** A face for a trace's audio. */
export const openFace = (
  maker: FaceMaker,
  { sampleRate, channels }: AudioFormat,
  options: FaceTraceOptions,
): FaceTrace => maker.open({ sampleRate, channels, ...options });

/** Creates a trace whose first part is about to be answered. */
export function beginTrace(
  voice: VoiceName,
  maker: FaceMaker,
  data: AudioData,
  options: FaceTraceOptions,
  mesh: FaceMesh | null,
): Trace {
  const { format } = data;
  const face = openFace(maker, format, options);
  return { ...voice, options, mesh, format, face, first: data, lastTime: -1, seconds: 0, busy: true };
}

/** Seconds of audio solved in one block before other requests may run. */
const blockSeconds = 0.25;

/** Splits audio into short blocks of samples, so that a long utterance never blocks the process. */
export function* sampleBlocks({ format, bytes }: AudioData): Generator<Float32Array> {
  const block = Math.max(1, Math.round(blockSeconds * format.sampleRate)) * frameBytes(format);
  for (let at = 0; at < bytes.length; at += block) {
    yield toSamples({ format, bytes: bytes.subarray(at, at + block) });
  }
}
