import type { Units } from '@likeness/engine/http/access.ts';
import { monthOf } from '@likeness/journal/spending.ts';
import type { AccountScriptName } from '../queue/account_scripts.ts';
import { idempotencyKeyName } from '../queue/queue_records.ts';
import type { Redis } from '../queue/redis_connection.ts';
import { keyPrefix, type RedisScripts } from '../queue/redis_scripts.ts';
import { refusingOutages } from '../queue/storage_refusal.ts';
import type { UsedUnits } from '../usage_report.ts';
import { capReached, tooFast, tooManyConcurrentCalls } from './account_refusals.ts';
import { type Accounts, type KeyCall, unitNames } from './accounts.ts';
import type { UsageShipping } from './usage_shipping.ts';

export interface SharedAccountsOptions {
  redis: Redis;
  scripts: Pick<RedisScripts<AccountScriptName>, 'run'>;
  shipping: Pick<UsageShipping, 'endAfter' | 'ship'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onProblem: (error: unknown) => void;
}

/** Milliseconds after which the calls of a dead node no longer count. */
const lease = 60_000;

interface Running {
  key: string;
  hasReservation: boolean;
}

/**
 * The accounts of all nodes of a queue: a key's rate, concurrent calls and caps apply to all nodes together.
 */
export class SharedAccounts implements Accounts {
  readonly #options: SharedAccountsOptions;
  readonly #running = new Map<string, Running>();
  readonly #renewing: NodeJS.Timeout;

  constructor(options: SharedAccountsOptions) {
    this.#options = options;
    this.#renewing = setInterval(() => void this.#renew(), lease / 3).unref();
  }

  async enter({ id, key }: KeyCall): Promise<void> {
    const { perSecond, burst } = key.rate;
    const [what, wait = 0] = await refusingOutages(() =>
      this.#options.scripts.run<['in' | 'at_once' | 'rate', number?]>(
        'enter',
        key.id,
        id,
        perSecond,
        burst,
        key.atOnce,
        lease,
      ),
    );
    if (what === 'at_once') throw tooManyConcurrentCalls(key.atOnce);
    if (what === 'rate') throw tooFast(perSecond, wait);
    this.#running.set(id, { key: key.id, hasReservation: false });
  }

  async reserve({ id, key }: KeyCall, planned: Readonly<Units>, repeats: string | null): Promise<void> {
    if (unitNames.every((unit) => key.caps[unit] === null || planned[unit] === 0)) return;
    const running = this.#running.get(id);
    if (running) running.hasReservation = true;
    const [what, unit = 0, used, pending] = await refusingOutages(() =>
      this.#options.scripts.run<[string, number?, string?, string?]>(
        'reserve',
        key.id,
        id,
        monthOf(this.#options.clock()),
        ...unitNames.map((name) => planned[name]),
        ...unitNames.map((name) => key.caps[name] ?? ''),
        lease,
        repeats === null ? '' : idempotencyKeyName(key.tenant, repeats),
      ),
    );
    if (what !== 'cap') return;
    const name = unitNames[unit - 1]!;
    throw capReached(name, { cap: key.caps[name] ?? 0, used: Number(used), pending: Number(pending) });
  }

  /** The queue recorded it with the order. */
  ordered(): void {}

  leave({ id, key }: KeyCall): void {
    this.#later(this.#options.redis.zrem(`${keyPrefix}calls:${key.id}`, id));
  }

  settle({ id, key }: KeyCall, sequence: number | null): void {
    const { redis, shipping } = this.#options;
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (sequence === null) {
      if (running?.hasReservation !== false) this.#later(redis.hdel(`${keyPrefix}held:${key.id}`, id));
      return;
    }
    if (running?.hasReservation) shipping.endAfter(sequence, key.id, id);
    void shipping.ship();
  }

  /** Returns the keys' usage of a month, over all nodes. @param month `2026-11`, UTC. */
  usage(month: string, keys: readonly string[]): Promise<Map<string, UsedUnits>> {
    return refusingOutages(() => sharedUsage(this.#options.redis, month, keys));
  }

  close(): void {
    clearInterval(this.#renewing);
  }

  async #renew(): Promise<void> {
    const calls = [...this.#running].flatMap(([id, { key }]) => [key, id]);
    if (calls.length > 0)
      await this.#options.scripts.run('renewCalls', lease, ...calls).catch(this.#options.onProblem);
  }

  #later(work: Promise<unknown>): void {
    work.catch(this.#options.onProblem);
  }
}

/** Returns the keys' usage of a month, from the sums that all nodes share. */
export async function sharedUsage(
  redis: Redis,
  month: string,
  keys: readonly string[],
): Promise<Map<string, UsedUnits>> {
  const all = await Promise.all(keys.map((key) => redis.hgetall(`${keyPrefix}usage:${month}:${key}`)));
  return new Map(
    all.flatMap((fields, at) => {
      if (Object.keys(fields).length === 0) return [];
      const sum = (name: string): number => Number(fields[name] ?? 0);
      const used = {
        calls: sum('calls'),
        failed: sum('failed'),
        seconds: sum('seconds'),
        frames: sum('frames'),
        models: sum('models'),
      };
      return [[keys[at]!, used] as const];
    }),
  );
}
