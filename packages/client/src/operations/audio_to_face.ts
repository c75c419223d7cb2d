import { inEnglish, joinMessages, type Message, t } from '@likeness/messages';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { FaceStreamError } from '@likeness/proto/face_stream_error.ts';
import type {
  FaceStreamFailure,
  FaceStreamMessage,
  FaceStreamReader,
} from '@likeness/proto/face_stream_protocol.ts';
import { loadUserSchema, type UserSchema } from '@likeness/proto/user_schema/user_schema.ts';
import { UserSchemaDecoder } from '@likeness/proto/user_schema/user_schema_decoder.ts';
import { UserSchemaError } from '@likeness/proto/user_schema/user_schema_mapping.ts';
import { BadAnswer } from '../bad_answer.ts';
import { addressFor, Call, scrubbed } from '../call.ts';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { operationNames, UpstreamError } from '../error.ts';
import { contentType, envelopeIn } from '../explain/answer_text.ts';
import type { Extensions } from '../extensions.ts';
import { audioToFaceAddress, type Endpoint } from '../transport/endpoint.ts';
import { priorities } from '../transport/pace.ts';
import { beginning, open } from '../transport/stream_answer.ts';
import type { PhaseTimeouts, StreamedAnswer, WireRequest } from '../transport/wire.ts';
import { UnreadableAnswer } from './envelope.ts';
import { quote } from './quote.ts';

export interface AudioToFaceRequest {
  /** UUID; the same for all parts of one stream. */
  traceId: string;
  /** Position in the stream, in the connection's stream words (`stream.words`). */
  status: string;
  /** The audio as it is sent: a WAV file. */
  audio: Uint8Array;
  /** Length of the audio, seconds: the billed amount. */
  seconds: number;
  /** Frames a second; sent only to a server that announces `face-options`. */
  frameRate?: 30 | 60;
  /** Milliseconds of audio that a frame waits for; sent only to a server that announces `face-options`. */
  lookahead?: 0 | 20 | 40 | 60;
  /** Suppresses noise first; sent only to a server that announces `noise-suppression`. */
  suppressNoise?: boolean;
}

/** Messages of a face stream; an error that the server reports in the stream is thrown instead. */
export type FaceMessage = Exclude<FaceStreamMessage, FaceStreamFailure>;

/** Bytes of audio above which the request body is streamed. */
const smallAudio = 256 * 1024;
/** Bytes of audio per base64 chunk; a multiple of 3, so that chunks join without padding. */
const audioPiece = 48 * 1024;
const longestAudio = 1024 * 1024 * 1024;

function streamTimeouts(seconds: number): PhaseTimeouts {
  return { connect: 10_000, firstByte: 60_000, betweenBytes: 60_000, whole: 120_000 + seconds * 20_000 };
}

/** Returns a decoder for a connection's stream schema; parses the user's `.proto` once. */
export function createDecoders(endpoint: Endpoint): (maxFrames: number) => FaceStreamReader {
  if (endpoint.stream.schema === 'likeness') return (maxFrames) => new FaceStreamDecoder({ maxFrames });
  let schema: UserSchema | undefined;
  return (maxFrames) => {
    try {
      schema ??= loadUserSchema(endpoint.stream.proto, endpoint.stream.mapping);
    } catch (error) {
      if (!(error instanceof UserSchemaError)) throw error;
      throw new UpstreamError(
        'invalid_input',
        t('upstream.schema_unusable', { profileName: endpoint.profileName, problem: error.message }),
        {
          operation: 'audio_to_face',
          field: error.entry === 'proto' ? 'stream.proto' : `stream.mapping.${error.entry}`,
          hint: t('upstream.correct_schema'),
        },
      );
    }
    return new UserSchemaDecoder(schema, { maxFrames });
  };
}

/**
 * A1: sends audio and yields the face as it arrives, message by message. A slow reader applies backpressure;
 * leaving the loop ends the request.
 *
 * A request is billed by the second. It is sent again only if the server provably did not receive it, or
 * refused it with a Retry-After, and never once an answer has begun.
 *
 * @throws UpstreamError, also in mid-stream, after yielding the messages before it
 */
