import { t } from '@likeness/messages';
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import type { z } from 'zod';
import { flag, missing, readChoice, readJson, textFields } from '../http/form_fields.ts';
import { withImageUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';
import { ModelNews } from '../http/model_news.ts';
import { Refusal } from '../http/refusal.ts';
import { type RequestContext, sendEnvelope } from '../http/request_context.ts';
import { headCorrectionsSchema } from './head_corrections.ts';
import { readIdempotencyKey } from './idempotency_key.ts';
import { eyelidTypeField, type ModelBody, type modelAccepted, modelForm, sexField } from './model_bodies.ts';
import type { ModelJobs } from './model_jobs.ts';
import { type ModelRecord, modelState } from './model_record.ts';

/** B1: takes photos of a person with parameters; answers with the model's id and the wait. */
export async function generateModel(
  { request, response, caller, meter }: RequestContext,
  { queue, folder, limits }: { queue: ModelJobs; folder: string; limits: EngineLimits },
): Promise<void> {
  const idempotencyKey = readIdempotencyKey(request, caller);
  const { id, waitTime } = await withImageUpload(
    request,
    {
      folder,
      fieldNames: textFields(modelForm),
      otherFiles: limits.otherPhotos,
      durable: queue.renamesPhotos,
      limits,
    },
    async (upload) => {
      const { fields } = upload;
      const sex = readChoice(fields, 'sex', sexField);
      if (sex === null) throw missing('sex');
      const eyelidType = readChoice(fields, 'eyelidType', eyelidTypeField);
      const corrections = readJson(fields, 'corrections', headCorrectionsSchema);
      const options = chosenOptions(readJson(fields, 'options', HeadOptionsSchema));
      const anyway = readChoice(fields, 'anyway', flag) === 1;
      const preview = readChoice(fields, 'preview', flag) === 1;
      await meter.plan({ models: 1 }, idempotencyKey);
      return queue.submit(upload, {
        owner: caller.owner,
        kind: 'head',
        priority: caller.priority ?? 0,
        sex,
        eyelidType,
        corrections,
        options,
        anyway,
        ...(preview && { preview }),
        idempotencyKey,
        charge: meter.charge,
      });
    },
  );
  meter.about(id);
  await meter.ordered(id, idempotencyKey);
  sendEnvelope(response, { modelId: id, waitTime } satisfies z.input<typeof modelAccepted>);
}

/** B2: reports a model's state. `waitTime` is text here, as the interface defines it. */
export async function getModel(
  { request, response, parameters, language, origin, caller, meter }: RequestContext,
  queue: ModelJobs,
  news: ModelNews,
): Promise<void> {
  const id = parameters.modelId ?? '';
  const find = (): Promise<ModelRecord | null> => queue.find(id, caller.owner);
  const seconds = ModelNews.preferredWait(request.headers.prefer);
  const model = seconds === 0 ? await find() : await findChanged(find, { id, seconds, news, response });
  if (!model) throw unknownModel();
  meter.about(model.id);
  const stage = await queue.stageOf(model);
  sendEnvelope(response, {
    modelId: model.id,
    status: model.state,
    waitTime: String(await queue.waitTime(model)),
    sex: model.sex,
    ...(model.eyelidType === null ? {} : { eyelidType: model.eyelidType }),
    ...(stage && { stage: stage.name, progress: stage.progress }),
    failMessage: model.failure?.[language] ?? '',
    // Extension `both-languages`: for callers that show it later, in the language used then.
    ...(model.failure && { failMessages: model.failure }),
    // Extension `files`: the result for each photo.
    ...(model.photos && { photos: [...model.photos] }),
    downloadLink: model.state === modelState.success ? `${origin}/files/${model.file}.glb` : '',
  } satisfies ModelBody);
}

/** Extension `long-poll`: answers when the model is finished or removed, or with its state at the timeout. */
async function findChanged(
  find: () => Promise<ModelRecord | null>,
  {
    id,
    seconds,
    news,
    response,
  }: { id: string; seconds: number; news: ModelNews; response: RequestContext['response'] },
): Promise<ModelRecord | null> {
  const next = news.next(id);
  try {
    const now = await find();
    if (now?.state !== modelState.processing) return now;
    response.setHeader('preference-applied', `wait=${seconds}`);
    await next.changed(seconds, response);
    return await find();
  } finally {
    next.stop();
  }
}

/** Extension `delete-model`: cancels or deletes a model. */
export async function deleteModel(
  { response, parameters, caller }: RequestContext,
  queue: ModelJobs,
): Promise<void> {
  if (!(await queue.remove(parameters.modelId ?? '', caller.owner))) throw unknownModel();
  sendEnvelope(response, {});
}

function unknownModel(): Refusal {
  return new Refusal(404, 'model_unknown', t('refusal.model_unknown'), { field: 'modelId' });
}
