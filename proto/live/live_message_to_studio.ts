/**
 * Parses what the page sends in a live session. Uses the schema of orders, which the page does not load.
 */

import { LiveCommand } from './live_command.ts';
import { type LiveSound, messageKinds, parsedBody, splitMessage } from './live_message.ts';

/** Parses a message from the page; null if it isn't one. */
export function decodeToStudio(bytes: Uint8Array): LiveSound | { kind: 'order'; order: LiveCommand } | null {
  const parts = splitMessage(bytes);
  if (parts?.kind === messageKinds.order) {
    const order = LiveCommand.safeParse(parsedBody(parts.body));
    return order.success ? { kind: 'order', order: order.data } : null;
  }
  if (parts?.kind !== messageKinds.sound || parts.body.length % 4 !== 0) return null;
  // A copy, for alignment: the bytes may lie anywhere in a larger buffer.
  // Not by `slice`: Node's Buffer gives a view.
  const samples = new Float32Array(new Uint8Array(parts.body).buffer);
  return { kind: 'sound', capturedAt: parts.a, firstSample: parts.b, samples };
}
