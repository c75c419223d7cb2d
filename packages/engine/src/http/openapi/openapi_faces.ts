import { maxChannels, maxSampleRate, minSampleRate } from '../../faces/audio_data.ts';
import { AudioRequest } from '../../faces/audio_request.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import { object, reference, type Schema, text, whole } from './json_schema.ts';
import { binary, everywhere, json, type OperationDescription } from './openapi_parts.ts';

/** A1, with the extensions `stream-words`, `raw-pcm`, `face-options`, `noise-suppression` and `face-vertices`. */
export const audioToFace = (limits: EngineLimits): OperationDescription => ({
  tag: 'Group A',
  summary: 'A1. Turn speech into face frames',
  description: [
    'Answers with length-delimited `likeness.v1.StreamMessage` (proto/face_animation.proto), sent as they are made: a header, frames with increasing time codes, an end.',
    '',
    'The status `start` alone is a whole utterance. Extension `stream-words`: further parts of the same voice may follow under `continue`, and a last one (with or without audio) under `end`. Each answer is a complete stream with the frames that its part made final. Time codes continue from answer to answer; `End.duration` is the length of the part. Send a part when the previous answer has ended. ' +
      `A trace ends after ${limits.traceIdle / 1000} s without a request, or when the caller disconnects; ${limits.openTraces} may be open. A traceId can't be \`start\`ed twice. After a first part of more than ${limits.resumeBytes / mebibyte} MiB of samples no part may follow.`,
    '',
    'A bad request is refused by HTTP status before the stream begins. A later failure is the stream’s last message, an `Error` with the code `speech_missing` or `internal`.',
  ].join('\n'),
  requestBody: { required: true, content: json(reference('AudioToFaceRequest')) },
  answers: { 200: { description: 'The stream', content: binary('application/x-protobuf') } },
  refused: {
    ...everywhere,
    400: [
      'json_malformed',
      'field_unknown',
      'field_wrong_value',
      'status_unknown',
      'audio_not_base64',
      'audio_unreadable',
      'audio_unsupported',
      'audio_empty',
      'audio_changed',
    ],
    401: ['unauthorized'],
    406: ['not_acceptable'],
    409: ['trace_reused', 'trace_not_open', 'trace_busy'],
    413: ['audio_too_large', 'audio_too_long'],
    415: ['not_json', 'content_encoding'],
    503: ['too_many_traces', 'busy'],
  },
});

const { status, encoding, frameRate, lookahead } = AudioRequest.shape;

/** The fields of `AudioRequest`. */
export function audioToFaceRequest({ audioRequestBytes, traceSeconds }: EngineLimits): Schema {
  const fields: Record<keyof AudioRequest, Schema> = {
    traceId: text('Chosen by the caller; a new one for each voice', { format: 'uuid' }),
    status: text('Position in the stream; `continue` and `end` are the extension `stream-words`', {
      enum: status.options,
    }),
    data: text(
      `Base64 of a WAV file (PCM of 8 to 32 bits, float of 32 or 64; ${minSampleRate} to ${maxSampleRate} Hz; 1 to ${maxChannels} channels), or of raw PCM together with \`sampleRate\`. A later part may be raw PCM in the first part’s format. Empty only with \`end\`. A whole request may have ${audioRequestBytes / mebibyte} MiB, a trace ${traceSeconds / 3600} hours.`,
      { contentEncoding: 'base64' },
    ),
    sampleRate: whole('Extension `raw-pcm`: hertz', { minimum: minSampleRate, maximum: maxSampleRate }),
    channels: whole('Extension `raw-pcm`', { minimum: 1, maximum: maxChannels, default: 1 }),
    encoding: text('Extension `raw-pcm`: sample format', {
      enum: encoding.unwrap().options,
      default: 's16le',
    }),
    frameRate: whole('Extension `face-options`, with `start`: frames per second', {
      enum: [...frameRate.unwrap().values],
      default: 60,
    }),
    lookahead: whole(
      'Extension `face-options`, with `start`: milliseconds of audio after a frame’s time that the frame waits for; more is better and later',
      { enum: [...lookahead.unwrap().values], default: 40 },
    ),
    suppressNoise: {
      type: 'boolean',
      default: false,
      description:
        'Extension `noise-suppression`, with `start`: suppresses hum, clicks and steady noise first; frames come up to 22 ms later',
    },
    vertices: {
      type: 'boolean',
      default: false,
      description:
        'Extension `face-vertices`, with `start`: the header carries the mesh of the default head and every frame its vertices: all surfaces in file order, metres, origin at the pivot of its node `Head`. They include the 52 ARKit weights, but not `head_pose`. About 270 KB a frame.',
    },
  };
  return object(fields, ['traceId', 'status', 'data'], { additionalProperties: false });
}
