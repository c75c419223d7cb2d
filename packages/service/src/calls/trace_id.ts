import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** `traceparent` as defined by W3C Trace Context: version, trace id, parent id, flags. */
const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

/** Returns the trace id in a request's `traceparent`, or a new one. 32 hex digits. */
export function traceIdOf({ headers }: IncomingMessage): string {
  const given = headers.traceparent;
  return (typeof given === 'string' && traceparent.exec(given)?.[1]) || randomBytes(16).toString('hex');
}
