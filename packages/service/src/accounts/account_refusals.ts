import type { Units } from '@likeness/engine/http/access.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { t } from '@likeness/messages';

/** Default of Retry-After, seconds. */
const defaultRetryAfter = 1;

export function capReached(
  unit: keyof Units,
  { cap, used, pending }: { cap: number; used: number; pending: number },
): Refusal {
  const amount = (value: number): string => String(Math.round(value * 10) / 10);
  return new Refusal(
    402,
    'cap_reached',
    t('refusal.cap_reached', { unit, cap: amount(cap), used: amount(used), pending: amount(pending) }),
  );
}

export function tooManyConcurrentCalls(max: number): Refusal {
  return new Refusal(429, 'too_many_at_once', t('refusal.too_many_at_once', { max }), {
    headers: { 'retry-after': String(defaultRetryAfter) },
  });
}

/** @param wait Milliseconds. */
export function tooFast(perSecond: number, wait: number): Refusal {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new Refusal(429, 'rate_exceeded', t('refusal.rate_exceeded', { perSecond, seconds }), {
    headers: { 'retry-after': String(seconds) },
  });
}
