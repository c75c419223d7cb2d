import { leastSampleRate, mostChannels, mostSampleRate } from '../faces/audio_data.ts';
import { extensions } from './engine_extensions.ts';
import type { EngineLimits } from './limits.ts';
import {
  anyway,
  corrections,
  everywhere,
  eyelidType,
  json,
  object,
  reference,
  refusals,
  type Schema,
  sex,
  text,
  upload,
  whole,
} from './openapi_parts.ts';
import { describePhotos } from './openapi_photos.ts';

/**
 * The service as OpenAPI 3.1 has it, with everything that `interface.md` leaves open and this engine
 * decides: error bodies, HTTP statuses, limits, stream words, the extensions.
 */
export function describeService({
  pathWord,
  version,
  limits,
}: {
  pathWord: string;
  version: string;
  limits: EngineLimits;
}): Schema {
  const models = `/open-api/${pathWord}/sdk/model`;
  const mebibytes = (bytes: number): number => bytes / (1024 * 1024);
  const days = limits.keep / 86_400_000;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Likeness built-in engine',
      version,
      description: [
        '3D heads from portrait photos (Group B, `/open-api`) and faces from speech (Group A, `/v1`).',
        '',
        '**Errors.** Group B answers every request in its envelope; `code` is 200 on success, else the HTTP status, and `data.reason` is a word for programs. Everything else answers errors as `{ code, message }` with a word as `code`. `message` and `failMessage` are in the language of `Accept-Language` (English or Chinese).',
        '',
        `**Extensions** beyond the interface are announced in the response header \`likeness-extensions\`: ${extensions.map((one) => `\`${one}\``).join(', ')}.`,
        '',
        `**Keeping.** Finished models, failures and image tasks are kept for ${days} days, and all results together up to ${mebibytes(limits.resultBytes)} MiB, the least recently used going first.`,
        '',
        'Group B paths are accepted with a doubled slash in front (`//open-api/…`) as well. Only the Host names 127.0.0.1 and localhost are answered.',
      ].join('\n'),
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Group A', description: 'Faces and image tasks' },
      { name: 'Group B', description: 'Models' },
      { name: 'Photos', description: 'Looking at photos before a head is ordered; either key opens them' },
      { name: 'Engine', description: 'Health, files, this description' },
    ],
    paths: {
      '/v1/audio-to-face/mesh': {
        post: {
          operationId: 'audioToFace',
          tags: ['Group A'],
          summary: 'A1. Turn speech into face frames',
          description: [
            'Answers with length-delimited `likeness.v1.StreamMessage` (proto/face_animation.proto), sent as they are made: a header, frames with increasing time codes, an end.',
            '',
            'The status `start` alone is a whole utterance. Extension `stream-words`: it may be followed by further parts of the same voice under `continue` and a last one (with or without audio) under `end`. Each answer is a complete stream with the frames that became certain by that part; time codes go on from answer to answer, and `End.duration` is the part’s own. A part may be sent when the answer to the one before has ended. ' +
              `A trace ends by itself after ${limits.traceIdle / 1000} s without a request; ${limits.openTraces} may be open; a traceId can't be \`start\`ed twice; a first part of more than ${mebibytes(limits.resumeBytes)} MiB of samples can't be followed; a caller who goes away ends the trace.`,
            '',
            'What is wrong with the request is refused by HTTP status before the stream begins. What fails later is the stream’s own last message, an `Error`; its words are `speech_missing` and `internal`.',
          ].join('\n'),
          security: [{ accessToken: [] }],
          requestBody: { required: true, content: json(reference('AudioToFaceRequest')) },
          responses: {
            200: {
              description: 'The stream',
              content: { 'application/x-protobuf': { schema: { type: 'string', format: 'binary' } } },
            },
            ...refusals('Error', {
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
            }),
          },
        },
      },
      [`/v1/${pathWord}-3d/sq`]: {
        post: {
          operationId: 'submitImage',
          tags: ['Group A'],
          summary: 'A2. Submit a 3D image task',
          description:
            'Checks the image, records it and answers with the task’s id. The interface has no operation that asks after a task.',
          security: [{ accessToken: [] }],
          requestBody: {
            required: true,
            content: { 'multipart/form-data': { schema: object({ file: reference('Image') }, ['file']) } },
          },
          responses: {
            200: {
              description: 'Recorded',
              content: json(
                object({ data: object({ id: text('Task identifier', { format: 'uuid' }) }, ['id']) }, [
                  'data',
                ]),
              ),
            },
            ...refusals('Error', upload),
          },
        },
      },
      [`${models}/generate`]: {
        post: {
          operationId: 'generateModel',
          tags: ['Group B'],
          summary: 'B1. Generate a model from a portrait photo',
          security: [{ apiKey: [] }],
          parameters: [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: false,
              description:
                'Extension `idempotency-key`: the same key with the same photo and parameters is the same model, also after a restart of the engine and for as long as the model is kept.',
              schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
            },
          ],
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: object(
                  { file: reference('Image'), sex, eyelidType, corrections, anyway },
                  ['file', 'sex'],
                  {
                    additionalProperties: false,
                  },
                ),
              },
            },
          },
          responses: {
            200: {
              description: 'Accepted; ask after it with B2',
              content: json(
                envelope(
                  object(
                    {
                      modelId: text('Unique model identifier', { format: 'uuid' }),
                      waitTime: whole(
                        'Estimated seconds until it is finished, from the queue and the measured speed',
                        {
                          minimum: 0,
                        },
                      ),
                    },
                    ['modelId', 'waitTime'],
                  ),
                ),
              ),
            },
            ...refusals('EnvelopeError', {
              ...upload,
              400: [...upload[400], 'idempotency_key_wrong'],
              409: ['idempotency_conflict'],
              503: ['queue_full'],
            }),
          },
        },
      },
      [`${models}/get/{modelId}`]: {
        get: {
          operationId: 'getModel',
          tags: ['Group B'],
          summary: 'B2. Get a model',
          description:
            'The interface shows no header for this operation; this engine wants the key here as well.',
          security: [{ apiKey: [] }],
          parameters: [modelId],
          responses: {
            200: { description: 'How it is doing', content: json(envelope(reference('Model'))) },
            ...refusals('EnvelopeError', { ...everywhere, 401: ['unauthorized'], 404: ['model_unknown'] }),
          },
        },
        delete: {
          operationId: 'deleteModel',
          tags: ['Group B'],
          summary: 'Extension delete-model: take a model back, finished or not, at the address of B2',
          security: [{ apiKey: [] }],
          parameters: [modelId],
          responses: {
            200: { description: 'Gone', content: json(envelope(object({}, []))) },
            ...refusals('EnvelopeError', { ...everywhere, 401: ['unauthorized'], 404: ['model_unknown'] }),
          },
        },
      },
      ...describePhotos(limits),
      '/files/{file}': {
        get: {
          operationId: 'downloadFile',
          tags: ['Engine'],
          summary: 'The file that a downloadLink points at',
          description: 'Needs no key: the link can’t be guessed. Takes Range, If-Range and If-None-Match.',
          security: [],
          parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'The whole file', content: glb },
            206: { description: 'One range of it', content: glb },
            304: { description: 'Not modified' },
            ...refusals('Error', { ...everywhere, 404: ['file_unknown'], 416: ['range_unsatisfiable'] }),
          },
        },
      },
      '/health': {
        get: {
          operationId: 'health',
          tags: ['Engine'],
          summary: 'Extension health: version and load; proves either key without cost',
          security: [{ accessToken: [] }, { apiKey: [] }],
          responses: {
            200: {
              description: 'Running',
              content: json(
                object(
                  {
                    status: text('Always "ok"', { const: 'ok' }),
                    version: text('Version of the engine'),
                    pathWord: text('The neutral word in the paths'),
                    extensions: { type: 'array', items: { type: 'string' } },
                    jobs: object({ queued: whole('Models that wait'), running: whole('Models being made') }, [
                      'queued',
                      'running',
                    ]),
                  },
                  ['status', 'version', 'pathWord', 'extensions', 'jobs'],
                ),
              ),
            },
            ...refusals('Error', { ...everywhere, 401: ['unauthorized'] }),
          },
        },
      },
      '/openapi.json': {
        get: {
          operationId: 'describe',
          tags: ['Engine'],
          summary: 'This description',
          security: [],
          responses: {
            200: { description: 'OpenAPI 3.1', content: json({ type: 'object' }) },
            ...refusals('Error', everywhere),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'auth_ak' },
      },
      schemas: {
        Image: {
          type: 'string',
          format: 'binary',
          description: `JPEG, PNG, WebP, AVIF, TIFF or GIF by its content; at most ${mebibytes(limits.imageBytes)} MiB and ${limits.imagePixels / 1e6} megapixels by its header`,
        },
        Model: object(
          {
            modelId: text('Unique model identifier', { format: 'uuid' }),
            status: whole('1 = success, 3 = processing, 4 = fail', { enum: [1, 3, 4] }),
            waitTime: text('Estimated seconds until it is finished, as text; "0" when it is', {
              pattern: '^[0-9]+$',
            }),
            sex,
            eyelidType: { ...eyelidType, description: `${eyelidType.description}; absent where B1 had none` },
            failMessage: text('What to change, where it failed; else empty'),
            downloadLink: text('Where the head (GLB) can be had, once it is made; else empty'),
          },
          ['modelId', 'status', 'waitTime', 'sex', 'failMessage', 'downloadLink'],
        ),
        EnvelopeError: object(
          {
            data: object(
              { reason: text('A word for programs'), field: text('The part of the request at fault') },
              ['reason'],
            ),
            code: whole('The HTTP status; never 200'),
            message: text('A sentence for a person'),
          },
          ['data', 'code', 'message'],
        ),
        Error: object(
          {
            code: text('A word for programs'),
            message: text('A sentence for a person'),
            messages: object({ en: text('In English'), zh: text('In Chinese') }, ['en', 'zh'], {
              description: 'The same in every language, for programs that show it later',
            }),
            field: text('The part of the request at fault'),
          },
          ['code', 'message'],
        ),
        AudioToFaceRequest: object(
          {
            traceId: text('Chosen by the caller; a new one for each voice', { format: 'uuid' }),
            status: text('Position in the stream; `continue` and `end` are the extension `stream-words`', {
              enum: ['start', 'continue', 'end'],
            }),
            data: text(
              `Base64 of a WAV file (PCM of 8 to 32 bits, float of 32 or 64; ${leastSampleRate} to ${mostSampleRate} Hz; 1 to ${mostChannels} channels), or of raw PCM together with \`sampleRate\`. A part that follows may be raw PCM in the first part’s format. Empty only with \`end\`. A whole request may have ${mebibytes(limits.audioRequestBytes)} MiB, a trace ${limits.traceSeconds / 3600} hours.`,
              { contentEncoding: 'base64' },
            ),
            sampleRate: whole('Extension `raw-pcm`: hertz', {
              minimum: leastSampleRate,
              maximum: mostSampleRate,
            }),
            channels: whole('Extension `raw-pcm`', { minimum: 1, maximum: mostChannels, default: 1 }),
            encoding: text('Extension `raw-pcm`: how a sample lies', {
              enum: ['u8', 's16le', 's24le', 's32le', 'f32le', 'f64le'],
              default: 's16le',
            }),
            frameRate: whole('Extension `face-options`, with `start`: frames per second', {
              enum: [30, 60],
              default: 60,
            }),
            lookahead: whole(
              'Extension `face-options`, with `start`: milliseconds of sound after a moment that its frame waits for; more is better and later',
              { enum: [0, 20, 40, 60], default: 40 },
            ),
            vertices: {
              type: 'boolean',
              default: false,
              description:
                'Extension `face-vertices`, with `start`: the header carries a mesh and every frame its vertices, those of the default head: all surfaces of its file in their order, metres, origin where its node `Head` turns. They hold what the 52 ARKit weights do; `head_pose` is yet to be applied. About 270 KB a frame.',
            },
          },
          ['traceId', 'status', 'data'],
          { additionalProperties: false },
        ),
      },
    },
  };
}

const glb = { 'model/gltf-binary': { schema: { type: 'string', format: 'binary' } } };

const modelId = { name: 'modelId', in: 'path', required: true, schema: { type: 'string' } };

const envelope = (data: Schema): Schema =>
  object(
    {
      data,
      code: whole('200', { const: 200 }),
      message: text('Prompt text', { examples: ['success'] }),
    },
    ['data', 'code', 'message'],
  );
