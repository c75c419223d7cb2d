import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Prefix of all keys. In braces: a Redis cluster keeps keys with the same braces on one machine. */
export const keyPrefix = '{likeness}:';

/** `P` is the prefix of all keys, `now` the milliseconds since 1970 UTC by the clock of Redis. */
const prelude = `
  local P = ARGV[1]
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Returns scripts by name, each with `P`, `now` and their other common definitions. */
export const withPrelude = <Name extends string>(
  shared: string,
  scripts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(
    Object.entries<string>(scripts).map(([name, lua]) => [name, prelude + shared + lua]),
  ) as Record<Name, string>;

/** Runs Redis scripts, each in one step. The prefix of all keys is their first value. */
export class RedisScripts<Name extends string> {
  readonly #redis: Redis;
  readonly #scripts: Readonly<Record<Name, string>>;
  readonly #hashes: Readonly<Record<Name, string>>;

  constructor(redis: Redis, scripts: Readonly<Record<Name, string>>) {
    this.#redis = redis;
    this.#scripts = scripts;
    const hashes = Object.entries<string>(scripts).map(([name, lua]) => [
      name,
      createHash('sha1').update(lua).digest('hex'),
    ]);
    this.#hashes = Object.fromEntries(hashes) as Record<Name, string>;
  }

  /** Runs a script; sends its text only to a Redis that doesn't have it yet. */
  async run<T>(name: Name, ...values: (string | number)[]): Promise<T> {
    try {
      return (await this.#redis.evalsha(this.#hashes[name], 0, keyPrefix, ...values)) as T;
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error;
      return (await this.#redis.eval(this.#scripts[name], 0, keyPrefix, ...values)) as T;
    }
  }
}
