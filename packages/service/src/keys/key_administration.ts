/** Key administration: changes the file; a running service follows within a second. */
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { changeKeys } from './key_file.ts';
import { hashOf, newKeyId, newSecret, type ServiceKey } from './service_key.ts';

export type NewKey = Pick<
  ServiceKey,
  'name' | 'tenant' | 'groups' | 'scopes' | 'priority' | 'expiresAt' | 'caps' | 'rate' | 'atOnce'
>;

/** A new key with its secret, which is stored nowhere else. */
export interface ShownKey {
  key: ServiceKey;
  secret: string;
}

/** @throws Failure `conflict` if a key of this name is in use */
export function addKey(folder: string, wanted: NewKey, now: number): Promise<ShownKey> {
  return changeKeys(folder, (keys) => {
    if (keys.some(({ name, revokedAt }) => name === wanted.name && revokedAt === null))
      throw new Failure('conflict', t('service.key_name_taken', { name: wanted.name }), {
        hint: t('service.key_other_name'),
      });
    const secret = newSecret();
    const key: ServiceKey = {
      id: newKeyId(),
      ...wanted,
      secrets: [{ hash: hashOf(secret), endsAt: null }],
      createdAt: now,
      revision: 0,
      revokedAt: null,
    };
    return { keys: [...keys, key], result: { key, secret } };
  });
}

/** Revokes a key at once. @throws Failure `not_found` */
export function revokeKey(folder: string, nameOrId: string, now: number): Promise<ServiceKey> {
  return changeKeys(folder, (keys) => {
    const found = keyCalled(keys, nameOrId);
    // Without hashes, the key can't become valid again by mistake.
    const revoked = { ...found, revision: found.revision + 1, revokedAt: now, secrets: [] };
    return { keys: keys.map((key) => (key.id === found.id ? revoked : key)), result: revoked };
  });
}

/**
 * Issues a new secret for a key; tenant, scopes, caps and usage stay.
 *
 * @param grace Milliseconds during which the previous secret stays valid.
 * @throws Failure `not_found`
 */
export function rotateKey(
  folder: string,
  nameOrId: string,
  { grace, now }: { grace: number; now: number },
): Promise<ShownKey> {
  return changeKeys(folder, (keys) => {
    const found = keyCalled(keys, nameOrId);
    const secret = newSecret();
    const [before] = found.secrets;
    const rotated: ServiceKey = {
      ...found,
      revision: found.revision + 1,
      secrets: [
        { hash: hashOf(secret), endsAt: null },
        ...(before && grace > 0 ? [{ hash: before.hash, endsAt: now + grace }] : []),
      ],
    };
    const result = { key: rotated, secret };
    return { keys: keys.map((key) => (key.id === found.id ? rotated : key)), result };
  });
}

function keyCalled(keys: readonly ServiceKey[], nameOrId: string): ServiceKey {
  const valid = keys.filter(({ revokedAt }) => revokedAt === null);
  const found = valid.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found) return found;
  throw new Failure('not_found', t('service.no_key', { name: nameOrId }), {
    hint: t('service.list_keys'),
  });
}
