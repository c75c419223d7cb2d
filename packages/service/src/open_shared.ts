import type { SharedParts } from '@likeness/engine/engine.ts';
import type { EngineLimits } from '@likeness/engine/http/limits.ts';
import type { Log } from '@likeness/engine/log.ts';
import type { SharedHealthOptions } from './operators/shared_health.ts';
import type { Redis } from './queue/redis_connection.ts';
import { keyPrefix } from './queue/redis_scripts.ts';

/** The queue or store can't be opened; `cause` has the reason. */
export class SharedPartsError extends Error {
  override readonly name = 'SharedPartsError';
}

/** Queue and store, and what else a node keeps in Redis. */
export interface OpenShared extends SharedParts {
  redis: Redis;
  /** Reject if the part can't be used now. */
  checks: SharedHealthOptions['checks'];
  close: () => void;
}

/**
 * Opens the parts that a node shares with other machines. Loads their clients here, because a single machine
 * needs none of them.
 *
 * @throws {SharedPartsError}
 */
export async function openShared(
  address: { queue: string; store: string },
  limits: EngineLimits,
  log: Log,
): Promise<OpenShared> {
  try {
    return await open(address, limits, log);
  } catch (cause) {
    throw new SharedPartsError('queue or store can’t be opened', { cause });
  }
}

async function open(
  { queue, store: url }: { queue: string; store: string },
  limits: EngineLimits,
  log: Log,
): Promise<OpenShared> {
  const { openStore } = await import('./store/open_store.ts');
  const { RedisModelJobs } = await import('./queue/redis_model_jobs.ts');
  const { openSharedTraces } = await import('./live/open_shared_traces.ts');
  const store = await openStore(url);
  await store.check();
  const jobs = await RedisModelJobs.open({ queue, store, limits, log });
  const { traces, close } = await openSharedTraces(queue, limits, log);
  const { connectRedis } = await import('./queue/redis_connection.ts');
  const redis = await connectRedis(queue, 'asks', (error) =>
    log('warning', 'the Redis of keys and usage can’t be reached', error),
  );
  await warnOfEviction(redis, log);
  return {
    queue: jobs,
    traces,
    redis,
    checks: {
      // Written, because a full Redis still answers questions.
      queue: () => redis.set(`${keyPrefix}health`, '1', 'EX', 60),
      store: () => store.check(),
    },
    close() {
      redis.disconnect();
      close();
      store.close();
    },
  };
}

/** A full Redis must refuse orders, not forget those that it has taken. */
async function warnOfEviction(redis: Redis, log: Log): Promise<void> {
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
  if (policy === 'noeviction') return;
  log(
    'warning',
    `Redis has maxmemory-policy ${policy}: when it is full, it deletes orders and bills. Set noeviction`,
  );
}
