import { addressFor, call } from '../call.ts';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { collect } from '../transport/collect_answer.ts';
import { getModelAddress } from '../transport/endpoint.ts';
import { priorities } from '../transport/pace.ts';
import { envelopeDataOf, longestJson } from './json_answer.ts';

const timeouts = { connect: 10_000, firstByte: 30_000, betweenBytes: 15_000, whole: 60_000 };

/**
 * Extension `delete-model`: cancels a model in progress, or deletes it. Never billed.
 *
 * @throws UpstreamError, also if the server does not know the model
 */
export async function deleteModel(
  context: ClientContext,
  modelId: string,
  signal?: AbortSignal,
): Promise<void> {
  const { origin, path, host } = addressFor('delete_model', () => getModelAddress(context.endpoint, modelId));
  await call(
    context,
    {
      operation: 'delete_model',
      group: 'B',
      host,
      subject: modelId,
      idempotent: true,
      purpose: 'call',
      priority: priorities.question,
    },
    signal,
    async ({ dispatcher, meter, credential }, exchange) => {
      const answer = await collect(
        {
          dispatcher,
          origin,
          path,
          method: 'DELETE',
          headers: ['accept', 'application/json', ...credential],
          timeouts: timeoutsFor(context, timeouts),
          meter,
          signal,
        },
        longestJson,
      );
      context.onGroupBAnswer(answer);
      envelopeDataOf(answer, exchange);
    },
  );
}
