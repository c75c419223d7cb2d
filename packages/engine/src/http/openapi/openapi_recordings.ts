import {
  alignmentRequestSchema,
  alignmentSchema,
  faceRequestSchema,
  heardSchema,
} from '../../recordings/recording_answers.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import { jsonSchema, object, type Schema, text } from './json_schema.ts';
import { binary, everywhere, form, json, type OperationDescription, upload } from './openapi_parts.ts';

/** The recording routes: the extensions `recordings`, `speech-alignment` and `take-face`. */
export function describeRecordings(limits: EngineLimits) {
  const hours = limits.traceSeconds / 3600;
  return {
    hearRecording: {
      tag: 'Recordings',
      summary: 'Extension recordings: hear a whole sound, with what comes after each moment',
      description: [
        `Takes a WAV file as A1 does, of at most ${hours} hours and ${limits.recordingBytes / mebibyte} MiB, or raw PCM with \`sampleRate\`. What was heard is kept while the engine runs, up to ${limits.keptRecordingBytes / mebibyte} MiB of all together, the least recently used going first; the sound is not.`,
        '',
        lines,
      ].join('\n'),
      requestBody: form(
        {
          file: { type: 'string', format: 'binary', description: 'The sound' },
          sampleRate: text('Hertz, of raw PCM'),
          channels: text('Of raw PCM, 1 to 8; 1 unless given'),
          noise: text(
            'off: the sound is heard as it is; on: some of its noise is taken away before; auto, unless given: where speech stands less than 28 dB above what is between it',
            { enum: ['auto', 'on', 'off'] },
          ),
          encoding: text('Of raw PCM: u8, s16le, s24le, s32le, f32le or f64le; s16le unless given'),
        },
        ['file'],
        { additionalProperties: false },
      ),
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
        413: ['audio_too_large', 'audio_too_long'],
        415: ['not_multipart', 'content_encoding'],
        501: ['speech_missing'],
        503: ['busy'],
        507: upload[507],
      },
    },
    forgetRecording: {
      tag: 'Recordings',
      summary: 'Extension recordings: keep nothing more of a recording',
      description: 'Gone at once, from disk and memory. Answers the same where it is not kept.',
      parameters: [
        {
          name: 'recording',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'Names the recording',
        },
      ],
      answers: { 200: { description: 'Nothing of it is kept', content: json(object({}, [])) } },
      refused: { ...everywhere, 401: upload[401] },
    },
    alignRecording: {
      tag: 'Recordings',
      summary: 'Extension speech-alignment: when the words of a script are said in a recording',
      description: [
        'English and Mandarin, also mixed. Words that the sound does not bear out are flagged.',
        '',
        lines,
        '',
        'The words of `error`: `script_empty`, `no_dictionary`, `too_many_words`, `phone_unknown`, `field_wrong_value`, `worker_died`, `took_too_long`, `engine_closed`, `internal`.',
      ].join('\n'),
      requestBody: { required: true, content: json(jsonSchema(alignmentRequestSchema)) },
      answers: { 200: answer(alignmentSchema) },
      refused: kept,
    },
    faceOfRecording: {
      tag: 'Recordings',
      summary: 'Extension take-face: the face of a recording or of a part of it, with its words or without',
      description:
        'Answers as A1: a header with the same channel names, frames, an end; what fails later is the stream’s own last message, an `Error`.',
      requestBody: { required: true, content: json(jsonSchema(faceRequestSchema)) },
      answers: { 200: { description: 'The stream', content: binary('application/x-protobuf') } },
      refused: { ...kept, 406: ['not_acceptable'] },
    },
  } satisfies Record<string, OperationDescription>;
}

const lines =
  'Answers line by line, each of JSON: `{"progress":0.4}` at most ten times a second, then what came of it, or `{"error":{code,message,messages}}`.';

const answer = (schema: typeof heardSchema | typeof alignmentSchema): Schema => ({
  description: 'Lines of JSON; this is the last',
  content: { 'application/x-ndjson': { schema: jsonSchema(schema) } },
});

const kept = {
  ...everywhere,
  400: ['not_http', 'json_malformed', 'field_unknown', 'field_wrong_value'],
  401: upload[401],
  404: ['recording_not_kept'],
  413: ['audio_too_large'],
  415: ['not_json', 'content_encoding'],
  501: ['speech_missing'],
  503: ['busy'],
};
