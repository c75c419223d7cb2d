import { z } from 'zod';
import type { AccountScriptName } from '../queue/account_scripts.ts';
import type { RedisScripts } from '../queue/redis_scripts.ts';
import type { WebhookSeal } from '../webhooks/webhook_secret.ts';
import { ServiceKey } from './service_key.ts';

type KeyScripts = Pick<RedisScripts<AccountScriptName>, 'run'>;

/** A key as it is in Redis. Signed, so that access to Redis is not enough to make a key. */
const SignedKey = z.strictObject({
  /** Name of the seal that signed it. */
  by: z.string(),
  signature: z.string(),
  /** JSON of a ServiceKey. */
  key: z.string(),
});

export interface SharedKeysOptions {
  scripts: KeyScripts;
  /** Only keys signed by it are taken: the nodes have its file in common. */
  seal: Pick<WebhookSeal, 'name' | 'sign' | 'isSigned'>;
  /** Called once for each record that is not taken. @param reason `forged` or signed by another seal. */
  onRefused: (reason: 'forged' | 'other_seal') => void;
}

/**
 * The keys of all nodes of a queue: an administrator's change on one node applies to all. Each node keeps a
 * copy in its file, so that a Redis that lost its data receives the keys again from any node.
 */
export class SharedKeys {
  readonly #options: SharedKeysOptions;
  readonly #refused = new Set<string>();
  #number = -1;
  #shared: readonly ServiceKey[] = [];

  constructor(options: SharedKeysOptions) {
    this.#options = options;
  }

  /** @returns The keys of all nodes, after adding this node's. */
  async join(own: readonly ServiceKey[]): Promise<readonly ServiceKey[]> {
    const { scripts, seal } = this.#options;
    for (;;) {
      const [number, list] = await scripts.run<[number, string[]?]>('keys', this.#number);
      if (list) this.#shared = list.flatMap((text) => this.#verified(text));
      this.#number = number;
      const joined = joinKeys(this.#shared, own);
      const known = new Map(this.#shared.map((key) => [key.id, key]));
      const fresh = joined.filter((key) => known.get(key.id) !== key);
      if (fresh.length === 0) return joined;
      const values = fresh.flatMap((key) => [`${seal.name}:${key.id}`, signedBy(seal, key)]);
      // Another node may have been faster: compare everything again.
      await scripts.run('putKeys', number, ...values);
    }
  }

  /** @returns Nothing if the record isn't signed by these nodes. */
  #verified(text: string): ServiceKey[] {
    const { seal } = this.#options;
    const { data } = SignedKey.safeParse(jsonOf(text));
    if (data?.by === seal.name && seal.isSigned(data.key, data.signature)) {
      const { data: key } = ServiceKey.safeParse(jsonOf(data.key));
      if (key) return [key];
    }
    if (!this.#refused.has(text)) {
      this.#refused.add(text);
      this.#options.onRefused(data && data.by !== seal.name ? 'other_seal' : 'forged');
    }
    return [];
  }
}

function signedBy(seal: SharedKeysOptions['seal'], value: ServiceKey): string {
  const key = JSON.stringify(value);
  return JSON.stringify({ by: seal.name, signature: seal.sign(key), key } satisfies z.input<
    typeof SignedKey
  >);
}

/** The names of all keys in Redis, signed by whomever: for reports, never for access. */
export async function reportedKeys(scripts: KeyScripts): Promise<readonly ServiceKey[]> {
  const [, list = []] = await scripts.run<[number, string[]?]>('keys', -1);
  const all = list.flatMap((text) => {
    const { data } = SignedKey.safeParse(jsonOf(text));
    return ServiceKey.safeParse(jsonOf(data?.key ?? '')).data ?? [];
  });
  return joinKeys([], all);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
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
