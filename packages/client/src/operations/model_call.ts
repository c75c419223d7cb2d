import { addressFor, call } from '../call.ts';
import type { FinishedCall } from '../call_record.ts';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { collect } from '../transport/collect_answer.ts';
import { getModelAddress } from '../transport/endpoint.ts';
import { priorities } from '../transport/pace.ts';
import type { CollectedAnswer } from '../transport/wire.ts';
import { longestJson } from './json_answer.ts';

/** Milliseconds. */
const modelTimeouts = { connect: 10_000, firstByte: 30_000, betweenBytes: 15_000, whole: 60_000 };

const methods = { get_model: 'GET', delete_model: 'DELETE' } as const;

/**
 * Calls the address of a model. Never billed, so it is retried after any error.
 *
 * @param read - Reads the result from an answer.
 * @throws UpstreamError
 */
export async function modelCall<T>(
  context: ClientContext,
  operation: keyof typeof methods,
  modelId: string,
  signal: AbortSignal | undefined,
  read: (answer: CollectedAnswer, exchange: FinishedCall, origin: string) => T,
): Promise<T> {
  const { origin, path, host } = addressFor(operation, () => getModelAddress(context.endpoint, modelId));
  const timeouts = timeoutsFor(context, modelTimeouts);
  return call(
    context,
    {
      operation,
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
          method: methods[operation],
          headers: ['accept', 'application/json', ...credential],
          timeouts,
          meter,
          signal,
        },
        longestJson,
      );
      context.onGroupBAnswer(answer);
      return read(answer, exchange, origin);
    },
  );
}
