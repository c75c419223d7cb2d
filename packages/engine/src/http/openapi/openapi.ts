import { z } from 'zod';
import { AudioRequest } from '../../faces/audio_request.ts';
import { modelForm, modelSchema } from '../../models/model_bodies.ts';
import { type EndpointName, endpointsOf, type ServiceEndpoint } from '../endpoints.ts';
import { extensions } from '../engine_extensions.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import type { RequiredKey } from '../listener_refusals.ts';
import { componentSchemas, type Schema } from './json_schema.ts';
import { audioToFace } from './openapi_faces.ts';
import { deleteModel, generateModel, getModel, modelEvents, submitImage } from './openapi_models.ts';
import {
  binary,
  envelopeError,
  everywhere,
  json,
  type OperationDescription,
  pathParameter,
  plainError,
} from './openapi_parts.ts';
import { describePhotos } from './openapi_photos.ts';
import { describeRecordings } from './openapi_recordings.ts';

/** The answer of `/health`. */
export const healthSchema = z.object({
  status: z.literal('ok'),
  version: z.string().describe('Version of the engine'),
  pathWord: z.string().describe('The neutral word in the paths'),
  extensions: z.array(z.string()),
  jobs: z.object({
    queued: z.int().describe('Models that wait'),
    running: z.int().describe('Models being made'),
  }),
});

export interface ServiceDescriptionOptions {
  pathWord: string;
  version: string;
  limits: EngineLimits;
  /** Endpoints besides the engine's own. */
  more?:
    | {
        readonly endpoints: Readonly<Record<string, ServiceEndpoint>>;
        readonly descriptions: Readonly<Record<string, OperationDescription>>;
        readonly extensions: readonly string[];
      }
    | undefined;
}

/**
 * Describes the service in OpenAPI 3.1, with all that `interface.md` leaves open: error bodies, HTTP
 * statuses, limits, stream words, the extensions.
 */
export function describeService({ pathWord, version, limits, more }: ServiceDescriptionOptions): Schema {
  const descriptions: Record<EndpointName, OperationDescription> = {
    audioToFace: audioToFace(limits),
    submitImage,
    generateModel,
    getModel,
    deleteModel,
    modelEvents,
    ...describePhotos(limits),
    ...describeRecordings(limits),
    downloadFile,
    health,
    describe,
  };
  return {
    openapi: '3.1.0',
    info: {
      title: more ? 'Likeness service' : 'Likeness built-in engine',
      version,
      description: introduction(limits, more?.extensions ?? []),
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Group A', description: 'Faces and image tasks' },
      { name: 'Group B', description: 'Models' },
      { name: 'Photos', description: 'Checks of photos before ordering a head; either key works' },
      {
        name: 'Recordings',
        description: 'Complete recordings: their words and their faces; either key works',
      },
      { name: 'Engine', description: 'Health, files, this description' },
    ] satisfies { name: OperationDescription['tag']; description: string }[],
    paths: pathsOf(
      { ...endpointsOf(pathWord), ...more?.endpoints },
      { ...descriptions, ...more?.descriptions },
    ),
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'auth_ak' },
      },
      schemas: componentSchemas(modelForm, modelSchema, envelopeError, plainError, AudioRequest),
    },
  };
}

function introduction(limits: EngineLimits, more: readonly string[]): string {
  const days = limits.keep / 86_400_000;
  return [
    '3D heads from portrait photos (Group B, `/open-api`) and faces from speech (Group A, `/v1`).',
    '',
    '**Errors.** Group B answers every request in its envelope; `code` is 200 on success, otherwise the HTTP status, and `data.reason` is a machine-readable reason. All other operations answer errors as `{ code, message }`, with such a reason as `code`. `message` and `failMessage` are in the language of `Accept-Language` (English or Chinese).',
    '',
    `**Images** may have ${limits.imageBytes / mebibyte} MiB, and ${limits.imagePixels / 1e6} megapixels by their header.`,
    '',
    `**Extensions** beyond the interface: the response header \`likeness-extensions\` announces them. They are ${[...extensions, ...more].map((one) => `\`${one}\``).join(', ')}.`,
    '',
    `**Retention.** Finished models, failures and image tasks are kept for ${days} days. All results together may take ${limits.resultBytes / mebibyte} MiB; the least recently used go first.`,
    '',
    'Group B paths may also begin with a double slash (`//open-api/…`). The engine answers only to the host names 127.0.0.1 and localhost.',
  ].join('\n');
}

/** Each endpoint with its description, by path and method. */
function pathsOf(
  endpoints: Readonly<Record<string, ServiceEndpoint>>,
  descriptions: Readonly<Record<string, OperationDescription>>,
): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, { method, path, auth }] of Object.entries(endpoints)) {
    const described = operation(name, auth, descriptions[name]!);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return paths;
}

/** Builds an OpenAPI operation object. */
function operation(
  operationId: string,
  auth: RequiredKey,
  { tag, summary, description, parameters, requestBody, answers, refused, refusedAs }: OperationDescription,
): Schema {
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security[auth],
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...answers, ...refusals(refusedAs ?? plainError, refused) },
  };
}

const security: Readonly<Record<RequiredKey, readonly Schema[]>> = {
  A: [{ accessToken: [] }],
  B: [{ apiKey: [] }],
  either: [{ accessToken: [] }, { apiKey: [] }],
  none: [],
};

function refusals(body: z.ZodType, reasons: OperationDescription['refused']): Schema {
  const answers: Schema = {};
  for (const [status, words] of Object.entries(reasons)) {
    answers[status] = {
      description: `Refused: ${words.map((word) => `\`${word}\``).join(', ')}`,
      content: json(body),
    };
  }
  return answers;
}

const downloadFile: OperationDescription = {
  tag: 'Engine',
  summary: 'The file that a downloadLink points at',
  description: 'Needs no key: the link can’t be guessed. Takes Range, If-Range and If-None-Match.',
  parameters: [pathParameter('file')],
  answers: {
    200: { description: 'The whole file', content: binary('model/gltf-binary') },
    206: { description: 'One range of it', content: binary('model/gltf-binary') },
    304: { description: 'Not modified' },
  },
  refused: { ...everywhere, 404: ['file_unknown'], 416: ['range_unsatisfiable'] },
};

const health: OperationDescription = {
  tag: 'Engine',
  summary: 'Extension health: version and load; proves either key without cost',
  answers: {
    200: {
      description: 'Running',
      content: json(healthSchema),
    },
  },
  refused: { ...everywhere, 401: ['unauthorized'] },
};

const describe: OperationDescription = {
  tag: 'Engine',
  summary: 'This description',
  answers: { 200: { description: 'OpenAPI 3.1', content: json(z.looseObject({})) } },
  refused: everywhere,
};
