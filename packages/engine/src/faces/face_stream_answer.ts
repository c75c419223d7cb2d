/** Answers with a stream of face frames. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { t } from '@likeness/messages';
import { Refusal } from '../http/refusal.ts';
import { nextTurn } from '../http/turns.ts';

/** @throws {Refusal} 406 `not_acceptable` */
export function checkAcceptsFaces(accept: string | undefined): void {
  if (accept === undefined || /(application\/x-protobuf|application\/\*|\*\/\*)/i.test(accept)) return;
  throw new Refusal(406, 'not_acceptable', t('refusal.not_acceptable'), { field: 'accept' });
}

export function beginFaceStream(response: ServerResponse): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/x-protobuf; messageType="likeness.v1.StreamMessage"');
  response.setHeader('cache-control', 'no-store');
}

/**
 * Writes, waits while the caller reads slowly, and lets other requests run in between.
 *
 * @returns False if the caller disconnected.
 */
export async function sendMessages(
  response: ServerResponse,
  messages: readonly Uint8Array[],
): Promise<boolean> {
  if (messages.length > 0 && !response.destroyed && !response.write(Buffer.concat(messages))) {
    const waiting = new AbortController();
    const { signal } = waiting;
    const heard = [once(response, 'drain', { signal }), once(response, 'close', { signal })];
    await Promise.race(heard).catch(() => {});
    // The event that did not come would keep its listener for each write of a long answer.
    waiting.abort();
  }
  await nextTurn();
  return !response.destroyed;
}
