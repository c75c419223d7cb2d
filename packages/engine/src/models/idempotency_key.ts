import { t } from '@likeness/messages';
import { z } from 'zod';
import { Refusal } from '../http/refusal.ts';
import type { RequestContext } from '../http/request_context.ts';

export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/**
 * Reads the `Idempotency-Key` of an order. Keys belong to their caller: two callers may use one key for
 * different orders.
 *
 * @throws {Refusal} 400 `idempotency_key_wrong`
 */
export function readIdempotencyKey(
  { headers }: RequestContext['request'],
  caller: RequestContext['caller'],
): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header);
  if (!idempotencyKey.safeParse(key).success) {
    throw new Refusal(400, 'idempotency_key_wrong', t('refusal.idempotency_key_wrong'), {
      field: 'idempotency-key',
    });
  }
  return `${caller.name} ${key}`;
}
