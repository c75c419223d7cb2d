import {
  emptyObject,
  everywhere,
  json,
  type OperationDescription,
  pathParameter,
} from '@likeness/engine/http/openapi/openapi_parts.ts';
import { deleteImageTask, getImageTask } from '@likeness/engine/models/image_task_operations.ts';
import { imageTaskSchema } from '@likeness/engine/models/model_bodies.ts';
import type { ModelJobs } from '@likeness/engine/models/model_jobs.ts';
import { z } from 'zod';
import type { MoreEndpoint } from './service_endpoints.ts';

/** Extension `image-tasks`: adds a status query, because the interface's A2 only returns an id. */
export function imageTaskEndpoints(
  pathWord: string,
  queue: ModelJobs,
): Record<'imageTask' | 'forgetImageTask', MoreEndpoint> {
  const known = {
    tag: 'Group A',
    parameters: [pathParameter('taskId')],
    refused: { ...everywhere, 401: ['unauthorized'], 403: ['scope_missing'], 404: ['image_task_unknown'] },
  } satisfies Partial<OperationDescription>;
  const alike = { path: `/v1/${pathWord}-3d/sq/{taskId}`, auth: 'A', extension: 'image-tasks' } as const;
  return {
    imageTask: {
      ...alike,
      method: 'GET',
      answer: (exchange) => getImageTask(exchange, queue),
      description: {
        ...known,
        summary: 'Extension image-tasks: the state of an image task of A2, and its result',
        description:
          'A head is made of each image, and billed as a model. With this extension A2 takes an Idempotency-Key.',
        answers: { 200: { description: 'Its state', content: json(imageTaskSchema) } },
      },
    },
    forgetImageTask: {
      ...alike,
      method: 'DELETE',
      answer: (exchange) => deleteImageTask(exchange, queue),
      description: {
        ...known,
        summary: 'Extension image-tasks: cancel or delete an image task',
        answers: {
          200: { description: 'Deleted', content: json(z.object({ data: emptyObject })) },
        },
      },
    },
  };
}
