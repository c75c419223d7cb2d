import { storageUnreachable } from '@likeness/engine/http/listener_refusals.ts';
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
    const refusal = storageUnreachable();
    refusal.cause = error;
    throw refusal;
  }
}
