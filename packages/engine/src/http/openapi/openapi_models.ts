import { photoViews } from '@likeness/portrait/contract/head_request.ts';
import { defaultLimits, type EngineLimits, mebibyte } from '../limits.ts';
import { flag, object, reference, type Schema, text, whole } from './json_schema.ts';
import { corrections, options, sex } from './openapi_fields.ts';
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
  'Extension `head-anyway`: 1 = make the head even if the photo fails a quality rule (turn, size, focus, light, cover)',
);

const files: Schema = {
  type: 'array',
  items: reference('Image'),
  maxItems: defaultLimits.otherPhotos,
  description:
    'Extension `files`: further photos of the same person, from any side and in any order, each in a part of this name. An unusable one is left out, and B2 reports why. A head is billed once, however many photos it uses',
};

const otherPhoto = object(
  {
    index: whole('Position among `files`, from 1', { minimum: 1 }),
    used: { type: 'boolean' },
    reason: object({ en: text('English'), zh: text('Chinese') }, ['en', 'zh'], {
      description: 'Why it was left out; absent if it was used',
    }),
    view: {
      enum: [...photoViews, null],
      description: 'The view of the head; left: the nose points to the subject’s own left',
    },
    yaw: {
      type: ['number', 'null'],
      description: 'Degrees, positive when the subject turns to its left; null if no head was found',
    },
  },
  ['index', 'used', 'view', 'yaw'],
);

const modelId = { name: 'modelId', in: 'path', required: true, schema: { type: 'string' } };

/** A2. */
export const submitImage: OperationDescription = {
  tag: 'Group A',
  summary: 'A2. Submit a 3D image task',
  description:
    'Checks the image, records it and answers with the task’s id. The interface has no operation for the state of a task. A service that announces `image-tasks` has one, and accepts an Idempotency-Key here.',
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

/** B1, with the extensions `idempotency-key`, `head-corrections`, `head-options`, `head-anyway` and `files`. */
export const generateModel: OperationDescription = {
  tag: 'Group B',
  summary: 'B1. Generate a model from a portrait photo',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Extension `idempotency-key`: the same key with the same photo and parameters returns the same model while it is kept. This survives a restart of the engine.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
  ],
  requestBody: form(
    { file: reference('Image'), files, sex, eyelidType, corrections, options, anyway },
    ['file', 'sex'],
    {
      additionalProperties: false,
    },
  ),
  answers: {
    200: {
      description: 'Accepted; query its state with B2',
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
    400: [...upload[400], 'too_many_files', 'idempotency_key_wrong'],
    409: ['idempotency_conflict'],
    503: ['queue_full'],
  },
  refusedAs: 'EnvelopeError',
};

/** Shared by B2 and the deletion at its address. */
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
  description:
    'The interface shows no header for this operation; this engine requires the key here as well. Extension long-poll: with `Prefer: wait=30` it answers when the model has changed, or after that many seconds (at most 50), with `Preference-Applied`.',
  answers: { 200: { description: 'Its state', content: json(envelope(reference('Model'))) } },
};

export const deleteModel: OperationDescription = {
  ...knownModel,
  summary: 'Extension delete-model: cancel or delete a model, at the address of B2',
  answers: { 200: { description: 'Deleted', content: json(envelope(object({}, []))) } },
};

export const modelEvents: OperationDescription = {
  tag: 'Group B',
  summary: 'Extension model-events: server-sent events of all models of the key',
  description:
    'An event `model` with `{"modelId","status"}` for each change; `status` as in B2, null if the model was deleted. Changes before the connection are not repeated: query B2 after connecting.',
  answers: {
    200: {
      description: 'Events, until one side ends',
      content: { 'text/event-stream': { schema: text('') } },
    },
  },
  refused: { ...everywhere, 401: ['unauthorized'] },
};

/** A picture in a request. */
export const image = (limits: EngineLimits): Schema => ({
  type: 'string',
  format: 'binary',
  description: `JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF by its content; at most ${limits.imageBytes / mebibyte} MiB and ${limits.imagePixels / 1e6} megapixels by its header. Formats that need much memory to decode have lower limits: progressive JPEG 100 to 200, WebP and AVIF 150, HEIC 60`,
});

export const model = object(
  {
    modelId: text('Unique model identifier', { format: 'uuid' }),
    status: whole('1 = success, 3 = processing, 4 = fail', { enum: [1, 3, 4] }),
    waitTime: text('Estimated seconds until it is finished, as text; "0" when it is', {
      pattern: '^[0-9]+$',
    }),
    sex,
    eyelidType: { ...eyelidType, description: `${eyelidType.description}; absent if B1 had none` },
    photos: {
      type: 'array',
      items: otherPhoto,
      description: 'Extension `files`: the result for each, once the head is made; absent if B1 had none',
    },
    failMessage: text('What to change, where it failed; else empty'),
    downloadLink: text('Where the head (GLB) can be had, once it is made; else empty'),
  },
  ['modelId', 'status', 'waitTime', 'sex', 'failMessage', 'downloadLink'],
);

/** Group B's refusals. */
export const envelopeError = object(
  {
    data: object(
      {
        reason: text('A word for programs'),
        field: text('The part of the request at fault'),
        number: whole('Which of several in that part, from 1'),
      },
      ['reason'],
    ),
    code: whole('The HTTP status; never 200'),
    message: text('A sentence for a person'),
  },
  ['data', 'code', 'message'],
);
