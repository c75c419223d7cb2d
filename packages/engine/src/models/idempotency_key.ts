import { Refusal } from '../http/refusal.ts';
import type { RequestContext } from '../http/request_context.ts';

/**
 * The `Idempotency-Key` of an order, the caller's own: two may choose the same key and mean different things.
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
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal(
      400,
      'idempotency_key_wrong',
      {
        en: 'The Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.',
        zh: 'Idempotency-Key 须为 1 至 255 个可见 ASCII 字符，例如 UUID。',
      },
      { field: 'idempotency-key' },
    );
  }
  return `${caller.name} ${key}`;
}
