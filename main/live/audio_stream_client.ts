import { backoffPause } from '@likeness/node-kit/backoff.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { SampleQueue } from './sample_queue.ts';

/** The A1 operations that live audio needs. */
export interface FaceService {
  audioToFace(
    request: {
      traceId: string;
      status: string;
      audio: Uint8Array;
      seconds: number;
      frameRate?: 30 | 60;
      lookahead?: 0 | 20 | 40 | 60;
      suppressNoise?: boolean;
    },
    options: { signal: AbortSignal },
  ): AsyncIterable<
    FaceStreamHeader | FaceStreamFrame | { kind: 'end'; frameCount: number; duration: number }
  >;
}

/** How audio is sent to one server. */
export interface AudioStreamClientOptions {
  service: FaceService;
  /** Values of the stream position field; null if the server supports only whole utterances. */
  words: { first: string; middle: string; last: string } | null;
  /** The value for a whole utterance. */
  wholeWord: string;
  /** Set if the server announces support. */
  faceOptions: { frameRate: 30 | 60; lookahead: 0 | 20 | 40 | 60; suppressNoise?: boolean } | null;
  /** Hertz. */
  sampleRate: number;
  /** Position in the session of the first pushed sample. Default 0. */
  firstSample?: number;
  /** Minimum (except at the end) and maximum seconds of audio in a request. */
  least: number;
  most: number;
  /** Seconds of audio to skip at the start of a trace, less than `least`. Default 0. */
  leftOut?: number;
  /** Maximum seconds of waiting audio: older audio is dropped, because it is too late for a live face. */
  maxWaiting: number;
  newTraceId: () => string;
  /** Milliseconds since 1970, by the system clock: the page uses the same. */
  now: () => number;
  /** Waits some milliseconds; resolves early when the signal is aborted. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  onHeader(header: FaceStreamHeader, times: CallTimes): void;
  /** `timeCode` counts from the session's first sample, and always increases. */
  onFrame(frame: FaceStreamFrame, timeCode: number, times: CallTimes): void;
  /** A request succeeded after this many milliseconds. */
  onAnswer(milliseconds: number): void;
  /** The server failed. @returns false: the client must stop using it */
  onFailure(failure: unknown): boolean;
}

export interface CallTimes {
  askedAt: number;
  answeredAt: number;
}

/** Seconds of the first part of a trace if more follows. */
const firstPart = 0.02;
/** Seconds of silence that end an utterance, and the longest utterance. */
const pauseSeconds = 0.28;
const longestUtterance = 6;
/** Minimum number of waiting utterances of maximum length. */
const fewestUtterances = 4;
/** Overhead of a block of samples, bytes. */
const blockBytes = 256;
/** RMS level below which a 20 ms block counts as silence (−48 dBFS). */
const pauseLevel = 0.004;
/** Seconds of silence kept before an utterance, so that its onset is complete. */
const leadIn = 0.12;
/** Milliseconds until a failed server is retried: first and maximum. */
const reconnection = { first: 250, longest: 8000 };

/**
 * Streams audio to one server. Audio is collected during a request and sent in the next one, so that the size
 * of requests follows the server's speed, within limits.
 *
 * After a failure the stream restarts under a new trace, with the current audio.
 */
export class AudioStreamClient {
  readonly #options: AudioStreamClientOptions;
  readonly #queue = new SampleQueue();
  readonly #closing = new AbortController();
  /** Position in the session after the last pushed sample. */
  #pushed: number;
  /** Position of the first waiting sample. */
  #position: number;
  #trace: { id: string; start: number; hasBegun: boolean } | undefined;
  #request: AbortController | undefined;
  #ended = false;
  #stopped = false;
  #failures = 0;
  #lastTime = -1;
  #pump: Promise<void> | undefined;
  #isDue = false;
  #utterance: UtteranceCutter | undefined;
  readonly #utterances: { start: number; samples: Float32Array }[] = [];

  constructor(options: AudioStreamClientOptions) {
    this.#options = options;
    this.#pushed = options.firstSample ?? 0;
    this.#position = this.#pushed;
    if (!options.words) this.#utterance = new UtteranceCutter(options.sampleRate, this.#pushed);
  }

