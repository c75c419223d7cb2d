import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import type { LiveCommand } from '@likeness/proto/live/live_command.ts';
import { encodeReport, type Tier } from '@likeness/proto/live/live_message.ts';
import { decodeToStudio } from '@likeness/proto/live/live_message_to_studio.ts';
import type { StudioStream } from '#contract';
import type { FaceWatcher } from '../base/face_watcher.ts';
import { AudioStreamClient, type AudioStreamClientOptions } from './audio_stream_client.ts';
import type { Announced, LiveService } from './live_service.ts';
import { ServerVoice } from './server_voice.ts';
import { SessionFaces } from './session_faces.ts';
import { SessionHealth } from './session_health.ts';
import { SessionRecording, type SessionRecordingOptions } from './session_recording.ts';

export interface SessionOptions {
  stream: StudioStream;
  /** Hertz. */
  sampleRate: number;
  frameRate: 30 | 60;
  lookahead: 0 | 20 | 40 | 60;
  /** Default: false. */
  suppressNoise?: boolean;
  /** A file is sent as fast as it is answered; a microphone in real time. */
  source: 'microphone' | 'file';
  local: LiveService;
  /** Null if only the built-in engine is used. */
  server: LiveService | null;
  startTake: SessionRecordingOptions['startTake'];
  /** Receives every face; absent if nobody needs them. */
  watcher?: FaceWatcher | undefined;
  /**
   * Subscribes to a camera tracker's frames, with their age in seconds and its name; absent if there is none.
   * @returns a function that unsubscribes
   */
  onTracked?:
    | ((listener: (frame: FaceStreamFrame, age: number, from: string) => void) => () => void)
    | undefined;
  newTraceId: () => string;
  /** Milliseconds since 1970, by the system clock: the page uses the same. */
  now: () => number;
  wait: AudioStreamClientOptions['wait'];
  /** Calls back periodically until the returned function is called. */
  every: (milliseconds: number, callback: () => void) => () => void;
  onDefect: (error: unknown) => void;
}

/** Seconds of a file's audio that may wait for the built-in engine: the page sends 30 s ahead of its answers. */
const maxWaitingLocally = 60;
/** Bytes of a file's audio that may wait for a slower server: 23 minutes at 48 kHz. */
const maxWaitingForServer = 256 * 1024 * 1024;

/** Milliseconds between two reports. */
const reportEvery = 250;
/** Frames later than this many seconds after their audio count as late. */
const lateAfter = 1.2;

/**
 * Runs a microphone session: audio in, faces out, at once from the built-in engine and later from the
 * connection's server; both are marked and recorded. Resolves at its end.
 *
 * @throws Failure `unsupported` if a file's audio arrives so much faster than it is answered that it would
 * fill the memory: the page should send more only as faces arrive
 */
export async function runSession(options: SessionOptions): Promise<void> {
  const session = new Session(options, await options.local.announced());
  const reached = session.reachServer();
  // A file arrives faster than the server answers the capabilities request: its first audio would be lost.
  if (options.source === 'file') await reached;
  await session.run();
}

/**
 * One session: sends its audio to two streams, and their faces to the page and into a take, as the page
 * commands.
 */
class Session {
  readonly #options: SessionOptions;
  readonly #health: SessionHealth;
  readonly #recording: SessionRecording;
  readonly #faces: SessionFaces;
  readonly #local: AudioStreamClient;
  /** Null if only the built-in engine is used. */
  readonly #server: ServerVoice | null;
  /** Samples received so far. */
  #taken = 0;
  /** Time of the tracker's last frame, seconds. */
  #tracked = Number.NEGATIVE_INFINITY;
  #isEnding = false;
  #isOver = false;
  #orders = Promise.resolve();
  /** Ends the session with a failure, once it runs. */
  #overflow: (failure: Failure) => void = () => {};

