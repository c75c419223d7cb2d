import type { Redis } from 'ioredis';

export type { Redis };

/**
 * A connection to the queue's Redis.
 *
 * @param patience `waits`: commands wait for a Redis that is away, however long; `asks`: they fail within a few
 *   seconds, since somebody waits for the answer.
 */
export async function connectRedis(
  address: string,
  patience: 'waits' | 'asks',
  onProblem: (error: Error) => void,
): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(address, {
    lazyConnect: true,
    enableReadyCheck: true,
    // BullMQ asks for this of connections that wait.
    maxRetriesPerRequest: patience === 'waits' ? null : 2,
    ...(patience === 'asks' && { commandTimeout: 5000 }),
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2000),
  });
  redis.on('error', onProblem);
  await redis.connect();
  return redis;
}
