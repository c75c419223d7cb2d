import { AudioRequest } from '../../faces/audio_request.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import { binary, everywhere, json, type OperationDescription, upload } from './openapi_parts.ts';

/** A1, with the extensions `stream-words`, `raw-pcm`, `face-options`, `noise-suppression` and `face-vertices`. */
export const audioToFace = (limits: EngineLimits): OperationDescription => ({
  tag: 'Group A',
  summary: 'A1. Turn speech into face frames',
  description: [
    'Answers with length-delimited `likeness.v1.StreamMessage` (proto/face_animation.proto), sent as they are made: a header, frames with increasing time codes, an end.',
    '',
    'The status `start` alone is a whole utterance. Extension `stream-words`: further parts of the same voice may follow under `continue`, and a last one (with or without audio) under `end`. Each answer is a complete stream with the frames that its part made final. Time codes continue from answer to answer; `End.duration` is the length of the part. Send a part when the previous answer has ended. ' +
      `A trace ends after ${limits.traceIdle / 1000} s without a request, or when the caller disconnects; ${limits.openTraces} may be open, of which a tenant gets its share. A traceId can't be \`start\`ed twice. After a first part of more than ${limits.resumeBytes / mebibyte} MiB of samples no part may follow. A whole request may have ${limits.audioRequestBytes / mebibyte} MiB, a trace ${limits.traceSeconds / 3600} hours.`,
    '',
    'A bad request is refused by HTTP status before the stream begins. A later failure is the stream’s last message, an `Error` with the code `speech_missing` or `internal`.',
  ].join('\n'),
  requestBody: { required: true, content: json(AudioRequest) },
  answers: { 200: { description: 'The stream', content: binary('application/x-protobuf') } },
  refused: {
    ...everywhere,
    400: [
      'json_malformed',
      'json_too_complex',
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
    408: upload[408],
    409: ['trace_reused', 'trace_not_open', 'trace_busy'],
    413: ['audio_too_large', 'audio_too_long'],
    415: ['not_json', 'content_encoding'],
    503: ['too_many_connections', 'too_many_traces', 'busy'],
  },
});
