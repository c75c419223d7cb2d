import { t } from '@likeness/messages';
import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import type { TaskOptions, ThreadErrors } from '@likeness/node-kit/threads/thread_task.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { Refusal } from '../http/refusal.ts';
import {
  type AlignOrder,
  deserializeRefusal,
  type FaceBytes,
  type FaceOrder,
  type HeardShare,
  type HearOrder,
  type RecordingOrder,
  type SerializedRefusal,
  type SharedWords,
} from './recording_orders.ts';
import { soundSeconds } from './sound_source.ts';

export interface MakingOptions {
  onProgress?: (share: number) => void;
  signal: AbortSignal;
}

/** Analyses recordings, aligns words to them and makes their faces. Throws Refusals. */
export interface RecordingMaker {
  /** Names of the weights, by position in a frame. */
  readonly channelNames: readonly string[];
  hear(order: Omit<HearOrder, 'kind' | 'weights'>, options: MakingOptions): Promise<HeardShare>;
  align(order: Omit<AlignOrder, 'kind'>, options: MakingOptions): Promise<SpeechAlignment>;
  face(order: Omit<FaceOrder, 'kind'>, options: MakingOptions): Promise<FaceBytes>;
  /** Checks the words of a request. @throws {Refusal} 400 `json_malformed`, `field_wrong_value` */
  checkWords(words: SharedWords, options: MakingOptions): Promise<void>;
  /** Clears the analyses from every thread's memory, except work in progress. */
  forget(): Promise<void>;
  /** While somebody is speaking, faces also have lower priority. */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

export interface RecordingThreads {
  channelNames: readonly string[];
  /** The thread's entry, if a bundler has moved it. */
  workerUrl: URL | undefined;
  /** The full pass's weights; undefined: beside their module. */
  weights: URL | undefined;
}

/**
 * Milliseconds that an order may take before its thread is ended; analysis also gets the recording's length.
 */
const within = { hear: 120_000, align: 900_000, face: 120_000 } as const;

const errors: ThreadErrors = {
  deserialize: (serialized) => deserializeRefusal(serialized as SerializedRefusal),
  ended: (cause) =>
    new Refusal(
      422,
      'worker_died',
      typeof cause === 'number'
        ? t('refusal.recording_exit', { code: cause })
        : t('refusal.recording_died', { problem: cause.message }),
    ),
  tookTooLong: (milliseconds) =>
    new Refusal(
      422,
      'took_too_long',
      t('refusal.recording_took_too_long', { seconds: Math.round(milliseconds / 1000) }),
    ),
  cancelled: () => new Refusal(503, 'cancelled', t('refusal.nobody_waits')),
  closed: () => new Refusal(503, 'engine_closed', t('refusal.engine_closing')),
};

/**
 * Creates the recording maker. Analysis and alignment run in threads that always yield, so that an hour of
 * audio never disturbs a live voice. Faces have separate threads, so that dragging a word is answered during
 * an analysis.
 */
export function createRecordingMaker({ channelNames, workerUrl, weights }: RecordingThreads): RecordingMaker {
  const pool = <Lane extends string>(lanes: Readonly<Record<Lane, number>>, kept: number) =>
    new ThreadPool<RecordingOrder, Lane>({
      entry: workerUrl ?? new URL('./recording_worker.ts', import.meta.url),
      name: 'recordings',
      lanes,
      // An analysis lies in arrays outside V8's heap, the words of a long script inside it.
      memory: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 },
      kept,
      errors,
    });
  const speechPool = pool({ hear: 1, align: 1 }, 0);
  speechPool.yieldTo(true);
  // One thread stays warm: a hand-drawn stroke is answered within a tenth of a second.
  const faces = pool({ face: 1 }, 1);
  const options = <Lane extends string>(
    lane: Lane,
    milliseconds: number,
    { onProgress, signal }: MakingOptions,
  ): TaskOptions<Lane> => ({
    lane,
    milliseconds: async () => milliseconds,
    signal,
    ...(onProgress && { onProgress: (share) => onProgress(share as number) }),
  });
  return {
    channelNames,
    hear: async (order, making) =>
      (await speechPool.run(
        { ...order, kind: 'hear', weights: weights?.href ?? null },
        options('hear', within.hear + 1000 * soundSeconds(order.source), making),
      )) as HeardShare,
    align: async (order, making) =>
      (await speechPool.run(
        { ...order, kind: 'align' },
        options('align', within.align, making),
      )) as SpeechAlignment,
    face: async (order, making) =>
      (await faces.run({ ...order, kind: 'face' }, options('face', within.face, making))) as FaceBytes,
    checkWords: async (words, making) => {
      await faces.run({ kind: 'words', words }, options('face', within.face, making));
    },
    forget: async () => {
      await faces.run(
        { kind: 'forget' },
        options('face', within.face, { signal: new AbortController().signal }),
      );
    },
    yieldTo: (isSpeaking) => faces.yieldTo(isSpeaking),
    async close() {
      await Promise.all([speechPool.close(), faces.close()]);
    },
  };
}
