import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { t } from '@likeness/messages';
import { encodeEnd, encodeError, encodeHeader } from '@likeness/proto/face_stream.ts';
import { type NoiseTreatment, noiseTreatments } from '@likeness/proto/speech/noise_treatment.ts';
import type { AudioFormat } from '@likeness/proto/wav.ts';
import { z } from 'zod';
import { noSpeech } from '../faces/audio_to_face_route.ts';
import { beginFaceStream, checkAcceptsFaces, sendMessages } from '../faces/face_stream_answer.ts';
import type { FairShares } from '../http/fair_shares.ts';
import { missing, readChoice, textFields } from '../http/form_fields.ts';
import { withUpload } from '../http/image_upload.ts';
import { parseJsonBody, readJsonBody } from '../http/json_body.ts';
import { type EngineLimits, mebibyte } from '../http/limits.ts';
import { answerInLines } from '../http/line_answer.ts';
import { failure } from '../http/listener_refusals.ts';
import { Refusal } from '../http/refusal.ts';
import { type RequestContext, sendJson } from '../http/request_context.ts';
import type { Log } from '../log.ts';
import { alignmentRequestSchema, faceRequestSchema } from './recording_answers.ts';
import type { RecordingMaker } from './recording_maker.ts';
import { sharedWords } from './recording_orders.ts';
import type { KeptRecording, RecordingStore } from './recording_store.ts';
import { openSound, soundSeconds } from './sound_source.ts';

export interface RecordingOptions {
  /** Null: this engine has no speech part. */
  loadRecordingMaker: (() => Promise<RecordingMaker>) | null;
  store: RecordingStore;
  /** Folder for uploads while they are needed. */
  folder: string;
  limits: EngineLimits;
  /** Requests under way and bytes of bodies that are being received, over all connections. */
  inFlight: { requests: FairShares; bytes: FairShares };
  log: Log;
}

const form = {
  file: z.file().describe('The audio'),
  sampleRate: z
    .string()
    .regex(/^\d{1,7}$/)
    .describe('Hertz, of raw PCM'),
  channels: z.literal([1, 2, 3, 4, 5, 6, 7, 8]).describe('Of raw PCM; default 1'),
  encoding: z
    .literal(['u8', 's16le', 's24le', 's32le', 'f32le', 'f64le'])
    .describe('Of raw PCM; default s16le'),
  noise: z
    .literal(noiseTreatments)
    .describe(
      'off: no noise suppression; on: suppress some of the noise first; auto (default): on if speech is less than 28 dB louder than the pauses',
    ),
};
export const recordingForm = z.strictObject(form).partial().required({ file: true });

/**
 * Extension `recordings`: analyses a complete recording, including what follows each moment, and caches the
 * analysis for its words and its face. The audio itself is not kept.
 */
export async function hearRecording(context: RequestContext, options: RecordingOptions): Promise<void> {
  const { request, response, language, caller, meter } = context;
  const { folder, limits, store, log } = options;
  const receiving = {
    folder,
    fieldNames: textFields(recordingForm),
    bytes: limits.recordingBytes,
    tooLarge: () => tooLarge(limits.recordingBytes),
    durable: false,
    limits,
  };
  await whileConnected(context, options, (maker, signal) =>
    withUpload(request, receiving, async ({ file, fields }) => {
      if (!file) throw missing('file');
      const { path, sha256 } = file;
      const noise = readChoice(fields, 'noise', form.noise) ?? 'auto';
      const recording = recordingName(sha256, noise);
      const source = await openSound(path, rawFormat(fields));
      const seconds = soundSeconds(source);
      if (seconds > limits.traceSeconds) throw tooLong(seconds, limits.traceSeconds);
      await meter.plan({ seconds });
      mayBeSilent(context);
      const kept = keptName(caller, recording);
      const answer = async (report: (progress: number) => void): Promise<object> => {
        const known = store.find(kept);
        if (known) return { recording, seconds: known.seconds, speech: known.speech };
        meter.count({ seconds });
        const into = store.newPath();
        try {
          const heard = await maker.hear({ source, noise, into }, { onProgress: report, signal });
          await store.keep(kept, into, heard);
          // The caller disconnected and may have deleted it meanwhile.
          if (signal.aborted) await store.drop(kept);
          return { recording, ...heard };
        } catch (error) {
          // Removed here, because an ended thread removes nothing.
          await rm(into, { force: true });
          throw error;
        }
      };
      await answerInLines(response, language, answer, (error) =>
        log('error', 'a recording could not be heard', error),
      );
    }),
  );
}

