import {
  alignmentSchema,
  failedSchema,
  heardSchema,
  progressSchema,
} from '@likeness/engine/recordings/recording_answers.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceStreamFrame, FaceStreamMessage } from '@likeness/proto/face_stream_protocol.ts';
import { DelimitedReader } from '@likeness/proto/framing.ts';
import type { NoiseTreatment } from '@likeness/proto/speech/noise_treatment.ts';
import type { SpokenLanguage } from '@likeness/proto/speech/phones.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { StreamedFace, TakeFace } from '@likeness/proto/take_stream.ts';
import type { Sound } from '@likeness/proto/wav.ts';
import { Agent, fetch, type Response } from 'undici';
import type { z } from 'zod';
import { askEngine, EngineRefusal, jsonOf, refusalSchema } from './engine_request.ts';
import type { EngineConnection } from './engine_run.ts';
import { type SoundForm, soundForm } from './sound_form.ts';

type SentBody = SoundForm | { contentType: string; body: string };

/** The engine's data about a fully analysed recording. */
export interface HeardRecording {
  /** Identifies it in requests for words and faces, as long as the engine keeps it. */
  recording: string;
  /** Duration of the audio. */
  seconds: number;
  /** Share of it that is speech, 0..1. */
  speech: number;
}

export interface AlignmentOrder {
  recording: string;
  /** The transcript, at most 2 MB and 200,000 words. */
  script: string;
  /** `auto`: by the script of each word. */
  language: SpokenLanguage | 'auto';
  /** Pronunciations by word, phones separated by a space; they override the dictionaries. */
  pronunciations?: Readonly<Record<string, string>> | undefined;
  /** Words by their index in the transcript whose times the user set, seconds. */
  pinned?: readonly { readonly index: number; readonly start: number; readonly end: number }[] | undefined;
}

export interface TakeFaceOrder {
  recording: string;
  /** Null: from the audio alone. */
  alignment: SpeechAlignment | null;
  /** 24..120 */
  frameRate: number;
  /** Gain of the jaw opening and of the lip movement, 0.2..2; 1 is neutral. */
  jaw?: number;
  lips?: number;
  /** Random seed for blinks, gaze, brows and head. */
  seed?: number;
  /** Only the frames from `from` on and before `to`, seconds. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface AnalysisOptions {
  /** Whether noise is removed before the analysis; default `auto`: if there is enough of it. */
  noise?: NoiseTreatment | undefined;
}

