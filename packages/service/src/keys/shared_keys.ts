import type { AccountScriptName } from '../queue/account_scripts.ts';
import type { RedisScripts } from '../queue/redis_scripts.ts';
import { ServiceKey } from './service_key.ts';

type KeyScripts = Pick<RedisScripts<AccountScriptName>, 'run'>;

/**
 * The keys of all nodes of a queue: an administrator's change on one node applies to all. Each node keeps a
 * copy in its file, so that a Redis that lost its data receives the keys again from any node.
 */
export class SharedKeys {
  readonly #scripts: KeyScripts;
  #number = -1;
  #shared: readonly ServiceKey[] = [];

  constructor(scripts: KeyScripts) {
    this.#scripts = scripts;
  }

  /** @returns The keys of all nodes, after adding this node's. */
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
      // Another node may have been faster: compare everything again.
      await this.#scripts.run('putKeys', number, ...values);
    }
  }
}

/** Merges keys by their latest change; of two changes at the same time, a revocation wins. */
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