/** Extension `speech-alignment`: the times of a script's words in a recording. */
export async function alignRecording(context: RequestContext, options: RecordingOptions): Promise<void> {
  const { response, language, caller } = context;
  const { store, log } = options;
  await whileConnected(context, options, async (maker, signal) => {
    const text = await readBody(context, options);
    const order = parseJsonBody(text, alignmentRequestSchema);
    const { recording, pronunciations = {}, pinned = [], script, language: spoken } = order;
    await withKept(store, keptName(caller, recording), async ({ path: voice }) => {
      mayBeSilent(context);
      await answerInLines(
        response,
        language,
        (report) =>
          maker.align(
            { voice, script, language: spoken, pronunciations, pinned },
            { onProgress: report, signal },
          ),
        (error) => log('error', 'words could not be aligned to a recording', error),
      );
    });
  });
}

/** Seconds of a face made in one go; other requests run between two of them, and a caller may read slowly. */
const faceBlock = 10;

/** Extension `take-face`: the face of a whole recording or a part of it, with or without its words. */
export async function faceOfRecording(context: RequestContext, options: RecordingOptions): Promise<void> {
  const { response, language, caller, meter } = context;
  checkAcceptsFaces(context.request.headers.accept);
  await whileConnected(context, options, async (maker, signal) => {
    const received: Buffer[] = [];
    const rest = await readBody(context, options, { large: 'alignment', into: received });
    const { recording, from = 0, to, alignment: _apart, ...style } = parseJsonBody(rest, faceRequestSchema);
    const words = sentWords(received);
    if (words) await maker.checkWords(words, { signal });
    await withKept(options.store, keptName(caller, recording), async ({ path: voice, seconds }) => {
      await meter.plan({ frames: Math.ceil((Math.min(to ?? seconds, seconds) - from) * style.frameRate) });
      mayBeSilent(context);
      beginFaceStream(response);
      let waiting = encodeHeader({
        traceId: crypto.randomUUID(),
        frameRate: style.frameRate,
        channelNames: maker.channelNames,
      });
      let frameCount = 0;
      const end = Math.min(to ?? seconds, seconds);
      try {
        for (let at = from; at < end; at += faceBlock) {
          const part = { ...style, from: at, to: Math.min(end, at + faceBlock) };
          const made = await maker.face({ voice, alignment: words, options: part }, { signal });
          if (!(await sendMessages(response, [waiting]))) return;
          waiting = made.bytes;
          frameCount += made.frames;
          meter.count({ frames: made.frames });
        }
        const duration = Math.max(0, end - from);
        response.end(Buffer.concat([waiting, encodeEnd({ frameCount, duration })]));
      } catch (error) {
        if (!(error instanceof Refusal)) options.log('error', 'the face of a recording failed', error);
        const { reason, text } = error instanceof Refusal ? error : failure(error);
        response.end(Buffer.concat([waiting, encodeError({ code: reason, message: text[language] })]));
      }
    });
  });
}

/** Extension `recordings`: forgets a recording, so that it can be deleted. */
export async function forgetRecording(
  { response, parameters, caller }: RequestContext,
  { loadRecordingMaker, store }: RecordingOptions,
): Promise<void> {
  const id = keptName(caller, parameters.recording ?? '');
  if (store.find(id)) {
    await store.drop(id);
    await (await loadRecordingMaker?.())?.forget();
  }
  sendJson(response, 200, {});
}

