import type { IncomingMessage } from 'node:http';
import { t } from '@likeness/messages';
import type { EngineLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

export type UploadSpeedLimits = Pick<EngineLimits, 'slowUploadBytes' | 'slowUploadWindow'>;

/**
 * Watches a body while it arrives: a caller that sends a byte now and then would hold its place for minutes.
 * Time in which this process reads nothing doesn't count.
 *
 * @param onTooSlow Called at most once.
 * @returns Call it when the body has arrived.
 */
export function watchUploadSpeed(
  request: IncomingMessage,
  { slowUploadBytes, slowUploadWindow }: UploadSpeedLimits,
  onTooSlow: (refusal: Refusal) => void,
): () => void {
  const { socket } = request;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const received = socket.bytesRead - before;
    before = socket.bytesRead;
    if (request.complete || request.readableLength > 0 || received >= slowUploadBytes) return;
    clearInterval(timer);
    onTooSlow(tooSlow({ slowUploadBytes, slowUploadWindow }));
  }, slowUploadWindow).unref();
  request.once('close', () => clearInterval(timer));
  return () => clearInterval(timer);
}

const tooSlow = ({ slowUploadBytes, slowUploadWindow }: UploadSpeedLimits): Refusal =>
  new Refusal(
    408,
    'upload_too_slow',
    t('refusal.upload_too_slow', { kilobytes: slowUploadBytes / 1000, seconds: slowUploadWindow / 1000 }),
    { headers: { connection: 'close' } },
  );
