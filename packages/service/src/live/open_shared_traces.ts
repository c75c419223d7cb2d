import type { EngineLimits } from '@likeness/engine/http/limits.ts';
import type { Log } from '@likeness/engine/log.ts';
import { connectRedis } from '../queue/redis_connection.ts';
import { SharedTraces } from './shared_traces.ts';

/**
 * Opens the traces that all nodes of a queue share. Rejects if Redis is unreachable.
 *
 * @param turnLease Milliseconds for which a dead node keeps a trace locked.
 */
export async function openSharedTraces(
  queue: string,
  limits: EngineLimits,
  log: Log,
  turnLease?: number,
): Promise<{ traces: SharedTraces; close: () => void }> {
  const redis = await connectRedis(queue, 'asks', (error) =>
    log('warning', 'the Redis of the voices can’t be reached', error),
  );
  return { traces: new SharedTraces(redis, limits, log, turnLease), close: () => redis.disconnect() };
}
