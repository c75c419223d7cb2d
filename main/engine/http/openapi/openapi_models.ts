import { type EngineLimits, mebibyte } from '../limits.ts';
import { flag, object, reference, type Schema, text, whole } from './json_schema.ts';
import { corrections, sex } from './openapi_fields.ts';
import { everywhere, form, json, type OperationDescription, upload } from './openapi_parts.ts';

const envelope = (data: Schema): Schema =>
  object(
    {
      data,
      code: whole('200', { const: 200 }),
      message: text('Prompt text', { examples: ['success'] }),
    },
    ['data', 'code', 'message'],
  );

const eyelidType = whole('1 = single eyelid, 2 = double eyelid', { enum: [1, 2] });

const anyway = flag(
  'Extension `head-anyway`: 1 = make the head although a rule of quality (turn, size, focus, light, cover) speaks against the photo',
);

const modelId = { name: 'modelId', in: 'path', required: true, schema: { type: 'string' } };

/** A2. */
export const submitImage: OperationDescription = {
  tag: 'Group A',
  summary: 'A2. Submit a 3D image task',
  description:
    'Checks the image, records it and answers with the task’s id. The interface has no operation that asks after a task.',
  requestBody: form({ file: reference('Image') }, ['file']),
  answers: {
    200: {
      description: 'Recorded',
      content: json(
        object({ data: object({ id: text('Task identifier', { format: 'uuid' }) }, ['id']) }, ['data']),
      ),
    },
  },
  refused: upload,
};

/** B1, with the extensions `idempotency-key`, `head-corrections` and `head-anyway`. */
export const generateModel: OperationDescription = {
  tag: 'Group B',
  summary: 'B1. Generate a model from a portrait photo',
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
  requestBody: form({ file: reference('Image'), sex, eyelidType, corrections, anyway }, ['file', 'sex'], {
    additionalProperties: false,
  }),
  answers: {
    200: {
      description: 'Accepted; ask after it with B2',
      content: json(
        envelope(
          object(
            {
              modelId: text('Unique model identifier', { format: 'uuid' }),
              waitTime: whole(
                'Estimated seconds until it is finished, from the queue and the measured speed',
                { minimum: 0 },
              ),
            },
            ['modelId', 'waitTime'],
          ),
        ),
      ),
    },
  },
  refused: {
    ...upload,
    400: [...upload[400], 'idempotency_key_wrong'],
    409: ['idempotency_conflict'],
    503: ['queue_full'],
  },
  refusedAs: 'EnvelopeError',
};

/** What B2 and the deletion at its address have alike. */
const knownModel = {
  tag: 'Group B',
  parameters: [modelId],
  refused: { ...everywhere, 401: ['unauthorized'], 404: ['model_unknown'] },
  refusedAs: 'EnvelopeError',
} as const;

/** B2. */
export const getModel: OperationDescription = {
  ...knownModel,
  summary: 'B2. Get a model',
  description: 'The interface shows no header for this operation; this engine wants the key here as well.',
  answers: { 200: { description: 'How it is doing', content: json(envelope(reference('Model'))) } },
};

export const deleteModel: OperationDescription = {
  ...knownModel,
  summary: 'Extension delete-model: take a model back, finished or not, at the address of B2',
  answers: { 200: { description: 'Gone', content: json(envelope(object({}, []))) } },
};

/** A picture as it is sent. */
export const image = (limits: EngineLimits): Schema => ({
  type: 'string',
  format: 'binary',
  description: `JPEG, PNG, WebP, AVIF, TIFF or GIF by its content; at most ${limits.imageBytes / mebibyte} MiB and ${limits.imagePixels / 1e6} megapixels by its header`,
});

export const model = object(
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
);

/** Group B's refusals. */
export const envelopeError = object(
  {
    data: object({ reason: text('A word for programs'), field: text('The part of the request at fault') }, [
      'reason',
    ]),
    code: whole('The HTTP status; never 200'),
    message: text('A sentence for a person'),
  },
  ['data', 'code', 'message'],
);
