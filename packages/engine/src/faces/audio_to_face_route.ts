import { inBoth, t } from '@likeness/messages';
import { encodeEnd, encodeError, encodeFrame, encodeHeader } from '@likeness/proto/face_stream.ts';
import { type AudioData, type AudioFormat, audioSeconds, frameBytes, isWav } from '@likeness/proto/wav.ts';
import type { FairShares } from '../http/fair_shares.ts';
import { readJsonBody } from '../http/json_body.ts';
import { flatShape } from '../http/json_scan.ts';
import type { Language } from '../http/language.ts';
import { type EngineLimits, mebibyte } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import type { RequestContext } from '../http/request_context.ts';
import type { Log } from '../log.ts';
import { Base64Decoder, checkFormat, readWavRequest } from './audio_data.ts';
import { type AudioRequest, parseAudioRequest } from './audio_request.ts';
import type { FaceMaker, FaceMesh, FaceTrace } from './face_maker.ts';
import { beginFaceStream, checkAcceptsFaces, sendMessages } from './face_stream_answer.ts';
import { type FaceTraceOptions, openFace, sampleBlocks, type Trace, type TraceKeeper } from './traces.ts';

export interface AudioToFaceOptions {
  traces: TraceKeeper;
  /** Null: this engine has no speech part. */
  loadFaceMaker: (() => Promise<FaceMaker>) | null;
  limits: EngineLimits;
  log: Log;
  /** Called for each part of a continuing voice: somebody is speaking now. */
  onVoice: () => void;
  /** Bytes of audio requests that are being received, over all connections. */
  inFlight: FairShares;
}

/**
 * A1: audio in, a stream of face frames out, sent as they are made: header, frames, end.
 *
 * `start` alone is a whole utterance. Parts under `continue` and a last one under `end` may follow. Each
 * answer is a separate stream with the frames that its part made final; time codes continue from answer to
 * answer. A bad request is refused by HTTP status before the stream begins. A later failure is the stream's
 * last message.
 */
export async function audioToFace(
  { request, response, language, caller, meter }: RequestContext,
  { traces, loadFaceMaker, limits, log, onVoice, inFlight }: AudioToFaceOptions,
): Promise<void> {
  checkAcceptsFaces(request.headers.accept);
  const { owner } = caller;
  const { 'content-length': bodyBytes = 0 } = request.headers;
  const decoder = new Base64Decoder(Math.min(Number(bodyBytes), limits.audioRequestBytes));
  const text = await readJsonBody(
    { request, response },
    {
      most: limits.audioRequestBytes,
      tooLarge: () => tooLarge(limits),
      shape: flatShape('data'),
      onLarge: (bytes) => decoder.push(bytes),
      inFlight,
      owner,
      limits,
    },
  );
  const order = parseAudioRequest(text);
  // Two tenants may choose the same identifier. Neither may continue the other's voice.
  const id = owner === null ? order.traceId : `${owner}\n${order.traceId}`;
  const data = await readAudio(order, decoder.end(), id, traces);
  if (order.status === 'continue') onVoice();
  const isFirst = order.status === 'start';
  const seconds = data ? audioSeconds(data.format, data.bytes.length) : 0;
  meter.about(order.traceId);
  await meter.plan({ seconds, frames: Math.ceil(seconds * order.frameRate) });

  let maker: FaceMaker;
  let mesh: FaceMesh | null = null;
  try {
    if (!loadFaceMaker) throw new Refusal(501, 'speech_missing', noSpeech);
    maker = await loadFaceMaker();
    if (isFirst && order.vertices) mesh = await maker.loadMesh();
  } catch (error) {
    if (!(error instanceof Refusal)) log('error', 'the speech part did not start', error);
    beginFaceStream(response);
    response.end(failureMessage(error, language));
    return;
  }

  const trace = isFirst
    ? await traces.start({ id, owner }, maker, data!, optionsOf(order), mesh)
    : await traces.next({ id, owner }, maker, data);
  let isOver = true;
  try {
    beginFaceStream(response);
    meter.count({ seconds });
    const isLast = order.status === 'end' || (isFirst && data!.bytes.length > limits.resumeBytes);
    const onHeard = (): Promise<void> => traces.heard(trace, isLast);
    isOver = !(await answer({ response, meter, onHeard }, maker, trace, data, order)) || isLast;
  } catch (error) {
    log('error', 'audio could not be turned into a face', error);
    response.end(failureMessage(error, language));
  } finally {
    await traces.release(trace, isOver);
  }
}

const optionsOf = ({ frameRate, lookahead, suppressNoise }: AudioRequest): FaceTraceOptions => ({
  frameRate,
  lookahead: lookaheadSeconds[lookahead],
  suppressNoise,
});
const lookaheadSeconds = { 0: 0, 20: 0.02, 40: 0.04, 60: 0.06 } as const;

