import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { defaultLimits } from '../src/http/limits.ts';
import { describeService } from '../src/http/openapi/openapi.ts';

interface Body {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            requestBody: { content: Record<string, { schema: Body }> };
            responses: Record<string, { content: Record<string, { schema: Body }> }>;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Body>> };
}

const described = describeService({ pathWord: 'svc', version: '1.2.3', limits: defaultLimits });
const { paths, components } = described as unknown as Description;
const { schemas } = components;
const generate = paths['/open-api/svc/sdk/model/generate']!.post!;
const form = generate.requestBody.content['multipart/form-data']!.schema;

it('is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(described))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

it('names the fields of the interface, with their types and values', () => {
  expect(schemas.AudioToFaceRequest).toMatchObject({
    additionalProperties: false,
    required: ['traceId', 'status', 'data'],
    properties: {
      traceId: { type: 'string', format: 'uuid' },
      status: { type: 'string', enum: ['start', 'continue', 'end'] },
      data: { type: 'string', contentEncoding: 'base64' },
      sampleRate: { type: 'integer', minimum: 8000, maximum: 96_000 },
      channels: { type: 'integer', minimum: 1, maximum: 8, default: 1 },
      frameRate: { type: 'integer', enum: [30, 60], default: 60 },
    },
  });
  expect(form).toMatchObject({
    additionalProperties: false,
    required: ['file', 'sex'],
    properties: {
      file: { $ref: '#/components/schemas/Image' },
      files: { type: 'array', items: { $ref: '#/components/schemas/Image' }, maxItems: 7 },
      sex: { type: 'integer', enum: [0, 1] },
      eyelidType: { type: 'integer', enum: [1, 2] },
      anyway: { type: 'integer', enum: [0, 1] },
      preview: { type: 'integer', enum: [0, 1] },
    },
  });
  expect(generate.responses[200]!.content['application/json']!.schema).toMatchObject({
    required: ['data', 'code', 'message'],
    properties: {
      code: { type: 'integer', const: 200 },
      data: {
        required: ['modelId', 'waitTime'],
        properties: { modelId: { type: 'string' }, waitTime: { type: 'integer', minimum: 0 } },
      },
    },
  });
  expect(schemas.Model).toMatchObject({
    required: ['modelId', 'status', 'waitTime', 'sex', 'failMessage', 'downloadLink'],
    properties: {
      status: { type: 'integer', enum: [1, 3, 4] },
      waitTime: { type: 'string' },
      sex: { type: 'integer', enum: [0, 1] },
      eyelidType: { type: 'integer', enum: [1, 2] },
    },
  });
  expect(schemas.Error).toMatchObject({ required: ['code', 'message'] });
  expect(schemas.EnvelopeError).toMatchObject({ required: ['data', 'code', 'message'] });
});

it('describes the JSON in a text field', () => {
  expect(form.properties.options).toMatchObject({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: {
      additionalProperties: false,
      properties: { smile: { type: 'number', minimum: 0, maximum: 1 } },
    },
  });
  expect(form.properties.corrections).toMatchObject({
    contentSchema: { properties: { crown: { minimum: -0.3, maximum: 0.3 }, strokes: { type: 'array' } } },
  });
});

it('describes every field of a body, and no limit that all JSON integers have', () => {
  const bare = (schema: Body): string[] =>
    Object.entries(schema.properties).flatMap(([name, { description }]) => (description ? [] : [name]));
  expect(bare(schemas.AudioToFaceRequest!)).toEqual([]);
  expect(bare(form)).toEqual(['file']);
  expect(JSON.stringify(described)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});
