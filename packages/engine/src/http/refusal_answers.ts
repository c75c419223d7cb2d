/** Sends refusals, even while a request's body is still arriving. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { Language } from './language.ts';
import type { envelopeError, plainError } from './openapi/openapi_parts.ts';
import type { Refusal } from './refusal.ts';
import { sendJson } from './request_context.ts';

/** Maximum bytes of a refused request's body to read, so that its sender gets to read the refusal. */
const drainedBytes = 64 * 1024 * 1024;
const drainedMilliseconds = 5000;

/**
 * Writes a refusal: in Group B's envelope, or as `{ code, message }`. While its request is still arriving, the answer
 * isn't ended: Node would then reset a connection that is to close, and its sender would not read the refusal.
 */
export function sendRefusal(
  response: ServerResponse,
  { status, reason, text, field, number, headers }: Refusal,
  { language, isGroupB }: { language: Language; isGroupB: boolean },
): void {
  const message = text[language];
  const detail = { ...(field !== undefined && { field }), ...(number !== undefined && { number }) };
  const body = isGroupB
    ? ({ data: { reason, ...detail }, code: status, message } satisfies z.input<typeof envelopeError>)
    : ({ code: reason, message, messages: text, ...detail } satisfies z.input<typeof plainError>);
  for (const name of ['etag', 'accept-ranges', 'content-disposition']) response.removeHeader(name);
  const { req: request } = response;
  sendJson(response, status, body, { 'content-language': language, ...headers }, (bytes) => {
    if (request.complete || request.destroyed) return void response.end(bytes);
    response.write(bytes);
    for (const event of ['end', 'close']) request.once(event, () => response.end());
  });
}

/** Reads the rest of a body, up to a limit: resetting the connection would lose the answer. */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, drainedMilliseconds);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainedBytes) cut();
  });
  for (const event of ['end', 'close']) request.on(event, () => clearTimeout(timer));
  request.on('error', () => {});
  request.resume();
}

/** Answers data that isn't HTTP, or didn't arrive in time. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'request_timeout', 'The request did not come in time.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'headers_too_large', 'The request headers are too large.']
        : ['400 Bad Request', 'not_http', 'The request is not HTTP that can be read.'];
  const body = JSON.stringify({ code: reason, message });
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  (socket as Socket).setTimeout(1000, () => socket.destroy());
}
