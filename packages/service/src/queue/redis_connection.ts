import type { Redis } from 'ioredis';

export type { Redis };

/**
 * Connects to the queue's Redis.
 *
 * @param patience `waits`: commands wait for an unreachable Redis without limit; `asks`: they fail within a
 * few seconds, because a caller waits for the answer.
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
    // BullMQ requires this for blocking connections.
    maxRetriesPerRequest: patience === 'waits' ? null : 2,
    ...(patience === 'asks' && { commandTimeout: 5000 }),
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2000),
  });
  redis.on('error', onProblem);
  await redis.connect();
  return redis;
}
