import { backoffPause } from '@likeness/node-kit/backoff.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { SampleQueue } from './sample_queue.ts';

/** A1 as a voice needs it. */
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

/** How a voice is brought to one server. */
export interface AudioStreamClientOptions {
  service: FaceService;
  /** Words for the position in the stream; null where the server takes whole utterances only. */
  words: { first: string; middle: string; last: string } | null;
  /** The word for a whole utterance. */
  wholeWord: string;
  /** Given where the server announces that it takes them. */
  faceOptions: { frameRate: 30 | 60; lookahead: 0 | 20 | 40 | 60; suppressNoise?: boolean } | null;
  /** Hertz. */
  sampleRate: number;
  /** Position in the session of the first sample that will be pushed. Default 0. */
  firstSample?: number;
  /** Seconds of sound in a request: at least, unless the voice ends, and at most. */
  least: number;
  most: number;
  /** Seconds of sound that are left out where a trace begins, less than `least`. Default 0. */
  leftOut?: number;
  /** Seconds of sound that may wait: what is older is given up, for a live face has no use for it. */
  maxWaiting: number;
  newTraceId: () => string;
  /** Milliseconds since 1970, by the system's clock: the page measures by the same. */
  now: () => number;
  /** Waits so many milliseconds; resolves early when the signal is aborted. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  onHeader(header: FaceStreamHeader, times: CallTimes): void;
  /** `timeCode` counts from the session's first sample, and only ever rises. */
  onFrame(frame: FaceStreamFrame, timeCode: number, times: CallTimes): void;
  /** A request was answered as it should be, after so many milliseconds. */
  onAnswer(milliseconds: number): void;
  /** The server failed. @returns false: the voice is not to go on with it */
  onFailure(failure: unknown): boolean;
}

export interface CallTimes {
  askedAt: number;
  answeredAt: number;
}

/** Seconds of a voice's first part where more follows. */
const firstPart = 0.02;
/** Seconds below the pause's level that end an utterance, and the longest utterance. */
const pauseSeconds = 0.28;
const longestUtterance = 6;
/** Utterances of the longest kind that may wait in any case. */
const fewestUtterances = 4;
/** Bytes that a block of samples takes beside them. */
const blockBytes = 256;
/** Root mean square below which a 20 ms block is a pause (−48 dBFS). */
const pauseLevel = 0.004;
/** Seconds of silence kept before an utterance, so that its onset is whole. */
const leadIn = 0.12;
/** Milliseconds until a server that failed is tried again: first, and most. */
const reconnection = { first: 250, longest: 8000 };

/**
 * One voice on its way to one server. Sound is collected while a request is under way and leaves in the next
 * one, so that the size of requests follows the server's own speed, within bounds.
 *
 * After a failure the voice begins anew, under a new trace, with the sound of the present moment.
 */
export class AudioStreamClient {
  readonly #options: AudioStreamClientOptions;
  readonly #queue = new SampleQueue();
  readonly #closing = new AbortController();
  /** Position in the session just after the last sample that was pushed. */
  #pushed: number;
  /** The same of the first that waits. */
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

  /** Seconds of sound that were pushed and not yet sent. */
  get waiting(): number {
    const cut = this.#utterances.reduce((sum, { samples }) => sum + samples.length, 0);
    return (this.#queue.length + cut) / this.#options.sampleRate;
  }

  /** Bytes that what waits takes in memory. */
  get waitingBytes(): number {
    return this.waiting * this.#options.sampleRate * 4 + this.#queue.blocks * blockBytes;
  }

  push(samples: Float32Array): void {
    if (this.#ended || this.#stopped) return;
    this.#pushed += samples.length;
    if (this.#utterance) {
      for (const cut of this.#utterance.push(samples)) this.#utterances.push(cut);
      // A server that takes whole utterances may be slower than a voice, all day long.
      const max = Math.max(this.#options.maxWaiting, fewestUtterances * longestUtterance);
      while (this.waiting > max) this.#utterances.shift();
    } else this.#queue.push(samples);
    this.#go();
  }

  /** What waits and what is under way is not wanted any more; the voice goes on with what is pushed next. */
  interrupt(): void {
    this.#position += this.#queue.keepNewest(0);
    this.#utterances.length = 0;
    this.#utterance?.drop();
    this.#trace = undefined;
    this.#request?.abort();
  }

  /** No sound will follow. Resolves when the last frame has come. */
  async end(): Promise<void> {
    if (!this.#ended && this.#utterance) this.#utterances.push(...this.#utterance.end());
    this.#ended = true;
    this.#go();
    await this.#pump;
  }

  /** Stops at once, and gives back what waits. */
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
        // What comes while a step finds nothing to do is looked at once more.
        while (this.#isDue && !this.#stopped) {
          this.#isDue = false;
          while (!this.#stopped && (await this.#step())) {}
        }
      } finally {
        this.#pump = undefined;
      }
    })();
  }

  /** Sends what is due. @returns whether there may be more */
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
    // An `end` needs a sound to go with.
    if (samples.length === 0) samples = new Float32Array(Math.round(sampleRate * 0.02));
    this.#trace ??= { id: this.#options.newTraceId(), start, hasBegun: false };
    const trace = this.#trace;
    const word = !trace.hasBegun ? words!.first : isLast ? words!.last : words!.middle;
    trace.hasBegun = true;
    const isDone = await this.#send(trace.id, word, trace.start, samples);
    if (!isDone && this.#trace === trace) this.#trace = undefined;
    if (!isLast) return true;
    // A first part that was all of it is a whole utterance: it needs no end.
    this.#trace = undefined;
    return this.#queue.length > 0;
  }

  async #sendUtterance(): Promise<boolean> {
    const utterance = this.#utterances.shift();
    if (!utterance) return false;
    await this.#send(this.#options.newTraceId(), this.#options.wholeWord, utterance.start, utterance.samples);
    return true;
  }

  /** @returns whether the answer came whole */
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
    // Duplicates, and frames of a time that has been shown.
    if (timeCode <= this.#lastTime) return;
    // Of the silence that an `end` went with.
    if (this.#ended && timeCode >= this.#pushed / this.#options.sampleRate) return;
    this.#lastTime = timeCode;
    this.#options.onFrame(frame, timeCode, times);
  }
}

/** Cuts a voice at its pauses; pauses themselves are left out. */
export class UtteranceCutter {
  readonly #sampleRate: number;
  readonly #block: number;
  readonly #waiting = new SampleQueue();
  #position: number;
  #quiet = 0;
  #current: { start: number; blocks: Float32Array[]; length: number } | undefined;
  #lead: Float32Array[] = [];

  /** @param firstSample position of the first sample that will be pushed */
  constructor(sampleRate: number, firstSample: number) {
    this.#sampleRate = sampleRate;
    this.#position = firstSample;
    this.#block = Math.round(sampleRate * 0.02);
  }

  /** @returns the utterances that are now whole, with the position of their first sample */
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