export async function* audioToFace(
  context: ClientContext,
  decoders: (maxFrames: number) => FaceStreamReader,
  announced: () => Promise<Extensions>,
  request: AudioToFaceRequest,
  signal?: AbortSignal,
): AsyncGenerator<FaceMessage, void, undefined> {
  const { endpoint } = context;
  const { origin, path, host } = addressFor('audio_to_face', () => audioToFaceAddress(endpoint));
  const seconds = checkedSeconds(request);
  const { frameRate } = endpoint.stream.mapping;
  // Ends an endless stream: this audio can't have more frames. The slack is for servers that return frames
  // held back from earlier parts.
  const taken = await optionsTakenBy(announced, request);
  const decoder = decoders(Math.ceil((seconds + 10) * Math.max(240, frameRate * 2)));
  const call = new Call(
    context,
    {
      operation: 'audio_to_face',
      group: 'A',
      host,
      subject: request.traceId,
      idempotent: false,
      purpose: 'call',
      priority: priorities.live,
      seconds,
      frames: Math.ceil(seconds * frameRate),
      ownTurn: true,
    },
    signal,
  );
  let leave: (() => void) | undefined;
  let failure: unknown;
  let complete = false;
  try {
    const { answer, wire } = await call.withRetries(async ({ dispatcher, meter, credential }) => {
      const turn = await context.pace.enter(priorities.live, signal);
      try {
        const { body, length } = bodyOf(request, taken);
        const wire: WireRequest = {
          dispatcher,
          origin,
          path,
          method: 'POST',
          headers: [
            'content-type',
            'application/json',
            'accept',
            'application/x-protobuf',
            'content-length',
            String(length),
            ...credential,
          ],
          body,
          timeouts: timeoutsFor(context, streamTimeouts(seconds)),
          meter,
          signal,
        };
        const answer = await open(wire);
        await refuseOther(answer);
        leave = turn;
        return { answer, wire };
      } catch (error) {
        turn();
        throw error;
      }
    });
    call.exchange.billedSeconds = seconds;
    try {
      for await (const chunk of answer.body) yield* take(decoder.push(chunk), call);
      yield* take(decoder.finish(), call);
      complete = true;
    } finally {
      call.count(wire.meter);
    }
  } catch (error) {
    failure = await explain(error, call, context, host);
    throw failure;
  } finally {
    leave?.();
    // A reader that left the loop early: the journal records a cancelled call.
    call.report(failure ?? (complete ? undefined : unwanted()));
  }
}

function* take(messages: Iterable<FaceStreamMessage>, call: Call): Generator<FaceMessage, void, undefined> {
  for (const message of messages) {
    if (message.kind === 'error') throw new GivenUp(message);
    if (message.kind === 'frame') call.exchange.billedFrames++;
    yield message;
  }
}

/** An error that the server reported in the stream. */
class GivenUp extends Error {
  readonly failure: FaceStreamFailure;

  constructor(failure: FaceStreamFailure) {
    super(failure.code);
    this.name = 'GivenUp';
    this.failure = failure;
  }
}

async function explain(
  error: unknown,
  call: Call,
  context: ClientContext,
  address: string,
): Promise<unknown> {
  const { endpoint } = context;
  const frames = call.exchange.billedFrames;
  const isHere = endpoint.builtIn === true;
  const host = isHere ? t('engine.this_machine') : address;
  const billed = isHere ? '' : t('upstream.seconds_perhaps_billed');
  if (error instanceof GivenUp) {
    const code = quote(await scrubbed(endpoint, error.failure.code), []);
    const words = quote(await scrubbed(endpoint, error.failure.message), []);
    return new UpstreamError(
      'upstream_refused',
      t('upstream.gave_up', {
        host,
        after: frames === 0 ? 'none' : 'after_frames',
        frames,
        code: code === '' ? 'none' : 'in_brackets',
        codeCode: code,
        words: words || 'no_reason_given',
      }),
      {
        operation: 'audio_to_face',
        httpStatus: 200,
        envelopeMessage: words,
        hint: joinMessages(t('upstream.check_audio'), billed),
      },
    );
  }
  if (error instanceof FaceStreamError) {
    return new UpstreamError(
      'upstream_broken',
      t('upstream.face_stream_of', { host, problem: await scrubbed(endpoint, error.message) }),
      {
        operation: 'audio_to_face',
        httpStatus: 200,
        hint: joinMessages(frames === 0 ? '' : t('upstream.frames_read'), billed),
      },
    );
  }
  return call.explain(error);
}

