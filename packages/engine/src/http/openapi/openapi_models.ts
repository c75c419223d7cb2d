import { z } from 'zod';
import { idempotencyKey } from '../../models/idempotency_key.ts';
import {
  imageTaskAccepted,
  imageTaskForm,
  modelAccepted,
  modelForm,
  modelSchema,
} from '../../models/model_bodies.ts';
import { jsonSchema } from './json_schema.ts';
import {
  emptyObject,
  envelopeError,
  everywhere,
  form,
  json,
  type OperationDescription,
  pathParameter,
  upload,
} from './openapi_parts.ts';

const envelope = (data: z.ZodType) =>
  z.object({
    data,
    code: z.literal(200),
    message: z
      .string()
      .describe('Prompt text')
      .meta({ examples: ['success'] }),
  });

/** A2. */
export const submitImage: OperationDescription = {
  tag: 'Group A',
  summary: 'A2. Submit a 3D image task',
  description:
    'Checks the image, records it and answers with the task’s id. The interface has no operation for the state of a task. A service that announces `image-tasks` has one, and accepts an Idempotency-Key here.',
  requestBody: form(imageTaskForm),
  answers: {
    200: {
      description: 'Recorded',
      content: json(imageTaskAccepted),
    },
  },
  refused: upload,
};

/**
 * B1, with the extensions `idempotency-key`, `head-corrections`, `head-options`, `head-anyway`, `head-preview` and
 * `files`.
 */
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
      schema: jsonSchema(idempotencyKey),
    },
  ],
  requestBody: form(modelForm),
  answers: {
    200: { description: 'Accepted; query its state with B2', content: json(envelope(modelAccepted)) },
  },
  refused: {
    ...upload,
    400: [...upload[400], 'too_many_files', 'idempotency_key_wrong'],
    409: ['idempotency_conflict'],
    503: ['too_many_connections', 'queue_full'],
  },
  refusedAs: envelopeError,
};

/** Shared by B2 and the deletion at its address. */
const knownModel = {
  tag: 'Group B',
  parameters: [pathParameter('modelId')],
  refused: { ...everywhere, 401: ['unauthorized'], 404: ['model_unknown'] },
  refusedAs: envelopeError,
} satisfies Partial<OperationDescription>;

/** B2. */
export const getModel: OperationDescription = {
  ...knownModel,
  summary: 'B2. Get a model',
  description:
    'The interface shows no header for this operation; this engine requires the key here as well. Extension long-poll: with `Prefer: wait=30` it answers when the model has changed, or after that many seconds (at most 50), with `Preference-Applied`.',
  answers: { 200: { description: 'Its state', content: json(envelope(modelSchema)) } },
};

export const deleteModel: OperationDescription = {
  ...knownModel,
  summary: 'Extension delete-model: cancel or delete a model, at the address of B2',
  answers: { 200: { description: 'Deleted', content: json(envelope(emptyObject)) } },
};

export const modelEvents: OperationDescription = {
  tag: 'Group B',
  summary: 'Extension model-events: server-sent events of all models of the key',
  description:
    'An event `model` with `{"modelId","status"}` for each change; `status` as in B2, null if the model was deleted. Changes before the connection are not repeated: query B2 after connecting.',
  answers: {
    200: {
      description: 'Events, until one side ends',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
  },
  refused: { ...everywhere, 401: ['unauthorized'] },
};
