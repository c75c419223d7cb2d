/** The reasons for refusing an order of a model. */
import { t } from '@likeness/messages';
import { shareUsed } from '../http/fair_shares.ts';
import { Refusal } from '../http/refusal.ts';

export function idempotencyConflict(): Refusal {
  return new Refusal(409, 'idempotency_conflict', t('refusal.idempotency_conflict'));
}

export function queueFull(waitingModels: number, retryAfter: number): Refusal {
  return new Refusal(503, 'queue_full', t('refusal.queue_full', { waitingModels, retryAfter }), {
    headers: { 'retry-after': String(retryAfter) },
  });
}

/** @param own Waiting models of this owner. */
export function queueShareUsed(own: number, retryAfter: number): Refusal {
  return new Refusal(503, 'queue_full', shareUsed('models', own), {
    headers: { 'retry-after': String(retryAfter) },
  });
}