  constructor(options: SessionOptions, localAnnounced: Announced) {
    this.#options = options;
    const { stream, local, server, onDefect } = options;
    this.#health = new SessionHealth({ hasServer: server !== null, onDefect });
    this.#recording = new SessionRecording({
      ...options,
      seconds: () => this.#seconds,
      reached: () => this.#reached,
      isOver: () => this.#isOver,
      onChanged: () => this.#report(),
    });
    this.#faces = new SessionFaces({
      send: (message) => stream.send(message),
      recording: this.#recording,
      watcher: options.watcher,
    });
    this.#local = this.#openVoice('local', local, localAnnounced);
    this.#server =
      server &&
      new ServerVoice({
        service: server,
        openVoice: (announced) => this.#openVoice('server', server, announced),
        isEnding: () => this.#isOver || this.#isEnding,
        onUnreachable: (error) => this.#failed('server', error),
      });
  }

  /** Asks the server, if any, for its capabilities; resolves when it has answered or failed. */
  async reachServer(): Promise<void> {
    if (!this.#isOver) await this.#server?.reach();
  }

  /** Receives audio and commands until the page closes the stream. */
  async run(): Promise<void> {
    const { stream, every } = this.#options;
    const stopReports = every(reportEvery, () => this.#report());
    stream.onMessage((bytes) => this.#hear(bytes));
    const stopTracking = this.#options.onTracked?.((frame, age, from) => this.#track(frame, age, from));
    try {
      await new Promise<void>((resolve, reject) => {
        this.#overflow = reject;
        stream.onClose(() => resolve());
      });
    } finally {
      this.#isOver = true;
      stopReports();
      stopTracking?.();
      this.#local.stop();
      this.#server?.stop();
      this.#options.watcher?.close();
      await this.#recording.close();
    }
  }

  /** Seconds of audio received so far. */
  get #seconds(): number {
    return this.#taken / this.#options.sampleRate;
  }

  /** Seconds up to which all frames have arrived; ignores a server that does not keep up. */
  get #reached(): number {
    const isServerWaitedFor = this.#server !== null && this.#health.server === 'live';
    const ofServer = isServerWaitedFor ? this.#faces.newest('server') : Number.POSITIVE_INFINITY;
    return Math.min(this.#faces.newest('local'), ofServer);
  }

  #openVoice(tier: Tier, { service, words }: LiveService, announced: Announced): AudioStreamClient {
    const { source, sampleRate, frameRate, lookahead, suppressNoise, newTraceId, now, wait } = this.#options;
    return new AudioStreamClient({
      service,
      words: announced.streamWords ? words : null,
      wholeWord: words.first,
      faceOptions: announced.faceOptions
        ? { frameRate, lookahead, ...(suppressNoise && { suppressNoise }) }
        : null,
      sampleRate,
      firstSample: this.#taken,
      ...requestSizes(tier, source),
      newTraceId,
      now,
      wait,
      onHeader: (header, times) => this.#faces.header(tier, header, times),
      onFrame: (frame, timeCode, times) => this.#faces.frame(tier, frame, timeCode, times),
      onAnswer: (milliseconds) => this.#answered(tier, milliseconds, announced),
      onFailure: (failure) => {
        const mayGoOn = this.#failed(tier, failure);
        if (tier === 'server' && mayGoOn) void this.reachServer();
        return mayGoOn;
      },
    });
  }

  #answered(tier: Tier, milliseconds: number, { streamWords }: Announced): void {
    if (tier === 'server' || !this.#server) this.#health.answered(milliseconds);
    if (tier === 'local') return;
    const behind = this.#seconds - this.#faces.newest('server');
    const isLate = this.#options.source === 'microphone' && behind > lateAfter && streamWords;
    this.#health.serverIs(isLate ? 'late' : 'live');
    // It may have been unavailable at the first request.
    if (!streamWords) void this.reachServer();
  }

  /** @returns whether the stream may continue with its service */
  #failed(tier: Tier, failure: unknown): boolean {
    const { shouldReport, mayGoOn } = this.#health.failed(tier, failure);
    if (shouldReport) this.#report();
    return mayGoOn;
  }

  #report(): void {
    if (this.#isOver) return;
    const { stream, server, local } = this.#options;
    const usage = (server ?? local).usage();
    const sinkTrouble = this.#recording.trouble();
    stream.send(
      encodeReport({
        seconds: this.#seconds,
        server: this.#health.server,
        ...(sinkTrouble ? { trouble: sinkTrouble, hint: '' } : this.#health.trouble),
        billedSeconds: usage?.seconds ?? 0,
        billedFrames: usage?.frames ?? 0,
        cost: usage?.cost ?? 0,
        currency: usage?.currency ?? '',
        answer: this.#health.answerTimes(),
        recording: this.#recording.takeId,
        recorded: this.#recording.finishedId,
      }),
    );
  }

  #hear(bytes: Uint8Array): void {
    const message = decodeToStudio(bytes);
    if (!message || this.#isOver) return;
    if (message.kind === 'sound') {
      this.#takeSound(message.samples);
      return;
    }
    const { order } = message;
    if (order.order === 'interrupt') {
      this.#local.interrupt();
      this.#server?.interrupt();
      this.#options.watcher?.interrupt(this.#seconds);
      return;
    }
    const at = this.#seconds;
    // In order: the recording to stop must have begun.
    this.#orders = this.#orders
      .then(() => this.#handleCommand(order, at))
      .catch((error: unknown) => {
        this.#health.wentWrong(error);
        this.#report();
      });
  }

  /** A tracker's frame is recorded beside the audio, at the position of the simultaneous sample. */
  #track(frame: FaceStreamFrame, age: number, from: string): void {
    const timeCode = this.#seconds - age;
    if (timeCode <= this.#tracked) return;
    this.#tracked = timeCode;
    this.#recording.face('tracker', trackerHeader(frame.weights.length), frame, timeCode);
    this.#recording.trackedBy(from);
  }

  #takeSound(samples: Float32Array): void {
    this.#taken += samples.length;
    this.#local.push(samples);
    this.#server?.push(samples);
    this.#recording.sound(samples);
    // A microphone's streams drop late audio themselves.
    if (this.#options.source === 'file') this.#boundWaiting();
  }

  #boundWaiting(): void {
    if (this.#local.waitingBytes > maxWaitingLocally * this.#options.sampleRate * 4) {
      this.#overflow(
        new Failure('unsupported', t('live.too_much_sound'), {
          hint: t('live.send_slower'),
        }),
      );
    }
    if (!this.#server || this.#server.waitingBytes <= maxWaitingForServer) return;
    // The built-in engine has this part.
    this.#server.interrupt();
    this.#failed('server', new Failure('upstream_broken', t('live.server_too_slow')));
  }

  /** @param at seconds of audio that had been received when the command came */
  async #handleCommand(command: Exclude<LiveCommand, { command: 'interrupt' }>, at: number): Promise<void> {
    switch (command.order) {
      case 'record':
        return this.#recording.start(command);
      case 'stop_recording':
        return this.#recording.stop(command);
      case 'expression':
        return this.#recording.express(command.expression, at);
      case 'end':
        this.#isEnding = true;
        await Promise.all([this.#local.end(), this.#server?.end()]);
        await this.#recording.stopNow();
        this.#report();
        this.#options.stream.close();
    }
  }
}

/** Trackers use ARKit's channels. @param channels of its frames */
const trackerHeader = (channels: number): FaceStreamHeader => ({
  kind: 'header',
  traceId: 'tracker',
  frameRate: 60,
  channelNames: arkitBlendshapeNames.slice(0, channels),
  mesh: undefined,
});

/** Seconds of audio in one request of a stream, and maximum seconds of waiting audio. */
function requestSizes(
  tier: Tier,
  source: SessionOptions['source'],
): Pick<AudioStreamClientOptions, 'least' | 'most' | 'leftOut' | 'maxWaiting'> {
  if (source === 'file') return { least: 1, most: 4, leftOut: 0, maxWaiting: Number.POSITIVE_INFINITY };
  // A remote server gets larger parts: each costs a round trip.
  if (tier === 'server') return { least: 0.1, most: 2, leftOut: 0, maxWaiting: 4 };
  // The engine's frames are final 5 ms after each hundredth of a second of their trace, because of its window
  // and resampler. Blocks of 10 ms from the start of a trace would make each frame wait for the next block.
  return { least: 0.01, most: 2, leftOut: 0.005, maxWaiting: 1 };
}