/** Frames with vertices made before other requests run: each takes a millisecond or two. */
const meshFramesPerTurn = 4;

/** @returns False if the caller disconnected. */
async function answer(
  { response, meter, onHeard }: Pick<RequestContext, 'response' | 'meter'> & { onHeard: () => Promise<void> },
  maker: FaceMaker,
  trace: Trace,
  data: AudioData | null,
  { traceId, status }: Pick<AudioRequest, 'traceId' | 'status'>,
): Promise<boolean> {
  const { mesh } = trace;
  let waiting: Uint8Array[] = [
    encodeHeader({
      traceId,
      frameRate: trace.options.frameRate,
      channelNames: maker.channelNames,
      ...(mesh && { mesh: mesh.topology }),
    }),
  ];
  let frameCount = 0;
  const send = async (): Promise<boolean> => {
    const messages = waiting;
    waiting = [];
    return sendMessages(response, messages);
  };
  const take = async (frames: ReturnType<FaceTrace['push']>): Promise<boolean> => {
    for (const frame of frames) {
      // Frames of a repeated first part have been sent already.
      if (frame.timeCode <= trace.lastTime) continue;
      trace.lastTime = frame.timeCode;
      frameCount += 1;
      meter.count({ frames: 1 });
      waiting.push(encodeFrame(mesh ? { ...frame, vertices: mesh.pose(frame.weights) } : frame));
      if (mesh && waiting.length >= meshFramesPerTurn && !(await send())) return false;
    }
    return true;
  };
  const listen = async (face: FaceTrace, audio: AudioData): Promise<boolean> => {
    let isFirstBlock = true;
    for (const block of sampleBlocks(audio)) {
      // Sent block by block, each as a packet; the last block goes out with the end of the answer.
      if (!isFirstBlock && !(await send())) return false;
      isFirstBlock = false;
      if (!(await take(face.push(block)))) return false;
    }
    return true;
  };

  if (!trace.face) {
    trace.face = openFace(maker, trace.format, trace.options);
    const { first } = trace;
    trace.first = null;
    if (first && !(await listen(trace.face, first))) return false;
  }
  if (data && !(await listen(trace.face, data))) return false;
  const seconds = data ? audioSeconds(data.format, data.bytes.length) : 0;
  trace.seconds += seconds;
  if (status !== 'continue') {
    const last = trace.face.end();
    trace.face = null;
    if (!(await take(last))) return false;
  }
  await onHeard();
  if (response.destroyed) return false;
  waiting.push(encodeEnd({ frameCount, duration: seconds }));
  response.end(Buffer.concat(waiting));
  return true;
}

export const noSpeech = t('refusal.no_speech_part');

function failureMessage(error: unknown, language: Language): Uint8Array {
  if (error instanceof Refusal) return encodeError({ code: error.reason, message: error.text[language] });
  return encodeError({
    code: 'internal',
    message: inBoth(t('refusal.face_failed'))[language],
  });
}

function tooLarge(limits: EngineLimits): Refusal {
  const max = limits.audioRequestBytes / mebibyte;
  return new Refusal(413, 'audio_too_large', t('refusal.voice_too_large', { max }), { field: 'data' });
}

/** Returns the request's audio, checked; null if an `end` brings none. */
async function readAudio(
  order: AudioRequest,
  bytes: Buffer,
  id: string,
  traces: TraceKeeper,
): Promise<AudioData | null> {
  const begun = order.status === 'start' ? null : await traces.formatOf(id);
  if (bytes.length === 0) {
    if (order.status === 'end') return null;
    throw empty();
  }
  const audio = isWav(bytes) ? readWavRequest(bytes) : readRaw(bytes, rawFormat(order, begun));
  if (audio.bytes.length === 0 && order.status !== 'end') throw empty();
  return audio;
}

function empty(): Refusal {
  return new Refusal(400, 'audio_empty', t('refusal.audio_empty'), { field: 'data' });
}

/** The format of audio without a container: as the request states, or as the trace began. */
function rawFormat(order: AudioRequest, begun: AudioFormat | null): AudioFormat {
  if (order.sampleRate === undefined) {
    if (begun) return begun;
    throw new Refusal(400, 'audio_unreadable', t('refusal.data_not_wav'), { field: 'data' });
  }
  return checkFormat({
    sampleRate: order.sampleRate,
    channels: order.channels,
    encoding: order.encoding,
  });
}

function readRaw(bytes: Buffer, format: AudioFormat): AudioData {
  const frame = frameBytes(format);
  if (bytes.length % frame !== 0) {
    throw new Refusal(400, 'audio_unreadable', t('refusal.odd_samples', { size: bytes.length, frame }), {
      field: 'data',
    });
  }
  return { format, bytes };
}
