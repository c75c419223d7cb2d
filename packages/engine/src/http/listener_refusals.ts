/** The listener's refusals that are common to all operations. */
import { type KeyedMessage, t } from '@likeness/messages';
import { isDiskFull, isDiskTrouble } from '@likeness/node-kit/error_codes.ts';
import { shareUsed } from './fair_shares.ts';
import { Refusal } from './refusal.ts';

/** Why a correct key may be wrong: each run has new keys, or the operator revoked it. */
export type KeySource = 'run' | 'operator';

/** The key that an operation requires: Group A's, Group B's, either, or none. */
export type RequiredKey = 'A' | 'B' | 'either' | 'none';

export function wrongMethod(method: string, allowed: readonly string[]): Refusal {
  const allow = [...new Set(allowed)].join(', ');
  return new Refusal(405, 'method_not_allowed', t('refusal.method_not_allowed', { method, allow }), {
    headers: { allow },
  });
}

export function unknownPath(path: string, pathWord: string): Refusal {
  return new Refusal(404, 'path_unknown', t('refusal.path_unknown', { path: path.slice(0, 200), pathWord }));
}

/** The built-in engine's message for another host name; a service lists the names that it answers to. */
export const loopbackNamesOnly = t('refusal.host_unknown');

export const wrongHost = (text: KeyedMessage): Refusal =>
  new Refusal(421, 'host_unknown', text, { field: 'host' });

export function encoded(): Refusal {
  return new Refusal(415, 'content_encoding', t('refusal.content_encoding'), { field: 'content-encoding' });
}

/** @param source Why a correct key may be wrong now. */
export function unauthorized(auth: RequiredKey, source: KeySource): Refusal {
  return new Refusal(401, 'unauthorized', t('refusal.unauthorized', { auth, source }), {
    headers: auth === 'B' ? {} : { 'www-authenticate': 'Bearer realm="likeness engine"' },
  });
}

/** @param own Connections of this tenant. */
export function tooManyConnections(own: number): Refusal {
  return new Refusal(503, 'too_many_connections', shareUsed('connections', own), {
    headers: { connection: 'close', 'retry-after': '1' },
  });
}

export const storageUnreachable = (): Refusal =>
  new Refusal(503, 'storage_unreachable', t('refusal.storage_unreachable'), {
    headers: { 'retry-after': '5' },
  });

/** Returns the refusal for an error that isn't the caller's. */
export function failure(error: unknown): Refusal {
  if (isDiskFull(error)) {
    return new Refusal(507, 'disk_full', t('refusal.disk_full'));
  }
  if (isDiskTrouble(error)) return storageUnreachable();
  return new Refusal(500, 'internal', t('refusal.internal'));
}
