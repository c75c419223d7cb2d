import {
  alignmentRequestSchema,
  alignmentSchema,
  faceRequestSchema,
  heardSchema,
} from '../../recordings/recording_answers.ts';
import { recordingForm } from '../../recordings/recording_operations.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import { jsonSchema, type Schema } from './json_schema.ts';
import {
  binary,
  emptyObject,
  everywhere,
  form,
  json,
  type OperationDescription,
  pathParameter,
  upload,
} from './openapi_parts.ts';

/** The recording routes: the extensions `recordings`, `speech-alignment` and `take-face`. */
export function describeRecordings(limits: EngineLimits) {
  const hours = limits.traceSeconds / 3600;
  return {
    hearRecording: {
      tag: 'Recordings',
      summary: 'Extension recordings: analyse a complete recording, with the audio after each moment',
      description: [
        `Takes a WAV file as A1 does, of at most ${hours} hours and ${limits.recordingBytes / mebibyte} MiB, or raw PCM with \`sampleRate\`. The engine caches the analysis while it runs, but not the audio. All analyses together may take ${limits.keptRecordingBytes / mebibyte} MiB; the least recently used go first.`,
        '',
        lines,
      ].join('\n'),
      requestBody: form(recordingForm),
      answers: { 200: answer(heardSchema) },
      refused: {
        ...everywhere,
        400: [
          ...upload[400].filter((word) => !word.startsWith('image_')),
          'audio_unreadable',
          'audio_unsupported',
          'audio_empty',
        ],
        401: upload[401],
        408: upload[408],
        413: ['audio_too_large', 'audio_too_long'],
        415: ['not_multipart', 'content_encoding'],
        501: ['speech_missing'],
        503: ['too_many_connections', 'busy'],
        507: upload[507],
      },
    },
    forgetRecording: {
      tag: 'Recordings',
      summary: 'Extension recordings: forget a recording',
      description: 'Deletes the analysis at once, from disk and memory. Answers the same if there is none.',
      parameters: [pathParameter('recording', 'Id of the recording')],
      answers: { 200: { description: 'Forgotten', content: json(emptyObject) } },
      refused: { ...everywhere, 401: upload[401] },
    },
    alignRecording: {
      tag: 'Recordings',
      summary: 'Extension speech-alignment: the times of a script’s words in a recording',
      description: [
        'English and Mandarin, also mixed. Words that don’t match the audio are flagged.',
        '',
        lines,
        '',
        'The codes of `error`: `script_empty`, `no_dictionary`, `too_many_words`, `phone_unknown`, `field_wrong_value`, `worker_died`, `took_too_long`, `engine_closed`, `internal`.',
      ].join('\n'),
      requestBody: { required: true, content: json(alignmentRequestSchema) },
      answers: { 200: answer(alignmentSchema) },
      refused: kept,
    },
    faceOfRecording: {
      tag: 'Recordings',
      summary: 'Extension take-face: the face of a recording or of a part of it, with or without its words',
      description:
        'Answers as A1: a header with the same channel names, frames, an end. A later failure is the stream’s last message, an `Error`.',
      requestBody: { required: true, content: json(faceRequestSchema) },
      answers: { 200: { description: 'The stream', content: binary('application/x-protobuf') } },
      refused: { ...kept, 406: ['not_acceptable'] },
    },
  } satisfies Record<string, OperationDescription>;
}

const lines =
  'Answers in lines of JSON: `{"progress":0.4}` at most ten times a second, then the result, or `{"error":{code,message,messages}}`.';

const answer = (schema: typeof heardSchema | typeof alignmentSchema): Schema => ({
  description: 'Lines of JSON; the schema is that of the last',
  content: { 'application/x-ndjson': { schema: jsonSchema(schema) } },
});

const kept = {
  ...everywhere,
  400: ['not_http', 'json_malformed', 'json_too_complex', 'field_unknown', 'field_wrong_value'],
  401: upload[401],
  408: upload[408],
  404: ['recording_not_kept'],
  413: ['audio_too_large'],
  415: ['not_json', 'content_encoding'],
  501: ['speech_missing'],
  503: ['too_many_connections', 'busy'],
};