  /** Seconds of audio that wait to be sent. */
  get waiting(): number {
    const cut = this.#utterances.reduce((sum, { samples }) => sum + samples.length, 0);
    return (this.#queue.length + cut) / this.#options.sampleRate;
  }

  /** Memory of the waiting audio, bytes. */
  get waitingBytes(): number {
    return this.waiting * this.#options.sampleRate * 4 + this.#queue.blocks * blockBytes;
  }

  push(samples: Float32Array): void {
    if (this.#ended || this.#stopped) return;
    this.#pushed += samples.length;
    if (this.#utterance) {
      for (const cut of this.#utterance.push(samples)) this.#utterances.push(cut);
      // A server for whole utterances may be permanently slower than the audio.
      const max = Math.max(this.#options.maxWaiting, fewestUtterances * longestUtterance);
      while (this.waiting > max) this.#utterances.shift();
    } else this.#queue.push(samples);
    this.#go();
  }

  /** Drops waiting and running requests; the stream continues with newly pushed audio. */
  interrupt(): void {
    this.#position += this.#queue.keepNewest(0);
    this.#utterances.length = 0;
    this.#utterance?.drop();
    this.#trace = undefined;
    this.#request?.abort();
  }

  /** Ends the audio. Resolves when the last frame has arrived. */
  async end(): Promise<void> {
    if (!this.#ended && this.#utterance) this.#utterances.push(...this.#utterance.end());
    this.#ended = true;
    this.#go();
    await this.#pump;
  }

  /** Stops at once, and returns the waiting audio. */
  stop(): void {
    this.#stopped = true;
    this.#queue.clear();
    this.#utterances.length = 0;
    this.#utterance?.drop();
    this.#closing.abort();
    this.#request?.abort();
  }

  #go(): void {
    this.#isDue = true;
    this.#pump ??= (async () => {
      try {
        // Handles audio that arrives while a step finds nothing to do.
        while (this.#isDue && !this.#stopped) {
          this.#isDue = false;
          while (!this.#stopped && (await this.#step())) {}
        }
      } finally {
        this.#pump = undefined;
      }
    })();
  }

  /** Sends the next request. @returns whether there may be more */
  async #step(): Promise<boolean> {
    return this.#utterance ? this.#sendUtterance() : this.#sendPart();
  }

  async #sendPart(): Promise<boolean> {
    const { sampleRate, least, most, maxWaiting, words, leftOut = 0 } = this.#options;
    const late = this.#queue.length - maxWaiting * sampleRate;
    if (late > 0) {
      this.#position += this.#queue.keepNewest(Math.round(least * sampleRate));
      this.#trace = undefined;
    }
    const isLast = this.#ended && this.#queue.length <= most * sampleRate;
    if (this.#queue.length < least * sampleRate && !isLast) return false;
    if (isLast && this.#queue.length === 0 && !this.#trace?.hasBegun) return false;
    if (!this.#trace && !isLast) this.#position += this.#queue.take(Math.round(leftOut * sampleRate)).length;
    const start = this.#position;
    // A first part is answered as if nothing followed: a short one leaves no seam.
    const isFirst = !this.#trace && !isLast;
    let samples = this.#queue.take(Math.round((isFirst ? firstPart : most) * sampleRate));
    this.#position += samples.length;
    // An `end` needs audio in its request.
    if (samples.length === 0) samples = new Float32Array(Math.round(sampleRate * 0.02));
    this.#trace ??= { id: this.#options.newTraceId(), start, hasBegun: false };
    const trace = this.#trace;
    const word = !trace.hasBegun ? words!.first : isLast ? words!.last : words!.middle;
    trace.hasBegun = true;
    const isDone = await this.#send(trace.id, word, trace.start, samples);
    if (!isDone && this.#trace === trace) this.#trace = undefined;
    if (!isLast) return true;
    // If the first part is everything, it is a whole utterance and needs no end.
    this.#trace = undefined;
    return this.#queue.length > 0;
  }

  async #sendUtterance(): Promise<boolean> {
    const utterance = this.#utterances.shift();
    if (!utterance) return false;
    await this.#send(this.#options.newTraceId(), this.#options.wholeWord, utterance.start, utterance.samples);
    return true;
  }

  /** @returns whether the response was complete */
  async #send(traceId: string, status: string, start: number, samples: Float32Array): Promise<boolean> {
    const { service, sampleRate, faceOptions, now } = this.#options;
    const request = new AbortController();
    this.#request = request;
    const offset = start / sampleRate;
    const askedAt = now();
    try {
      const messages = service.audioToFace(
        {
          traceId,
          status,
          audio: encodeWav({ sampleRate, samples }, 's16le'),
          seconds: samples.length / sampleRate,
          ...(faceOptions ?? {}),
        },
        { signal: request.signal },
      );
      for await (const message of messages) {
        if (request.signal.aborted) return false;
        const times = { askedAt, answeredAt: now() };
        if (message.kind === 'header') this.#options.onHeader(message, times);
        else if (message.kind === 'frame') this.#take(message, offset + message.timeCode, times);
      }
      this.#failures = 0;
      this.#options.onAnswer(now() - askedAt);
      return true;
    } catch (error) {
      if (request.signal.aborted || this.#stopped) return false;
      const mayGoOn = this.#options.onFailure(error);
      const isFinal = error instanceof Failure && error.code === 'cap_reached';
      if (!mayGoOn || isFinal) {
        this.stop();
        return false;
      }
      this.#failures += 1;
      const pause = backoffPause(this.#failures, reconnection);
      await this.#options.wait(pause, this.#closing.signal);
      return false;
    }
  }

  #take(frame: FaceStreamFrame, timeCode: number, times: CallTimes): void {
    // Skip duplicates, and frames of a time that was already shown.
    if (timeCode <= this.#lastTime) return;
    // These frames belong to the silence of an `end` request.
    if (this.#ended && timeCode >= this.#pushed / this.#options.sampleRate) return;
    this.#lastTime = timeCode;
    this.#options.onFrame(frame, timeCode, times);
  }
}

/** Splits audio at its pauses, which are dropped. */
export class UtteranceCutter {
  readonly #sampleRate: number;
  readonly #block: number;
  readonly #waiting = new SampleQueue();
  #position: number;
  #quiet = 0;
  #current: { start: number; blocks: Float32Array[]; length: number } | undefined;
  #lead: Float32Array[] = [];

  /** @param firstSample position of the first pushed sample */
  constructor(sampleRate: number, firstSample: number) {
    this.#sampleRate = sampleRate;
    this.#position = firstSample;
    this.#block = Math.round(sampleRate * 0.02);
  }

  /** @returns the completed utterances, with the position of their first sample */
  push(samples: Float32Array): { start: number; samples: Float32Array }[] {
    this.#waiting.push(samples);
    const whole: { start: number; samples: Float32Array }[] = [];
    while (this.#waiting.length >= this.#block) {
      const cut = this.#take(this.#waiting.take(this.#block));
      if (cut) whole.push(cut);
    }
    return whole;
  }

  end(): { start: number; samples: Float32Array }[] {
    const rest = this.#waiting.take(this.#waiting.length);
    if (this.#current && rest.length > 0) this.#add(rest);
    const last = this.#close();
    return last ? [last] : [];
  }

  drop(): void {
    this.#current = undefined;
    this.#quiet = 0;
  }

  #take(block: Float32Array): { start: number; samples: Float32Array } | undefined {
    let squares = 0;
    for (const sample of block) squares += sample * sample;
    const isQuiet = Math.sqrt(squares / block.length) < pauseLevel;
    if (!this.#current) {
      this.#lead.push(block);
      this.#position += block.length;
      if (isQuiet) {
        if (this.#lead.length * this.#block > leadIn * this.#sampleRate) this.#lead.shift();
        return undefined;
      }
      const length = this.#lead.reduce((sum, { length }) => sum + length, 0);
      this.#current = { start: this.#position - length, blocks: this.#lead, length };
      this.#lead = [];
      this.#quiet = 0;
      return undefined;
    }
    this.#add(block);
    this.#quiet = isQuiet ? this.#quiet + block.length : 0;
    const isOver =
      this.#quiet >= pauseSeconds * this.#sampleRate ||
      this.#current.length >= longestUtterance * this.#sampleRate;
    return isOver ? this.#close() : undefined;
  }

  #add(block: Float32Array): void {
    this.#current!.blocks.push(block);
    this.#current!.length += block.length;
    this.#position += block.length;
  }

  #close(): { start: number; samples: Float32Array } | undefined {
    const current = this.#current;
    this.#current = undefined;
    this.#quiet = 0;
    if (!current) return undefined;
    const samples = new Float32Array(current.length);
    let at = 0;
    for (const block of current.blocks) {
      samples.set(block, at);
      at += block.length;
    }
    return { start: current.start, samples };
  }
}