/** Runs a request's work until its caller disconnects. @throws {Refusal} 501 `speech_missing`, 503 `busy` */
async function whileConnected(
  { response, caller: { owner } }: Pick<RequestContext, 'response' | 'caller'>,
  { loadRecordingMaker, inFlight: { requests } }: RecordingOptions,
  work: (maker: RecordingMaker, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!loadRecordingMaker) throw new Refusal(501, 'speech_missing', noSpeech);
  requests.takeForRequest(owner, 'recordings', t('refusal.recordings_busy', { max: requests.max }));
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    await work(await loadRecordingMaker(), gone.signal);
  } finally {
    requests.give(owner);
  }
}

/** @throws {Refusal} 404 `recording_not_kept` */
async function withKept(
  store: RecordingStore,
  id: string,
  use: (kept: KeptRecording) => Promise<void>,
): Promise<void> {
  const found = await store.withRecording(id, async (kept) => {
    await use(kept);
    return true;
  });
  if (found) return;
  throw new Refusal(404, 'recording_not_kept', t('refusal.recording_not_kept'), { field: 'recording' });
}

/** The bytes of an alignment as they were sent; null if none was. */
function sentWords(received: readonly Buffer[]): ReturnType<typeof sharedWords> | null {
  const bytes = Buffer.concat(received);
  return /^\s*(null\s*)?$/.test(bytes.toString('latin1', 0, 100)) ? null : sharedWords(bytes);
}

/** The longest script with thousands of pronunciations and set times, and the alignment of a whole day. */
const recordingShape = { maxBytes: 16 * mebibyte, maxValues: 65_536, maxLargeValues: 8_000_000 };

const readBody = (
  { request, response, caller: { owner } }: Pick<RequestContext, 'request' | 'response' | 'caller'>,
  { limits, inFlight }: RecordingOptions,
  apart?: { large: string; into: Buffer[] },
): Promise<string> =>
  readJsonBody(
    { request, response },
    {
      most: limits.audioRequestBytes,
      tooLarge: () => tooLarge(limits.audioRequestBytes),
      shape: { ...(apart && { large: apart.large }), ...recordingShape },
      ...(apart && { onLarge: (bytes) => void apart.into.push(bytes) }),
      inFlight: inFlight.bytes,
      owner,
      limits,
    },
  );

/** Disables the socket's timeout: a long recording takes minutes, and waits for others before it. */
const mayBeSilent = ({ request }: Pick<RequestContext, 'request'>): void => void request.socket.setTimeout(0);

/** Another noise treatment makes another recording. */
const recordingName = (sha256: string, noise: NoiseTreatment): string =>
  noise === 'auto' ? sha256 : createHash('sha256').update(`${sha256} ${noise}`).digest('hex');

/** The name in the store: a tenant can't find another tenant's recording. */
const keptName = ({ owner }: RequestContext['caller'], recording: string): string =>
  owner === null ? recording : `${owner}\n${recording}`;

/** Format of samples without a container; null if the fields don't give one. */
function rawFormat(fields: ReadonlyMap<string, string>): AudioFormat | null {
  const sampleRate = fields.get('sampleRate');
  if (sampleRate === undefined) return null;
  if (!form.sampleRate.safeParse(sampleRate).success) throw wrongRate();
  return {
    sampleRate: Number(sampleRate),
    channels: readChoice(fields, 'channels', form.channels) ?? 1,
    encoding: readChoice(fields, 'encoding', form.encoding) ?? 's16le',
  };
}

const wrongRate = (): Refusal =>
  new Refusal(400, 'field_wrong_value', t('refusal.field_hertz', { field: 'sampleRate' }), {
    field: 'sampleRate',
  });

function tooLarge(bytes: number): Refusal {
  const max = bytes / mebibyte;
  return new Refusal(413, 'audio_too_large', t('refusal.recording_too_large', { max }), { field: 'file' });
}

function tooLong(seconds: number, max: number): Refusal {
  const hours = max / 3600;
  return new Refusal(
    413,
    'audio_too_long',
    t('refusal.recording_too_long', { seconds: Math.round(seconds), hours }),
    { field: 'file' },
  );
}
