import type { ClientContext } from '../client_context.ts';
import { envelopeDataOf } from './json_answer.ts';
import { modelCall } from './model_call.ts';

/**
 * Extension `delete-model`: cancels a model in progress, or deletes it.
 *
 * @throws UpstreamError, also if the server does not know the model
 */
export const deleteModel = (context: ClientContext, modelId: string, signal?: AbortSignal): Promise<void> =>
  modelCall(context, 'delete_model', modelId, signal, (answer, exchange) => {
    envelopeDataOf(answer, exchange);
  });
