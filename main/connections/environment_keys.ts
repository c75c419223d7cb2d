import { type SecretName, secretNames } from '#contract';
import { originOf } from './key_binding.ts';

const suffixes: Readonly<Record<SecretName, string>> = {
  accessToken: 'ACCESS_TOKEN',
  apiKey: 'API_KEY',
  clientKey: 'CLIENT_KEY',
  proxyPassword: 'PROXY_PASSWORD',
};

export interface EnvironmentKey {
  /** Name of the variable, for messages. */
  variable: string;
  value: string;
  /** Name of the variable that may state its server. */
  urlVariable: string;
  /** Origins given in `LIKENESS_<NAME>_URL`; null if there is no such variable. */
  stated: readonly string[] | null;
}

/** Keys that environment variables give to one profile. */
export type ProfileEnvironmentKeys = ReadonlyMap<SecretName, EnvironmentKey>;

/** All of them, by profile id. */
export type EnvironmentKeys = ReadonlyMap<string, ProfileEnvironmentKeys>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Keys from environment variables, for `serve` and the command line: `LIKENESS_CLOUD_API_KEY` for the profile
 * named “Cloud” (or with that id), `LIKENESS_API_KEY` for the selected or default one; likewise
 * `…_ACCESS_TOKEN`, `…_CLIENT_KEY`, `…_PROXY_PASSWORD`. The profile's own variable comes first.
 * `LIKENESS_CLOUD_URL` (`LIKENESS_URL`) states the key's server, or several separated by blanks.
 *
 * A key must never reach another server: a variable whose name fits two profiles applies to neither, and the
 * built-in engine gets none.
 */
export function environmentKeys(options: {
  environment: Environment;
  profiles: readonly { id: string; name: string; builtIn: boolean }[];
  /** The profile that `LIKENESS_API_KEY` and the like are for. */
  selectedId: string;
}): { keys: EnvironmentKeys; warnings: string[] } {
  const { environment, selectedId } = options;
  const profiles = options.profiles.filter(({ builtIn }) => !builtIn);
  const keys = new Map<string, Map<SecretName, EnvironmentKey>>();
  const warnings: string[] = [];
  const give = (profileId: string, name: SecretName, prefix: string): void => {
    const variable = `${prefix}${suffixes[name]}`;
    const value = environment[variable]?.trim();
    const own = keys.get(profileId) ?? new Map<SecretName, EnvironmentKey>();
    if (!value || own.has(name)) return;
    const urlVariable = `${prefix}URL`;
    const stated = statedBy(environment[urlVariable]);
    keys.set(profileId, own.set(name, { variable, value, urlVariable, stated }));
  };

  const words = profiles.map((profile) => ({ profile, words: wordsOf(profile) }));
  const fitting = new Map<string, number>();
  for (const word of words.flatMap((one) => [...one.words])) fitting.set(word, (fitting.get(word) ?? 0) + 1);
  for (const name of secretNames) {
    for (const { profile, words: own } of words) {
      for (const word of own) {
        const variable = `LIKENESS_${word}_${suffixes[name]}`;
        if (fitting.get(word) === 1) give(profile.id, name, `LIKENESS_${word}_`);
        else if (environment[variable]) warnings.push(`${variable} fits more than one connection: not used.`);
      }
    }
  }
  if (profiles.some(({ id }) => id === selectedId)) {
    for (const name of secretNames) give(selectedId, name, 'LIKENESS_');
  }
  return { keys, warnings: [...new Set(warnings)] };
}

/** An invalid address matches no connection's server. */
function statedBy(text: string | undefined): string[] | null {
  const addresses = text?.trim();
  return addresses ? addresses.split(/[\s,]+/).map((address) => originOf(address) || address) : null;
}

/** Values of all variables that may contain a key, for any profile: none may appear in a log. */
export function environmentSecrets(environment: Environment): string[] {
  const named = /^LIKENESS_(?:.+_)?(?:ACCESS_TOKEN|API_KEY|CLIENT_KEY|PROXY_PASSWORD|PASSPHRASE)$/;
  return Object.entries(environment).flatMap(([variable, value]) =>
    value && named.test(variable) ? [value.trim()] : [],
  );
}

/** `Ann's Cloud 2` → `ANN_S_CLOUD_2`. A name without Latin letters or digits has only the id's word. */
function wordsOf({ id, name }: { id: string; name: string }): Set<string> {
  const word = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
  return new Set([word(name), word(id)].filter((text) => text !== ''));
}
