/** The reasons for refusing an order of a model. */
import { Refusal } from '../http/refusal.ts';

export function idempotencyConflict(): Refusal {
  return new Refusal(409, 'idempotency_conflict', {
    en: 'This Idempotency-Key was used with other photos or other parameters. Use a new key for a new order.',
    zh: '该 Idempotency-Key 已用于其他照片或参数。新请求请使用新的键。',
  });
}

export function queueFull(waitingModels: number, retryAfter: number): Refusal {
  return new Refusal(
    503,
    'queue_full',
    {
      en: `${waitingModels} models are waiting already. Send this one again in ${retryAfter} s.`,
      zh: `已有 ${waitingModels} 个模型在排队。请在 ${retryAfter} 秒后重新发送。`,
    },
    { headers: { 'retry-after': String(retryAfter) } },
  );
}