export interface RecordingWatch {
  /** 0..1 */
  onProgress?: (progress: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Client of the engine's recording routes: analyses whole recordings, aligns words, makes faces afterwards.
 * Uses only the engine on this machine, so audio never leaves it this way.
 *
 * All throw Failure: `unreachable` while the engine is unavailable, `not_found` if it has dropped a recording
 * (analyse it again), `unsupported` with the engine's message, and the signal's reason.
 */
export interface RecordingClient {
  /** @param sound a WAV file's path, or samples @throws Failure also `storage` */
  hear(sound: string | Sound, watched?: RecordingWatch & AnalysisOptions): Promise<HeardRecording>;
  align(order: AlignmentOrder, watched?: RecordingWatch): Promise<SpeechAlignment>;
  /** Returns the face, or its part between `from` and `to`, in memory: 200 MB for an hour. */
  face(order: TakeFaceOrder, signal?: AbortSignal): Promise<TakeFace>;
  /** The same as a stream. Its frames throw as the calls do. */
  streamedFace(order: TakeFaceOrder, signal?: AbortSignal): Promise<StreamedFace>;
  /** Makes the engine drop a recording; no error if it has none. */
  forget(recording: string, signal?: AbortSignal): Promise<void>;
  /** The same in bytes: `StreamMessage`s without length prefix, the input of `encodeArrival`. */
  faceMessages(order: TakeFaceOrder, signal?: AbortSignal): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

/** @param connect - Returns the engine's address; starts it if it isn't running, waits while it restarts. */
export function createRecordingClient(connect: () => Promise<EngineConnection>): RecordingClient {
  // The engine answers line by line, and pauses during live sessions.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  /** @returns an answer with status 200 */
  const ask = (
    route: string,
    body: (() => Promise<SentBody>) | null,
    signal: AbortSignal | undefined,
  ): Promise<Response> =>
    askEngine({
      connect,
      signal,
      ended: (times) => t('recording.engine_ended', { times }),
      async attempt({ url, accessToken }) {
        const sent = await body?.();
        const response = await fetch(`${url}/v1/speech/${route}`, {
          method: sent ? 'POST' : 'DELETE',
          headers: {
            authorization: `Bearer ${accessToken}`,
            ...(sent && { 'content-type': sent.contentType }),
          },
          ...(sent && { body: sent.body, duplex: 'half' }),
          dispatcher,
          ...(signal && { signal }),
        });
        if (response.status === 200) return response;
        const bytes = Buffer.from(await response.arrayBuffer());
        if (response.status === 503) return null;
        throw refusalOf(response.status, bytes);
      },
    });

  const askInJson = (route: string, order: object, signal: AbortSignal | undefined): Promise<Response> =>
    ask(route, async () => ({ contentType: 'application/json', body: JSON.stringify(order) }), signal);

  async function* faceMessages(order: TakeFaceOrder, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const response = await askInJson('faces', order, signal);
    const reader = new DelimitedReader(maxMessageBytes);
    for await (const chunk of bodyOf(response, signal)) {
      reader.push(chunk);
      for (let message = reader.next(); message; message = reader.next()) yield message;
    }
  }

  async function streamedFace(order: TakeFaceOrder, signal?: AbortSignal): Promise<StreamedFace> {
    const decoder = new FaceStreamDecoder();
    const messages = faceMessages(order, signal);
    const first = await messages.next();
    const header = first.done ? null : decoder.accept(first.value);
    if (header?.kind === 'error') throw new Failure('unsupported', header.message);
    if (header?.kind !== 'header') throw endedWithin();
    const { channelNames, frameRate } = header;
    return { channelNames, frameRate, frames: framesIn(messages, decoder) };
  }

  return {
    async hear(sound, { onProgress, signal, noise } = {}) {
      const form = (): Promise<SoundForm> => soundForm(sound, noise === undefined ? {} : { noise });
      const response = await ask('recordings', form, signal);
      return lastLine(response, heardSchema, onProgress, signal);
    },
    async align(order, { onProgress, signal } = {}) {
      return lastLine(await askInJson('alignments', order, signal), alignmentSchema, onProgress, signal);
    },
    async forget(recording, signal) {
      await (await ask(`recordings/${recording}`, null, signal)).arrayBuffer();
    },
    faceMessages,
    async face(order, signal) {
      const { channelNames, frameRate, frames: coming } = await streamedFace(order, signal);
      const frames: FaceStreamFrame[] = [];
      for await (const frame of coming) frames.push(frame);
      return { tier: 'afterwards', channelNames, frameRate, frames };
    },
    streamedFace,
    close: () => dispatcher.destroy(),
  };
}

/** @throws Failure the engine's error, or that the response ended before the last frame */
async function* framesIn(
  messages: AsyncIterable<Uint8Array>,
  decoder: FaceStreamDecoder,
): AsyncGenerator<FaceStreamFrame, void> {
  let isWhole = false;
  for await (const bytes of messages) {
    const message: FaceStreamMessage = decoder.accept(bytes);
    if (message.kind === 'frame') yield message;
    else if (message.kind === 'end') isWhole = true;
    else if (message.kind === 'error') throw new Failure('unsupported', message.message);
  }
  if (!isWhole) throw endedWithin();
}

/** A message of a face without vertices has a few hundred bytes. */
const maxMessageBytes = 1024 * 1024;

/**
 * Reads a response of JSON lines: progress, then the result.
 *
 * @throws {Failure} the error in its last line, or that it was cut off
 */
async function lastLine<T>(
  response: Response,
  schema: z.ZodType<T>,
  onProgress: ((progress: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<T> {
  const decoder = new TextDecoder();
  let last = '';
  /** Parts of a line: the last one may have many megabytes. */
  let waiting: string[] = [];
  const take = (line: string): void => {
    if (line === '') return;
    last = line;
    const { data } = progressSchema.safeParse(jsonOf(line));
    if (data) onProgress?.(data.progress);
  };
  for await (const chunk of bodyOf(response, signal)) {
    const [head = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    waiting.push(head);
    if (lines.length === 0) continue;
    take(waiting.join(''));
    waiting = [lines.pop() ?? ''];
    lines.forEach(take);
  }
  take(waiting.join(''));
  const value = jsonOf(last);
  const failed = failedSchema.safeParse(value).data;
  if (failed) throw failureOf(failed.error);
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  throw endedWithin();
}

/** Yields the chunks of a response. @throws Failure if the engine exits during it; the signal's reason */
async function* bodyOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of response.body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof Failure ? error : endedWithin();
  }
}

const endedWithin = (): Failure =>
  new Failure('unreachable', t('recording.cut_off'), { hint: t('engine.restart'), retryable: true });

/** Error for a recording that the engine no longer has. */
const notKept = 'recording_not_kept';

function failureOf(refusal: z.output<typeof refusalSchema>): Failure {
  return refusal.code === notKept
    ? new Failure('not_found', t('recording.not_kept'), { retryable: true })
    : new EngineRefusal(refusal);
}

function refusalOf(status: number, bytes: Buffer): Failure {
  const { data } = refusalSchema.safeParse(jsonOf(bytes));
  return data ? failureOf(data) : new Failure('unsupported', t('recording.engine_unreadable', { status }));
}
