import { Refusal } from '../../engine/http/refusal.ts';
import { StoreUnreachable } from '../store/blob_store.ts';

/** What a caller is told where store or queue are away: nothing was taken that is not kept. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
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
        en: 'The service can’t reach its storage at the moment. Nothing was taken; send this again.',
        zh: '服务暂时无法访问其存储。未接收任何内容；请重新发送。',
      },
      { headers: { 'retry-after': '5' } },
    );
    refusal.cause = error;
    throw refusal;
  }
}
