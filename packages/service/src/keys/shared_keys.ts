import type { AccountScriptName } from '../queue/account_scripts.ts';
import type { RedisScripts } from '../queue/redis_scripts.ts';
import { ServiceKey } from './service_key.ts';

type KeyScripts = Pick<RedisScripts<AccountScriptName>, 'run'>;

/**
 * The keys of all nodes of a queue: whatever an administrator changes at one of them holds at all. The file of each
 * node stays its own copy, so a Redis that forgot learns them again from whoever is there.
 */
export class SharedKeys {
  readonly #scripts: KeyScripts;
  #number = -1;
  #shared: readonly ServiceKey[] = [];

  constructor(scripts: KeyScripts) {
    this.#scripts = scripts;
  }

  /** @returns What holds, where these keys of this node are added to those of the others. */
  async join(own: readonly ServiceKey[]): Promise<readonly ServiceKey[]> {
    for (;;) {
      const [number, list] = await this.#scripts.run<[number, string[]?]>('keys', this.#number);
      if (list) this.#shared = list.map((text) => ServiceKey.parse(JSON.parse(text)));
      this.#number = number;
      const joined = joinKeys(this.#shared, own);
      const known = new Map(this.#shared.map((key) => [key.id, key]));
      const fresh = joined.filter((key) => known.get(key.id) !== key);
      if (fresh.length === 0) return joined;
      const values = fresh.flatMap((key) => [key.id, JSON.stringify(key)]);
      // Another node may have been quicker: then all is compared again.
      await this.#scripts.run('putKeys', number, ...values);
    }
  }
}

/** Each key as it was changed last; of two changes at the same time the one that revokes. */
export function joinKeys(shared: readonly ServiceKey[], own: readonly ServiceKey[]): ServiceKey[] {
  const joined = new Map(shared.map((key) => [key.id, key]));
  for (const key of own) {
    const other = joined.get(key.id);
    const isNewer =
      !other ||
      key.revision > other.revision ||
      (key.revision === other.revision && key.revokedAt !== null && other.revokedAt === null);
    if (isNewer) joined.set(key.id, key);
  }
  return [...joined.values()];
}
