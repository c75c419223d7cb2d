import { Refusal } from '@likeness/engine/http/refusal.ts';
import { StoreUnreachable } from '../store/blob_store.ts';

/**
 * Runs work on store and queue. If they are unreachable, the caller gets a refusal that says the request may
 * not have been accepted.
 */
export async function refusingOutages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    const isAway =
      error instanceof StoreUnreachable ||
      name === 'MaxRetriesPerRequestError' ||
      code === 'ECONNREFUSED' ||
      /Connection is closed|Command timed out|LOADING|READONLY|MISCONF|OOM command/.test(String(error));
    if (!isAway) throw error;
    const refusal = new Refusal(
      503,
      'storage_unreachable',
      {
        en: 'The service can’t reach its storage at the moment, so it may not have accepted this. Send it again; for an order, use the same Idempotency-Key.',
        zh: '服务暂时无法访问其存储，可能未接收此请求。请重新发送；下单请使用相同的 Idempotency-Key。',
      },
      { headers: { 'retry-after': '5' } },
    );
    refusal.cause = error;
    throw refusal;
  }
}
