import type { SharedParts } from '@likeness/engine/engine.ts';
import type { EngineLimits } from '@likeness/engine/http/limits.ts';
import type { Log } from '@likeness/engine/log.ts';
import type { Redis } from './queue/redis_connection.ts';

/** The queue or store can't be opened; `cause` has the reason. */
export class SharedPartsError extends Error {
  override readonly name = 'SharedPartsError';
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
): Promise<SharedParts & { redis: Redis; close: () => void }> {
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
): Promise<SharedParts & { redis: Redis; close: () => void }> {
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
  return {
    queue: jobs,
    traces,
    redis,
    close() {
      redis.disconnect();
      close();
      store.close();
    },
  };
}
