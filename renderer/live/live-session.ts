/**
 * One live session in the page: sends the voice, keeps incoming frames, and provides the face to show now.
 * React sees its state; sound and frames never pass through React.
 */

import type { Message } from '@likeness/messages';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';
import type { LiveCommand } from '@likeness/proto/live/live_command.ts';
import {
  decodeToPage,
  encodeOrder,
  encodeSound,
  type LiveReport,
  type Tier,
} from '@likeness/proto/live/live_message.ts';
import { LocalRemoteBlend } from '@likeness/proto/live/local_remote_blend.ts';
import type { TimedFrame } from '@likeness/proto/live/playout.ts';
import type { ShownExpression } from '@likeness/proto/takes/performed_expressions.ts';
import type { StudioError, StudioStream } from '#contract';
import { createStore } from '../base/store.ts';
import { asFailure, studio } from '../base/studio.ts';
import { LatencyStats } from './latency.ts';
import { captureRate, inputLatency, onBlock, outputLatency, setMonitor } from './sound-source.ts';

export interface SessionSettings {
  profileId: string;
  frameRate: 30 | 60;
  lookahead: 0 | 20 | 40 | 60;
  suppressNoise: boolean;
}

export type SessionState =
  | { kind: 'closed' }
  | { kind: 'opening' }
  | { kind: 'open' }
  | { kind: 'failed'; message: Message; hint: Message };

/** Milliseconds from drawing to display: a drawing waits for the next refresh. */
const displayMs = 1000 / 60;
/**
 * Frames are played by the display's monotonic clock; stages are measured by the system clock, which main
 * shares.
 */
const playClock = (): number => performance.now();

const state = createStore<SessionState>({ kind: 'closed' });
const report = createStore<LiveReport | null>(null);
let session: Session | undefined;
let attempt = 0;

function become(next: SessionState): void {
  report.set(null);
  state.set(next);
}

/** Called whenever the session's state changes. Returns the unsubscribe function. */
export const onSessionChange = state.subscribe;
export const sessionNow = state.get;
export const useSession = (): SessionState => state.use();

/** The newest report; null while there is none. */
export const reportNow = report.get;
export const onReport = report.subscribe;

/**
 * Returns one value of the newest report; null while there is none. Reports come four times a second: a component
 * re-renders only when its value changes, so that the page does not delay the face.
 */
export const useReport = <T extends string | number | boolean>(pick: (report: LiveReport) => T): T | null =>
  report.use((now) => (now ? pick(now) : null));

class Session {
  readonly latency = new LatencyStats();
  readonly #stream: StudioStream;
  readonly #tiers = new LocalRemoteBlend();
  readonly #decoders: Partial<Record<Tier, FaceStreamDecoder>> = {};
  readonly #stopBlocks: () => void;
  /** When blocks were captured, by the position just after their last sample. */
  readonly #captured: { end: number; at: number }[] = [];
  #sent = 0;
  #lastShown = Number.NEGATIVE_INFINITY;
  #measured = 0;
  /** Milliseconds from a sound in the worklet to its face on the display. */
  delay = 0;

  constructor(stream: StudioStream) {
    this.#stream = stream;
    stream.onMessage((bytes) => this.#take(bytes));
    this.#stopBlocks = onBlock(({ samples, capturedAt: at }) => {
      const firstSample = this.#sent;
      this.#sent += samples.length;
      this.#captured.push({ end: this.#sent, at });
      if (this.#captured.length > 800) this.#captured.shift();
      stream.send(encodeSound({ capturedAt: at, firstSample, samples }));
    });
  }

  order(order: Parameters<typeof encodeOrder>[0]): void {
    this.#stream.send(encodeOrder(order));
  }

  /** Seconds of the session that its sound has reached. */
  get position(): number {
    return this.#sent / captureRate;
  }

  /** Seconds of the session at which what is at the microphone now will lie; null before the first sound. */
  get atMicrophone(): number | null {
    const last = this.#captured.at(-1);
    return last ? last.end / captureRate + (Date.now() - last.at + inputLatency()) / 1000 : null;
  }

  end(): void {
    this.#stopBlocks();
  }

  close(): void {
    this.end();
    this.#stream.close();
  }

  /** Discards pending frames: the face rests until new ones come. */
  interrupt(): void {
    this.order({ order: 'interrupt' });
    this.#tiers.interrupt(this.#sent / captureRate, playClock());
  }

