import { t } from '@likeness/messages';
import type { z } from 'zod';
import { textFields } from '../http/form_fields.ts';
import { withImageUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import { type RequestContext, sendJson } from '../http/request_context.ts';
import { readIdempotencyKey } from './idempotency_key.ts';
import type { ImageTasks } from './image_task_records.ts';
import { type imageTaskAccepted, imageTaskForm, type imageTaskSchema } from './model_bodies.ts';
import type { ModelJobs } from './model_jobs.ts';
import { modelState } from './model_record.ts';

/** A2: takes an image and answers with the task's id. */
export async function submitImageTask(
  { request, response, caller, meter }: RequestContext,
  { tasks, folder, limits }: { tasks: ImageTasks; folder: string; limits: EngineLimits },
): Promise<void> {
  const key = readIdempotencyKey(request, caller);
  // The same key may stand for a head and for an image task.
  const idempotencyKey = key === null ? null : `image ${key}`;
  const id = await withImageUpload(
    request,
    { folder, fieldNames: textFields(imageTaskForm), limits },
    async (upload) => {
      if (tasks.areMade) await meter.plan({ models: 1 }, idempotencyKey);
      const { owner, priority = 0 } = caller;
      return tasks.submit(upload, { owner, priority, idempotencyKey, charge: meter.charge });
    },
  );
  meter.about(id);
  if (tasks.areMade) await meter.ordered(id, idempotencyKey);
  sendJson(response, 200, { data: { id } } satisfies z.input<typeof imageTaskAccepted>);
}

/** Extension `image-tasks`: reports an image task's state and its result. */
export async function getImageTask(
  { response, parameters, language, origin, caller, meter }: RequestContext,
  queue: ModelJobs,
): Promise<void> {
  const task = await queue.find(parameters.taskId ?? '', caller.owner, 'image');
  if (!task) throw unknownTask();
  meter.about(task.id);
  const stage = await queue.stageOf(task);
  sendJson(response, 200, {
    data: {
      id: task.id,
      status: task.state,
      waitTime: await queue.waitTime(task),
      ...(stage && { stage: stage.name, progress: stage.progress }),
      failMessage: task.failure?.[language] ?? '',
      downloadLink: task.state === modelState.success ? `${origin}/files/${task.file}.glb` : '',
    },
  } satisfies z.input<typeof imageTaskSchema>);
}

/** Extension `image-tasks`: cancels or deletes an image task. */
export async function deleteImageTask(
  { response, parameters, caller }: RequestContext,
  queue: ModelJobs,
): Promise<void> {
  if (!(await queue.remove(parameters.taskId ?? '', caller.owner, 'image'))) throw unknownTask();
  sendJson(response, 200, { data: {} });
}

function unknownTask(): Refusal {
  return new Refusal(404, 'image_task_unknown', t('refusal.image_task_unknown'), { field: 'id' });
}
