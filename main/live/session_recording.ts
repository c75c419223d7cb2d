import type { Message } from '@likeness/messages';
import { encodeBareMessage, encodeFrameAt } from '@likeness/proto/face_stream.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import type { LatencyFigures, LiveCommand } from '@likeness/proto/live/live_command.ts';
import type { Tier } from '@likeness/proto/live/live_message.ts';
import type { PerformedExpression, ShownExpression } from '@likeness/proto/takes/performed_expressions.ts';
import type { AudioStreamClientOptions } from './audio_stream_client.ts';

type RecordOrder = Extract<LiveCommand, { order: 'record' }>;

/** Data about a finished recording. */
export interface RecordingEnd {
  latency: LatencyFigures | null;
  /** For an overdub: start in its take, seconds. */
  startsAt?: number | undefined;
  /** Name of the tracker whose face is in it; absent without one. */
  tracker?: string | undefined;
}

/** Writes a take during its recording. Calls return at once; `finish` waits for the disk. */
export interface TakeSink {
  readonly id: string;
  sound(samples: Float32Array): void;
  face(arrival: { arrivedAt: number; tier: Tier | 'tracker'; message: Uint8Array }): void;
  /** The expression that lies over the face changes. */
  express(change: PerformedExpression): void;
  /** Why recording can't continue (the disk is full); empty while it can. */
  trouble(): Message;
  finish(more: RecordingEnd): Promise<unknown>;
}

export interface SessionRecordingOptions {
  source: 'microphone' | 'file';
  /** Hertz. */
  sampleRate: number;
  frameRate: 30 | 60;
  startTake(take: {
    name: string;
    notes: string;
    model: string;
    source: 'microphone' | 'file';
    sampleRate: number;
    frameRate: number;
    attempt?: RecordOrder['attempt'];
    script?: RecordOrder['script'];
  }): Promise<TakeSink>;
  /** Seconds of audio that the session has received. */
  seconds: () => number;
  /** Seconds up to which all expected frames have arrived. */
  reached: () => number;
  isOver: () => boolean;
  now: () => number;
  wait: AudioStreamClientOptions['wait'];
  /** A take has begun or finished. */
  onChanged: () => void;
}

/** Seconds that the end of a recording waits for its last frames, and milliseconds between two checks. */
const lastFramesWithin = 2.5;
const lookEvery = 40;

interface Take {
  sink: TakeSink;
  /** Seconds from the session's first sample to the take's. */
  start: number;
  /** Its end, seconds; null while it continues. */
  end: number | null;
  headerWritten: Set<Tier | 'tracker'>;
  tracker?: string;
}

/** Records a session: one take at a time, with audio and faces on the session's clock. */
export class SessionRecording {
  readonly #options: SessionRecordingOptions;
  #take: Take | undefined;
  /** Data that arrives while the take's files are created; null: no creation is running. */
  #early: (() => void)[] | null = null;
  #finishedId = '';
  #expression: ShownExpression = null;

  constructor(options: SessionRecordingOptions) {
    this.#options = options;
  }

  /** The take being recorded; empty if none. */
  get takeId(): string {
    return this.#take && this.#take.end === null ? this.#take.sink.id : '';
  }

  /** The last finished take; empty before the first. */
  get finishedId(): string {
    return this.#finishedId;
  }

  /** Why the take can't continue; empty while it can, and if there is none. */
  trouble(): Message {
    return this.#take?.sink.trouble() ?? '';
  }

  /** Begins a take with the next audio; a running take continues. */
  async start({ name, notes, model, attempt, script }: RecordOrder): Promise<void> {
    const { source, sampleRate, frameRate, startTake, seconds, isOver, onChanged } = this.#options;
    if (this.#take || this.#early || isOver()) return;
    const start = seconds();
    this.#early = [];
    try {
      const sink = await startTake({
        name: name.slice(0, 120),
        notes: notes.slice(0, 20_000),
        model,
        source,
        sampleRate,
        frameRate,
        attempt,
        script,
      });
      // Closed meanwhile: nothing else would finish it, and the studio would count it as recording.
      if (isOver()) {
        await sink.finish({ latency: null });
        return;
      }
      if (this.#expression) sink.express({ at: 0, expression: this.#expression });
      this.#take = { sink, start, end: null, headerWritten: new Set() };
      const early = this.#early;
      this.#early = null;
      for (const write of early) write();
    } finally {
      this.#early = null;
    }
    onChanged();
  }

  sound(samples: Float32Array): void {
    this.#early?.push(() => this.sound(samples));
    if (this.#take && this.#take.end === null) this.#take.sink.sound(samples);
  }

  /** The frame format of the tier changes from now on. */
  expectHeader(tier: Tier): void {
    this.#take?.headerWritten.delete(tier);
  }

  /** @param timeCode of the frame in the session, seconds */
  face(
    tier: Tier | 'tracker',
    header: FaceStreamHeader | undefined,
    frame: FaceStreamFrame,
    timeCode: number,
  ): void {
    this.#early?.push(() => this.face(tier, header, frame, timeCode));
    if (!this.#take) return;
    const { sink, start, end, headerWritten } = this.#take;
    if (timeCode < start || (end !== null && timeCode > end)) return;
    const arrivedAt = this.#options.seconds() - start;
    if (!headerWritten.has(tier) && header) {
      headerWritten.add(tier);
      sink.face({ arrivedAt, tier, message: encodeBareMessage({ ...header, mesh: undefined }) });
    }
    sink.face({ arrivedAt, tier, message: encodeFrameAt(frame, timeCode - start) });
  }

  /** @param at seconds of the session from which the expression is shown; null: none is */
  express(expression: ShownExpression, at: number): void {
    this.#expression = expression;
    this.#take?.sink.express({ at: Math.max(0, at - this.#take.start), expression });
  }

  /** Records the source of the camera face. The last one is kept. */
  trackedBy(name: string): void {
    if (this.#take?.headerWritten.has('tracker')) this.#take.tracker = name;
  }

  /** Ends the take with the current audio, once its last frames have arrived or can't arrive any more. */
  async stop(known: Pick<RecordingEnd, 'latency' | 'startsAt'>): Promise<void> {
    const take = this.#ending();
    if (!take) return;
    await this.#lastFrames(take.end);
    await this.#finish(take, known);
  }

  /** The same if no more frames will arrive. */
  async stopNow(): Promise<void> {
    const take = this.#ending();
    if (take) await this.#finish(take, { latency: null });
  }

  /** The session is over: keeps the recorded data. */
  async close(): Promise<void> {
    if (this.#take) await finishSink(this.#take, { latency: null });
  }

  /** The take that ends now; does nothing if none does. */
  #ending(): (Take & { end: number }) | undefined {
    const take = this.#take;
    if (!take || take.end !== null) return undefined;
    return Object.assign(take, { end: this.#options.seconds() });
  }

  async #lastFrames(end: number): Promise<void> {
    const { frameRate, reached, isOver, now, wait } = this.#options;
    const until = now() + lastFramesWithin * 1000;
    const never = new AbortController().signal;
    while (reached() < end - 2 / frameRate && !isOver() && now() < until) await wait(lookEvery, never);
  }

  async #finish(take: Take, known: Pick<RecordingEnd, 'latency' | 'startsAt'>): Promise<void> {
    this.#take = undefined;
    await finishSink(take, known);
    this.#finishedId = take.sink.id;
    this.#options.onChanged();
  }
}

const finishSink = (
  { sink, tracker }: Take,
  { latency, startsAt }: Pick<RecordingEnd, 'latency' | 'startsAt'>,
): Promise<unknown> => sink.finish({ latency, startsAt, tracker });
