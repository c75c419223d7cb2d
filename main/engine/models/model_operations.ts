import { missing, readNumber } from '../http/form_fields.ts';
import { withImageUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import { type RequestContext, sendEnvelope } from '../http/request_context.ts';
import { readCorrections } from './head_corrections.ts';
import type { ModelQueue } from './model_queue.ts';
import { modelState } from './model_records.ts';

/** B1: takes a portrait photo and its parameters and answers with the model's id and the wait. */
export async function generateModel(
  { request, response, caller }: RequestContext,
  { queue, folder, limits }: { queue: ModelQueue; folder: string; limits: EngineLimits },
): Promise<void> {
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'], caller);
  const { id, waitTime } = await withImageUpload(
    request,
    { folder, fieldNames: ['sex', 'eyelidType', 'corrections', 'anyway'], limits },
    (upload) => {
      const sex = readNumber(upload.fields, 'sex', [0, 1]);
      if (sex === null) throw missing('sex');
      const eyelidType = readNumber(upload.fields, 'eyelidType', [1, 2]);
      const text = upload.fields.get('corrections');
      const corrections = text === undefined ? null : readCorrections(text);
      const anyway = readNumber(upload.fields, 'anyway', [0, 1]) === 1;
      return queue.submit(upload, { sex, eyelidType, corrections, anyway, idempotencyKey });
    },
  );
  sendEnvelope(response, { modelId: id, waitTime });
}

/** B2: tells how a model is doing. `waitTime` is text here, as the interface has it. */
export function getModel(
  { response, parameters, language, origin }: RequestContext,
  queue: ModelQueue,
): void {
  const model = queue.find(parameters.modelId ?? '');
  if (!model) throw unknownModel();
  const stage = queue.stageOf(model.id);
  sendEnvelope(response, {
    modelId: model.id,
    status: model.state,
    waitTime: String(queue.waitTime(model)),
    sex: model.sex,
    ...(model.eyelidType === null ? {} : { eyelidType: model.eyelidType }),
    ...(stage && { stage: stage.name, progress: stage.progress }),
    failMessage: model.failure?.[language] ?? '',
    // Extension `both-languages`: for callers who show it later, in the language of that moment.
    ...(model.failure && { failMessages: model.failure }),
    downloadLink: model.state === modelState.success ? `${origin}/files/${model.file}.glb` : '',
  });
}

/** Extension `delete-model`: takes a model back, finished or not. */
export function deleteModel({ response, parameters }: RequestContext, queue: ModelQueue): void {
  if (!queue.remove(parameters.modelId ?? '')) throw unknownModel();
  sendEnvelope(response, {});
}

function unknownModel(): Refusal {
  return new Refusal(
    404,
    'model_unknown',
    {
      en: 'There is no model with this id, or no longer: finished ones are kept for some days.',
      zh: '没有此编号的模型，或已过期：完成的模型只保留数天。',
    },
    { field: 'modelId' },
  );
}

function readIdempotencyKey(
  header: string | string[] | undefined,
  caller: RequestContext['caller'],
): string | null {
  if (header === undefined) return null;
  const key = String(header);
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal(
      400,
      'idempotency_key_wrong',
      {
        en: 'The Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
        zh: 'Idempotency-Key 须为 1 至 255 个可见 ASCII 字符，例如 UUID。',
      },
      { field: 'idempotency-key' },
    );
  }
  // Two callers may choose the same key and mean different things.
  return `${caller} ${key}`;
}