function unwanted(): UpstreamError {
  return new UpstreamError('cancelled', t('upstream.rest_not_wanted'), {
    operation: 'audio_to_face',
  });
}

function checkedSeconds({ audio, seconds }: AudioToFaceRequest): number {
  const wrong = (field: string, message: Message, hint: Message): UpstreamError =>
    new UpstreamError(
      'invalid_input',
      t('upstream.of', { operation: operationNames.audio_to_face, text: message }),
      {
        operation: 'audio_to_face',
        field,
        hint,
      },
    );
  if (audio.byteLength === 0) throw wrong('audio', t('upstream.no_audio'), t('upstream.record_some'));
  if (audio.byteLength > longestAudio)
    throw wrong('audio', t('upstream.audio_too_large'), t('upstream.send_in_parts'));
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw wrong('seconds', t('upstream.audio_length_unknown'), t('upstream.whole_wav'));
  }
  return seconds;
}

/** Face options, sent as far as the server supports them. */
type FaceWishes = Pick<AudioToFaceRequest, 'frameRate' | 'lookahead' | 'suppressNoise'>;

/** Returns the request's options that the server announces. */
async function optionsTakenBy(
  announced: () => Promise<Extensions>,
  { frameRate, lookahead, suppressNoise }: AudioToFaceRequest,
): Promise<FaceWishes> {
  if (frameRate === undefined && lookahead === undefined && suppressNoise === undefined) return {};
  const { faceOptions, noiseSuppression } = await announced();
  return {
    ...(faceOptions && { frameRate, lookahead }),
    ...(noiseSuppression && { suppressNoise }),
  };
}

/** The request's JSON, streamed if it is large. */
function bodyOf(
  { traceId, status, audio }: AudioToFaceRequest,
  wishes: FaceWishes,
): {
  body: Uint8Array | AsyncIterable<Uint8Array>;
  length: number;
} {
  // The JSON up to the audio.
  const fields = JSON.stringify({ traceId, status, ...wishes });
  const before = `${fields.slice(0, -1)},"data":"`;
  const after = '"}';
  const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
  if (audio.byteLength <= smallAudio) {
    const body = Buffer.from(before + bytes.toString('base64') + after, 'utf8');
    return { body, length: body.byteLength };
  }
  const head = Buffer.from(before, 'utf8');
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield head;
    for (let at = 0; at < bytes.byteLength; at += audioPiece) {
      yield Buffer.from(bytes.toString('base64', at, Math.min(at + audioPiece, bytes.byteLength)), 'latin1');
    }
    yield Buffer.from(after, 'latin1');
  };
  return {
    body: pieces(),
    length: head.byteLength + Math.ceil(bytes.byteLength / 3) * 4 + after.length,
  };
}

/** Refuses an answer that is not a face stream, quoting its text. @throws BadAnswer */
async function refuseOther(answer: StreamedAnswer): Promise<void> {
  const { status } = answer;
  const good = status >= 200 && status <= 299;
  if (good && !/^text\/|json|html|xml/i.test(inEnglish(contentType(answer)))) return;
  const collected = await beginning(answer);
  if (!good) throw BadAnswer.refused(collected);
  const envelope = envelopeIn(collected);
  if (envelope && envelope.code !== null && envelope.code !== 200 && envelope.code !== 0) {
    throw BadAnswer.envelope(collected, { code: envelope.code, message: envelope.message });
  }
  throw BadAnswer.unreadable(collected, new UnreadableAnswer('', 'not_protobuf'));
}
