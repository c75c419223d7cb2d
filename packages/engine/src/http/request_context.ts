import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, CallMeter } from './access.ts';
import type { Language } from './language.ts';

/** One request and its answer, as the operations see them. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path's parameters, such as `modelId`; decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly language: Language;
  readonly caller: Caller;
  /** Where this listener is reached: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Checks the call's limits and counts its usage. */
  readonly meter: CallMeter;
}

/**
 * Answers with JSON.
 *
 * @param end - Ends the answer with its body.
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  end: (body: Buffer) => void = (body) => response.end(body),
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
  });
  end(body);
}

/** Answers in Group B's envelope, with the success code. */
export function sendEnvelope(response: ServerResponse, data: object): void {
  sendJson(response, 200, { data, code: 200, message: 'success' });
}
