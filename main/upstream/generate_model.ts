import { addressFor, call, type Line, timeoutsFor } from './call.ts';
import { generateModelAddress } from './endpoint.ts';
import { identifier } from './envelope.ts';
import { UpstreamError } from './error.ts';
import type { Extensions } from './extensions.ts';
import { waitSecondsOf } from './get_model.ts';
import { envelopeDataOf, longestJson, readable } from './json_answer.ts';
import { multipartWithFile, type UploadFile } from './multipart.ts';
import { priorities } from './pace.ts';
import { collect } from './round_trip.ts';

export interface GenerateModelRequest {
  /** The portrait photo. */
  file: UploadFile;
  sex: 'female' | 'male';
  eyelidType?: 'single' | 'double';
  /** What a person set right in the outline of head and hair. Sent only where the server announces it. */
  corrections?: {
    strokes: readonly { kind: 'hair' | 'background'; radius: number; points: readonly number[] }[];
    crown: number;
  };
  /** Names this order, so that repeating it makes no second model. Sent only where the server announces it. */
  idempotencyKey?: string;
}

export const uploadTimeouts = {
  connect: 10_000,
  firstByte: 120_000,
  betweenBytes: 30_000,
  whole: 15 * 60_000,
};

/**
 * B1: orders a model from a portrait photo. Billed, so it is sent again only where it provably was not received
 * or was turned away with a Retry-After.
 *
 * @param announced What the server says it can beyond the interface.
 * @throws UpstreamError; with `uncertain` where the order may stand although no proper answer came
 */
export async function generateModel(
  line: Line,
  request: GenerateModelRequest,
  announced: Pick<Extensions, 'idempotencyKey' | 'headCorrections'>,
  signal?: AbortSignal,
): Promise<{ modelId: string; waitSeconds: number }> {
  const { origin, path, host } = addressFor('generate_model', () => generateModelAddress(line.endpoint));
  const key = announced.idempotencyKey ? request.idempotencyKey : undefined;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new UpstreamError(
      'invalid_input',
      'Generate model: the idempotency key has characters that no header can have.',
      {
        operation: 'generate_model',
        field: 'idempotencyKey',
        hint: 'Use letters, digits and dashes.',
      },
    );
  }
  const fields: [string, string][] = [['sex', request.sex === 'female' ? '1' : '0']];
  if (request.eyelidType) fields.push(['eyelidType', request.eyelidType === 'single' ? '1' : '2']);
  if (request.corrections && announced.headCorrections) {
    fields.push(['corrections', JSON.stringify(request.corrections)]);
  }
  const form = await multipartWithFile(request.file, fields);
  const timeouts = timeoutsFor(line, uploadTimeouts);
  try {
    return await call(
      line,
      {
        operation: 'generate_model',
        group: 'B',
        host,
        idempotent: false,
        purpose: 'billed',
        priority: priorities.upload,
        models: 1,
        protectedFromRepetition: key !== undefined,
      },
      signal,
      async ({ dispatcher, meter, credential }, exchange) => {
        const answer = await collect(
          {
            dispatcher,
            origin,
            path,
            method: 'POST',
            headers: [
              'accept',
              'application/json',
              'content-type',
              form.contentType,
              'content-length',
              String(form.contentLength),
              ...(key === undefined ? [] : ['idempotency-key', key]),
              ...credential,
            ],
            body: form.stream(),
            timeouts,
            meter,
            signal,
          },
          longestJson,
        );
        line.onGroupBAnswer(answer.headers);
        const data = envelopeDataOf(answer, exchange);
        const modelId = readable(answer, () => identifier(data.modelId, 'data.modelId'));
        exchange.subject = modelId;
        exchange.billedModels = 1;
        return { modelId, waitSeconds: waitSecondsOf(data.waitTime, 'data.waitTime', []) };
      },
    );
  } finally {
    await form.close();
  }
}
