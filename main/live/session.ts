import type { StudioStream } from '#contract';
import { encodeBareMessage, encodeFrameAt } from '#proto/face_stream.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '#proto/face_stream_protocol.ts';
import { encodeFace, encodeReport, type LiveReport, type Tier } from '#proto/live_message.ts';
import { decodeToStudio } from '#proto/live_message_to_studio.ts';
import type { LatencyFigures, LiveOrder } from '#proto/live_order.ts';
import { type Said, say } from '#sentences';
import { Failure } from '../failure.ts';
import { createPercentiles } from './percentiles.ts';
import type { SessionUsage } from './session_meter.ts';
import { type FaceService, Voice, type VoiceOptions } from './voice.ts';

/** Extensions of a server that a voice makes use of. */
export interface Announced {
  streamWords: boolean;
  faceOptions: boolean;
}

/** One of the session's connections, ready to be spoken to. */
export interface LiveService {
  profileId: string;
  service: FaceService;
  words: { first: string; middle: string; last: string };
  /**
   * What the server announces; nothing where it does not answer, and then it is asked anew the next time.
   * @throws Failure where the connection is gone, or the built-in engine would not start
   */
  announced(): Promise<Announced>;
  usage(): SessionUsage | null;
}

/** Where a take is written while it is recorded. Calls return at once; the disk is waited for in `finish`. */
export interface TakeSink {
  readonly id: string;
  sound(samples: Float32Array): void;
  face(arrival: { arrivedAt: number; tier: Tier; message: Uint8Array }): void;
  /** Why it can't go on (the disk is full); empty while it can. */
  trouble(): Said;
  finish(more: { latency: LatencyFigures | null }): Promise<unknown>;
}

export interface SessionOptions {
  stream: StudioStream;
  /** Hertz. */
  sampleRate: number;
  frameRate: 30 | 60;
  lookahead: 0 | 20 | 40 | 60;
  /** A file is sent as fast as it is answered; a microphone as it speaks. */
  source: 'microphone' | 'file';
  local: LiveService;
  /** Null where the built-in engine is all there is. */
  server: LiveService | null;
  startTake(take: {
    name: string;
    notes: string;
    model: string;
    source: 'microphone' | 'file';
    sampleRate: number;
    frameRate: number;
  }): Promise<TakeSink>;
  newTraceId: () => string;
  /** Milliseconds since 1970, by the system's clock: the page measures by the same. */
  now: () => number;
  wait: VoiceOptions['wait'];
  /** Calls back again and again until the returned function is called. */
  every: (milliseconds: number, callback: () => void) => () => void;
  onDefect: (error: unknown) => void;
  /** Bytes of a file's sound that may wait for one voice. Default: 23 minutes at 48 kHz. */
  mostWaitingBytes?: number;
}

const defaultMostWaitingBytes = 256 * 1024 * 1024;

/** Milliseconds between two reports. */
const reportEvery = 250;
/** Frames later than so many seconds after their sound are late. */
const lateAfter = 1.2;
/** Seconds that the end of a recording waits for its last frames. */
const lastFramesWithin = 2.5;

interface Recording {
  sink: TakeSink;
  /** Seconds from the session's first sample to the take's. */
  start: number;
  /** Seconds where it ends; null while it goes on. */
  end: number | null;
  headerWritten: Set<Tier>;
}

/**
 * A microphone session: sound in, faces out, from the built-in engine at once and from the connection's
 * server as it comes; both marked, both recorded. Resolves when it is over.
 *
 * @throws Failure `unsupported` where a file's sound comes so much faster than it is answered that it would
 *   fill the memory: the page sends on as faces come
 */