  #take(bytes: Uint8Array): void {
    const message = decodeToPage(bytes);
    if (!message) return;
    if (message.kind === 'report') {
      if (state.get().kind === 'open') report.set(message.report);
      return;
    }
    const { tier, askedAt, answeredAt } = message;
    if (message.kind === 'header') this.#decoders[tier] = new FaceStreamDecoder();
    const read = this.#decoders[tier]?.accept(message.message);
    if (read?.kind === 'header') this.#tiers.begin(tier, read.channelNames);
    if (read?.kind !== 'frame') return;
    this.#tiers.push(tier, { frame: read, askedAt, answeredAt, arrivedAt: Date.now() }, playClock());
  }

  /** The face to show now; null while there is none. */
  faceAt(at: number): FaceState | null {
    const shown = this.#tiers.faceAt(at);
    if (shown?.from) this.#measure(shown.from, Date.now());
    return shown?.face ?? null;
  }

  /** Share of the server's face in what is shown, 0..1. */
  get serverShare(): number {
    return this.#tiers.serverShare;
  }

  #measure(shown: TimedFrame, at: number): void {
    const { timeCode } = shown.frame;
    if (timeCode <= this.#lastShown && timeCode > this.#lastShown - 1) return;
    this.#lastShown = timeCode;
    const position = timeCode * captureRate;
    const block = this.#captured.find(({ end }) => end > position);
    if (!block) return;
    const spokenAt = block.at - ((block.end - position) / captureRate) * 1000;
    const base = inputLatency();
    this.latency.add({
      capture: base + (block.at - spokenAt),
      send: shown.askedAt - block.at,
      solve: shown.answeredAt - shown.askedAt,
      return: shown.arrivedAt - shown.answeredAt,
      render: at - shown.arrivedAt,
    });
    // The mean of the first, so that the monitor matches from the first word on; then of the last second.
    this.#measured += 1;
    this.delay += (at + displayMs - spokenAt - this.delay) * Math.max(0.02, 1 / this.#measured);
    // The sound's own way out takes part of the time that the face takes.
    setMonitor({ delay: (this.delay - outputLatency()) / 1000 });
  }
}

/** Opens a session; errors become state and are shown. */
export async function startSession(settings: SessionSettings): Promise<void> {
  attempt += 1;
  const mine = attempt;
  session?.close();
  session = undefined;
  become({ kind: 'opening' });
  try {
    const stream = await studio.live.open({ ...settings, sampleRate: captureRate, source: 'microphone' });
    if (mine !== attempt) return stream.close();
    const opened = new Session(stream);
    session = opened;
    become({ kind: 'open' });
    stream.onClose((error?: StudioError) => {
      if (session !== opened) return;
      opened.end();
      session = undefined;
      become(error ? { kind: 'failed', message: error.message, hint: error.hint } : { kind: 'closed' });
    });
  } catch (thrown) {
    if (mine !== attempt) return;
    const { userMessage, advice } = asFailure(thrown);
    become({ kind: 'failed', message: userMessage, hint: advice });
  }
}

export function stopSession(): void {
  attempt += 1;
  const ending = session;
  session = undefined;
  ending?.close();
  if (state.get().kind !== 'closed') become({ kind: 'closed' });
}

/** The face to show now; null while there is none. */
export const faceNow = (): FaceState | null => session?.faceAt(playClock()) ?? null;
export const serverShare = (): number => session?.serverShare ?? 0;
/** Milliseconds from a sound to its face on the display. */
export const faceDelay = (): number => session?.delay ?? 0;
export const latencyFigures = (): ReturnType<LatencyStats['figures']> => session?.latency.figures() ?? null;

export const interruptSession = (): void => session?.interrupt();
/** From now on this expression lies over the face; null: none. */
export const showExpression = (expression: ShownExpression): void =>
  session?.order({ order: 'expression', expression });
type RecordOrder = Omit<Extract<LiveCommand, { order: 'record' }>, 'order'>;
/** @returns seconds of the session at which the recording begins; null where no session is open */
export function startRecording(take: RecordOrder): number | null {
  session?.order({ order: 'record', ...take });
  return session?.position ?? null;
}
/** @param startsAt of another try of a take: seconds of the take at which it begins */
export const stopRecording = (startsAt?: number): void =>
  session?.order({
    order: 'stop_recording',
    latency: session.latency.figures()?.total ?? null,
    ...(startsAt !== undefined && { startsAt }),
  });
/** Seconds of the session at which what is at the microphone now will lie; null without a sound. */
export const voicePosition = (): number | null => session?.atMicrophone ?? null;
