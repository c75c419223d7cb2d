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
  /** A file is sent as fast as it is answered; a microphone as it speaks. */
  source: 'microphone' | 'file';
  local: LiveService;
  /** Null where the built-in engine is all there is. */
  server: LiveService | null;
  startTake: SessionRecordingOptions['startTake'];
  /** Told of every face; absent where nobody is. */
  watcher?: FaceWatcher | undefined;
  /**
   * Calls back for each frame of a camera's tracker, with its age in seconds and its name; absent where there is none.
   * @returns the end of it
   */
  onTracked?:
    | ((listener: (frame: FaceStreamFrame, age: number, from: string) => void) => () => void)
    | undefined;
  newTraceId: () => string;
  /** Milliseconds since 1970, by the system's clock: the page measures by the same. */
  now: () => number;
  wait: AudioStreamClientOptions['wait'];
  /** Calls back again and again until the returned function is called. */
  every: (milliseconds: number, callback: () => void) => () => void;
  onDefect: (error: unknown) => void;
  /** Bytes of a file's sound that may wait for one voice. Default: 23 minutes at 48 kHz. */
  maxWaitingBytes?: number;
}

const defaultMaxWaitingBytes = 256 * 1024 * 1024;

/** Milliseconds between two reports. */
const reportEvery = 250;
/** Frames later than so many seconds after their sound are late. */
const lateAfter = 1.2;

/**
 * A microphone session: sound in, faces out, from the built-in engine at once and from the connection's
 * server as it comes; both marked, both recorded. Resolves when it is over.
 *
 * @throws Failure `unsupported` where a file's sound comes so much faster than it is answered that it would
 *   fill the memory: the page sends on as faces come
 */
export async function runSession(options: SessionOptions): Promise<void> {
  const session = new Session(options, await options.local.announced());
  const reached = session.reachServer();
  // A file comes faster than the server can be asked: its first sound would be lost to it.
  if (options.source === 'file') await reached;
  await session.run();
}

/** One session: its sound goes to two voices, their faces to the page and into a take, by the page's orders. */
class Session {
  readonly #options: SessionOptions;
  readonly #health: SessionHealth;
  readonly #recording: SessionRecording;
  readonly #faces: SessionFaces;
  readonly #local: AudioStreamClient;
  /** Null where the built-in engine is all there is. */
  readonly #server: ServerVoice | null;
  /** Samples that came so far. */
  #taken = 0;
  /** Where the tracker's last frame is, seconds. */
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

  /** Asks the server what it can, where there is one; resolves when it has answered or failed. */
  async reachServer(): Promise<void> {
    if (!this.#isOver) await this.#server?.reach();
  }

  /** Takes sound and orders until the page closes the stream. */
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

  /** Seconds of sound that came so far. */
  get #seconds(): number {
    return this.#taken / this.#options.sampleRate;
  }

  /** Seconds up to which all frames have come; a server that does not keep up is not waited for. */
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
    // It may have been away when it was asked.
    if (!streamWords) void this.reachServer();
  }

  /** @returns whether the voice may go on with its service */
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
    // In order: a recording that is stopped has begun.
    this.#orders = this.#orders
      .then(() => this.#handleCommand(order))
      .catch((error: unknown) => {
        this.#health.wentWrong(error);
        this.#report();
      });
  }

  /** A tracker's frame is recorded beside the voice's, at the place of the sound that was there with it. */
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
    // A microphone's voices give up what is late by themselves.
    if (this.#options.source === 'file') this.#boundWaiting();
  }

  #boundWaiting(): void {
    const max = this.#options.maxWaitingBytes ?? defaultMaxWaitingBytes;
    if (this.#local.waitingBytes > max) {
      this.#overflow(
        new Failure('unsupported', t('live.too_much_sound'), {
          hint: t('live.send_slower'),
        }),
      );
    }
    if (!this.#server || this.#server.waitingBytes <= max) return;
    // The built-in engine has this part.
    this.#server.interrupt();
    this.#failed('server', new Failure('upstream_broken', t('live.server_too_slow')));
  }

  async #handleCommand(command: Exclude<LiveCommand, { command: 'interrupt' }>): Promise<void> {
    switch (command.order) {
      case 'record':
        return this.#recording.start(command);
      case 'stop_recording':
        return this.#recording.stop(command);
      case 'end':
        this.#isEnding = true;
        await Promise.all([this.#local.end(), this.#server?.end()]);
        await this.#recording.stopNow();
        this.#report();
        this.#options.stream.close();
    }
  }
}

/** Trackers speak ARKit's channels. @param channels of its frames */
const trackerHeader = (channels: number): FaceStreamHeader => ({
  kind: 'header',
  traceId: 'tracker',
  frameRate: 60,
  channelNames: arkitBlendshapeNames.slice(0, channels),
  mesh: undefined,
});

/** Seconds of sound that go with one request of a voice, and that may wait for it. */
function requestSizes(
  tier: Tier,
  source: SessionOptions['source'],
): Pick<AudioStreamClientOptions, 'least' | 'most' | 'leftOut' | 'maxWaiting'> {
  if (source === 'file') return { least: 1, most: 4, leftOut: 0, maxWaiting: Number.POSITIVE_INFINITY };
  // A server that is far away gets larger pieces: each costs it and us a round trip.
  if (tier === 'server') return { least: 0.1, most: 2, leftOut: 0, maxWaiting: 4 };
  // The engine's frames are certain 5 ms after a whole hundredth of a second of their trace, by its window
  // and its resampler. Blocks of 10 ms from a trace's beginning on would make each of them wait for the next
  // block.
  return { least: 0.01, most: 2, leftOut: 0.005, maxWaiting: 1 };
}
