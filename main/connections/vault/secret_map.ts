import type { SecretName } from '#contract';
import type { StoredSecret } from './secret_file.ts';

/** Secrets by profile id, then by name. */
export type SecretMap = Map<string, Map<SecretName, StoredSecret>>;

export function putSecret(into: SecretMap, profileId: string, name: SecretName, secret: StoredSecret): void {
  const names = into.get(profileId) ?? new Map<SecretName, StoredSecret>();
  names.set(name, secret);
  into.set(profileId, names);
}

export function copySecrets(secrets: SecretMap): SecretMap {
  return new Map([...secrets].map(([profileId, names]) => [profileId, new Map(names)]));
}

/** Adds all of `from`, which overrides existing secrets. */
export function addSecrets(into: SecretMap, from: SecretMap): void {
  for (const [profileId, names] of from)
    for (const [name, secret] of names) putSecret(into, profileId, name, secret);
}