export async function runSession(options: SessionOptions): Promise<void> {
  const { stream, sampleRate, source, server: serverService, now } = options;
  const answers = createPercentiles();
  const headers = new Map<Tier, FaceStreamHeader>();
  const sent = new Map<Tier, string>();
  const newestFrame = new Map<Tier, number>();
  let taken = 0;
  let recording: Recording | undefined;
  let recorded = '';
  let trouble: Said = '';
  let hint: Said = '';
  let serverState: LiveReport['server'] = serverService ? 'waiting' : 'none';
  let isOver = false;
  let isEnding = false;
  const seconds = (): number => taken / sampleRate;
  const primary = serverService ?? options.local;

  const fail = (tier: Tier, failure: unknown): boolean => {
    if (!(failure instanceof Failure)) options.onDefect(failure);
    if (tier === 'local' && serverService) return true;
    trouble = failure instanceof Failure ? failure.said : say('live.defect');
    hint = failure instanceof Failure ? failure.advice : '';
    if (tier === 'server') serverState = 'gone';
    const final =
      failure instanceof Failure &&
      ['cap_reached', 'key_missing', 'locked', 'invalid_input'].includes(failure.code);
    if (final && tier === 'server') serverState = 'stopped';
    report();
    return !final;
  };

  const voiceTo = (
    tier: Tier,
    { service, words }: LiveService,
    { streamWords, faceOptions }: Announced,
  ): Voice => {
    const isLocal = tier === 'local';
    return new Voice({
      service,
      words: streamWords ? words : null,
      wholeWord: words.first,
      faceOptions: faceOptions ? { frameRate: options.frameRate, lookahead: options.lookahead } : null,
      sampleRate,
      firstSample: taken,
      // A server that is far away gets larger pieces: each costs it and us a round trip.
      least: source === 'file' ? 1 : isLocal ? 0.01 : 0.1,
      most: source === 'file' ? 4 : 2,
      // The engine's frames are certain 5 ms after a whole hundredth of a second of their trace, by its
      // window and its resampler. Blocks of 10 ms from a trace's beginning on would make each of them wait
      // for the next block.
      leftOut: source === 'microphone' && isLocal ? 0.005 : 0,
      mostWaiting: source === 'file' ? Number.POSITIVE_INFINITY : isLocal ? 1 : 4,
      newTraceId: options.newTraceId,
      now,
      wait: options.wait,
      onHeader(header, times) {
        headers.set(tier, header);
        const shape = JSON.stringify([header.frameRate, header.channelNames]);
        if (sent.get(tier) === shape) return;
        sent.set(tier, shape);
        const message = encodeBareMessage({ ...header, mesh: undefined });
        stream.send(encodeFace({ kind: 'header', tier, ...times, message }));
        recording?.headerWritten.delete(tier);
      },
      onFrame(frame, timeCode, times) {
        newestFrame.set(tier, timeCode);
        stream.send(encodeFace({ kind: 'frame', tier, ...times, message: encodeFrameAt(frame, timeCode) }));
        record(tier, frame, timeCode);
      },
      onAnswer(milliseconds) {
        if (tier === 'server' || !serverService) {
          answers.add(milliseconds);
          trouble = '';
          hint = '';
        }
        if (tier === 'server') {
          const behind = seconds() - (newestFrame.get('server') ?? 0);
          serverState = source === 'microphone' && behind > lateAfter && streamWords ? 'late' : 'live';
          if (!streamWords) reachServer();
        }
      },
      onFailure(failure) {
        const mayGoOn = fail(tier, failure);
        if (tier === 'server' && mayGoOn) reachServer();
        return mayGoOn;
      },
    });
  };

  /** @param timeCode of the frame in the session, seconds */
  const record = (tier: Tier, frame: FaceStreamFrame, timeCode: number): void => {
    if (!recording) return;
    const { sink, start, end, headerWritten } = recording;
    if (timeCode < start || (end !== null && timeCode > end)) return;
    const arrivedAt = seconds() - start;
    const header = headers.get(tier);
    if (!headerWritten.has(tier) && header) {
      headerWritten.add(tier);
      sink.face({ arrivedAt, tier, message: encodeBareMessage({ ...header, mesh: undefined }) });
    }
    sink.face({ arrivedAt, tier, message: encodeFrameAt(frame, timeCode - start) });
  };

  const report = (): void => {
    if (isOver) return;
    const usage = primary.usage();
    const sinkTrouble = recording?.sink.trouble() ?? '';
    stream.send(
      encodeReport({
        seconds: seconds(),
        server: serverState,
        trouble: sinkTrouble || trouble,
        hint: sinkTrouble ? '' : hint,
        billedSeconds: usage?.seconds ?? 0,
        billedFrames: usage?.frames ?? 0,
        cost: usage?.cost ?? 0,
        currency: usage?.currency ?? '',
        answer: answers.figures(),
        recording: recording && recording.end === null ? recording.sink.id : '',
        recorded,
      }),
    );
  };

  const local = voiceTo('local', options.local, await options.local.announced());
  let server: { voice: Voice; announced: Announced } | undefined;
  let reaching: Promise<void> | undefined;
  /**
   * Asks the server what it can, and speaks to it so from here on. The face does not wait for it; a server
   * that was away is asked again when it failed or answers at last.
   */
  const reachServer = (): void => {
    const reach = async (from: LiveService): Promise<void> => {
      const announced = await from.announced();
      if (isOver || isEnding || server?.announced.streamWords === announced.streamWords) return;
      server?.voice.stop();
      server = { voice: voiceTo('server', from, announced), announced };
    };
    if (!serverService || isOver) return;
    reaching ??= reach(serverService)
      .catch((error: unknown) => void fail('server', error))
      .finally(() => {
        reaching = undefined;
      });
  };
  reachServer();
  // A file comes faster than the server can be asked: its first sound would be lost to it.
  if (source === 'file') await reaching;

  const stopRecording = async (latency: LatencyFigures | null, mayCome: boolean): Promise<void> => {
    const ending = recording;
    if (!ending || ending.end !== null) return;
    ending.end = seconds();
    const until = now() + lastFramesWithin * 1000;
    const lacksFrames = (): boolean => {
      const reached = newestFrame.get('local') ?? 0;
      const ofServer =
        serverService && serverState === 'live' ? (newestFrame.get('server') ?? 0) : ending.end!;
      return Math.min(reached, ofServer) < ending.end! - 2 / options.frameRate;
    };
    const never = new AbortController().signal;
    while (mayCome && lacksFrames() && !isOver && now() < until) await options.wait(40, never);
    recording = undefined;
    await ending.sink.finish({ latency });
    recorded = ending.sink.id;
    report();
  };

  let isStarting = false;
  const obey = async (order: Exclude<LiveOrder, { order: 'interrupt' }>): Promise<void> => {
    switch (order.order) {
      case 'record': {
        if (recording || isStarting) return;
        isStarting = true;
        try {
          const sink = await options.startTake({
            name: order.name.slice(0, 120),
            notes: order.notes.slice(0, 20_000),
            model: order.model,
            source,
            sampleRate,
            frameRate: options.frameRate,
          });
          recording = { sink, start: seconds(), end: null, headerWritten: new Set() };
        } finally {
          isStarting = false;
        }
        report();
        return;
      }
      case 'stop_recording':
        return stopRecording(order.latency, true);
      case 'end':
        isEnding = true;
        await Promise.all([local.end(), server?.voice.end()]);
        await stopRecording(null, false);
        report();
        stream.close();
    }
  };

  const mostWaiting = options.mostWaitingBytes ?? defaultMostWaitingBytes;
  let overflow: (failure: Failure) => void = () => {};
  /** A microphone's voices give up what is late by themselves. */
  const boundWaiting = (): void => {
    if (local.waitingBytes > mostWaiting) {
      overflow(
        new Failure('unsupported', say('live.too_much_sound'), {
          hint: say('live.send_slower'),
        }),
      );
    }
    if (!server || server.voice.waitingBytes <= mostWaiting) return;
    // The built-in engine has this part.
    server.voice.interrupt();
    fail('server', new Failure('upstream_broken', say('live.server_too_slow')));
  };

  const stopReports = options.every(reportEvery, report);
  let orders = Promise.resolve();
  stream.onMessage((bytes) => {
    const message = decodeToStudio(bytes);
    if (!message || isOver) return;
    if (message.kind === 'sound') {
      taken += message.samples.length;
      local.push(message.samples);
      server?.voice.push(message.samples);
      if (recording && recording.end === null) recording.sink.sound(message.samples);
      if (source === 'file') boundWaiting();
      return;
    }
    const { order } = message;
    if (order.order === 'interrupt') {
      local.interrupt();
      server?.voice.interrupt();
      return;
    }
    // In order: a recording that is stopped has begun.
    orders = orders
      .then(() => obey(order))
      .catch((error: unknown) => {
        trouble = error instanceof Failure ? error.said : say('live.defect');
        hint = error instanceof Failure ? error.advice : '';
        if (!(error instanceof Failure)) options.onDefect(error);
        report();
      });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      overflow = reject;
      stream.onClose(() => resolve());
    });
  } finally {
    isOver = true;
    stopReports();
    local.stop();
    server?.voice.stop();
    await recording?.sink.finish({ latency: null });
  }
}
