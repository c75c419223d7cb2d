import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limitUnauthenticated } from '../../base/connection_limits.ts';
import { type AudioToFaceOptions, audioToFace } from '../faces/audio_to_face_route.ts';
import type { Log } from '../log.ts';
import type { ImageTasks } from '../models/image_task_records.ts';
import { deleteModel, generateModel, getModel } from '../models/model_operations.ts';
import type { ModelQueue } from '../models/model_queue.ts';
import { checkPhoto, cropPhoto, outlinePhoto, type PhotoOptions } from '../photos/photo_operations.ts';
import { extensions } from './engine_extensions.ts';
import { withImageUpload } from './image_upload.ts';
import { preferredLanguage } from './language.ts';
import type { EngineLimits } from './limits.ts';
import {
  encoded,
  failure,
  type RequiredKey,
  unauthorized,
  wrongHost,
  wrongMethod,
} from './listener_refusals.ts';
import { describeService } from './openapi.ts';
import { Refusal } from './refusal.ts';
import { type Caller, type RequestContext, sendJson } from './request_context.ts';
import { downloadResult } from './result_download.ts';

/** The secrets that open a listener. */
export interface ServiceKeys {
  /** Group A: `Authorization: Bearer …`. */
  accessToken: string;
  /** Group B: `auth_ak: …`. */
  apiKey: string;
}

export interface EngineServerOptions {
  keys: ServiceKeys;
  caller: Caller;
  /** The neutral word in the paths, such as `svc`. */
  pathWord: string;
  version: string;
  /** Folder for uploads while they arrive. */
  incoming: string;
  queue: ModelQueue;
  tasks: ImageTasks;
  audio: AudioToFaceOptions;
  photos: PhotoOptions;
  limits: EngineLimits;
  log: Log;
}

export interface EngineServer {
  port: number;
  /** Ends open connections after a grace of `milliseconds`. */
  close(milliseconds: number): Promise<void>;
}

interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path after the host; `{name}` stands for one segment. */
  path: string;
  auth: RequiredKey;
  answer(exchange: RequestContext): Promise<void> | void;
}

/** Bytes of a refused request's body that are still read, so that the client can read the refusal. */
const drainedBytes = 64 * 1024 * 1024;
const drainedMilliseconds = 5000;

/**
 * The service on loopback: A1, A2, B1 and B2 of the interface, and the extensions that it announces.
 * Nothing outside this machine reaches it, and no page of another origin: only the listener's own host
 * names are answered, nothing is said about CORS, and everything of worth needs a key.
 *
 * @param port 0 for any free one. Rejects with the system's error where it can't be had.
 */
export async function startEngineServer(
  {
    keys,
    caller,
    pathWord,
    version,
    incoming,
    queue,
    tasks,
    audio,
    photos,
    limits,
    log,
  }: EngineServerOptions,
  port: number,
): Promise<EngineServer> {
  let origin = '';
  const hosts = new Set<string>();
  const description = JSON.stringify(describeService({ pathWord, version, limits }));
  const models = `/open-api/${pathWord}/sdk/model`;
  const operations: Operation[] = [
    {
      method: 'POST',
      path: '/v1/audio-to-face/mesh',
      auth: 'A',
      answer: (exchange) => audioToFace(exchange, audio),
    },
    {
      method: 'POST',
      path: `/v1/${pathWord}-3d/sq`,
      auth: 'A',
      async answer({ request, response }) {
        const id = await withImageUpload(request, { folder: incoming, fieldNames: [], limits }, (upload) =>
          tasks.submit(upload),
        );
        sendJson(response, 200, { data: { id } });
      },
    },
    {
      method: 'POST',
      path: `${models}/generate`,
      auth: 'B',
      answer: (exchange) => generateModel(exchange, { queue, folder: incoming, limits }),
    },
    {
      method: 'GET',
      path: `${models}/get/{modelId}`,
      auth: 'B',
      answer: (exchange) => getModel(exchange, queue),
    },
    {
      method: 'DELETE',
      path: `${models}/get/{modelId}`,
      auth: 'B',
      answer: (exchange) => deleteModel(exchange, queue),
    },
    {
      method: 'POST',
      path: '/v1/photos/check',
      auth: 'either',
      answer: (exchange) => checkPhoto(exchange, photos),
    },
    {
      method: 'POST',
      path: '/v1/photos/outline',
      auth: 'either',
      answer: (exchange) => outlinePhoto(exchange, photos),
    },
    {
      method: 'POST',
      path: '/v1/photos/crop',
      auth: 'either',
      answer: (exchange) => cropPhoto(exchange, photos),
    },
    {
      method: 'GET',
      path: '/health',
      auth: 'either',
      answer: ({ response }) =>
        sendJson(response, 200, { status: 'ok', version, pathWord, extensions, jobs: queue.load() }),
    },
    // The link is its own secret: it works in programs that have no key.
    {
      method: 'GET',
      path: '/files/{file}',
      auth: 'none',
      answer: (exchange) => downloadResult(exchange, queue),
    },
    {
      method: 'GET',
      path: '/openapi.json',
      auth: 'none',
      answer({ response }) {
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(description),
        });
        response.end(description);
      },
    },
  ];
  const routes = operations.map((operation) => ({ operation, segments: operation.path.split('/') }));

  /**
   * The operation that a request asks for, with its key checked. The key goes first, before the method, so
   * that whoever tests a connection learns of a wrong one without doing anything.
   */
  function route(
    request: IncomingMessage,
    path: string,
  ): { operation: Operation; parameters: Record<string, string> } {
    const method = request.method ?? '';
    const segments = path.split('/');
    const allowed: Operation[] = [];
    for (const { operation, segments: wanted } of routes) {
      const parameters = matchSegments(wanted, segments);
      if (!parameters) continue;
      allowed.push(operation);
      if (operation.method !== method && !(method === 'HEAD' && operation.method === 'GET')) continue;
      authorize(request, operation.auth);
      return { operation, parameters };
    }
    if (allowed[0]) {
      authorize(request, allowed[0].auth);
      throw wrongMethod(
        method,
        allowed.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method])),
      );
    }
    throw new Refusal(404, 'path_unknown', {
      en: `There is nothing at ${path.slice(0, 200)}. /openapi.json describes what there is; the word in the paths is "${pathWord}".`,
      zh: `${path.slice(0, 200)} 不存在。可用接口见 /openapi.json；路径中的词为 "${pathWord}"。`,
    });
  }

  const opensA = keyCheck(keys.accessToken);
  const opensB = keyCheck(keys.apiKey);
  function authorize(request: IncomingMessage, auth: RequiredKey): void {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const key = request.headers.auth_ak;
    const a = bearer !== undefined && opensA(bearer);
    const b = typeof key === 'string' && opensB(key);
    if (a || b) unauthenticated.admit(request.socket);
    if (auth === 'none' || (auth !== 'B' && a) || (auth !== 'A' && b)) return;
    throw unauthorized(auth);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('likeness-extensions', extensions.join(', '));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    response.setHeader('vary', 'accept-language');
    response.on('error', () => {});
    const language = preferredLanguage(request.headers['accept-language']);
    // The published form of Group B's paths has a doubled slash in front.
    const path = (request.url ?? '').split('?', 1)[0]!.replace(/^\/\/+(?=open-api\/)/, '/');
    try {
      if (!hosts.has((request.headers.host ?? '').toLowerCase())) throw wrongHost();
      const { operation, parameters } = route(request, path);
      if (request.headers['content-encoding'] !== undefined) throw encoded();
      if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      await operation.answer({ request, response, parameters, language, caller, origin });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : failure(error);
      if (!(error instanceof Refusal)) log('error', `${request.method} ${operationName(path)} failed`, error);
      if (response.headersSent) response.destroy();
      else refuse(response, refusal, { language, isGroupB: path.startsWith('/open-api/') });
    } finally {
      drain(request);
    }
  }

  const server = createServer(
    {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeout),
      keepAliveTimeout: limits.idleTimeout,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    (request, response) => void handle(request, response),
  );
  server.on('checkContinue', (request, response) => void handle(request, response));
  server.timeout = limits.idleTimeout;
  server.on('clientError', answerUnreadable);
  const unauthenticated = limitUnauthenticated(server, {
    unauthenticated: limits.unauthenticated,
    authenticated: limits.connections,
    silentFor: limits.silentFor,
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => log('error', 'the listener failed', error));
  const bound = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${bound}`;
  for (const name of ['127.0.0.1', 'localhost']) hosts.add(`${name}:${bound}`);

  return {
    port: bound,
    async close(milliseconds) {
      unauthenticated.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), milliseconds);
      await closed;
      clearTimeout(force);
    },
  };
}

function matchSegments(
  wanted: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (wanted.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const pattern = wanted[i]!;
    if (!pattern.startsWith('{')) {
      if (pattern !== segment) return null;
      continue;
    }
    try {
      parameters[pattern.slice(1, -1)] = decodeURIComponent(segment);
    } catch {
      return null;
    }
  }
  return parameters;
}

/** The path without what it names: a link's last part is a secret and stays out of logs. */
const operationName = (path: string): string =>
  path.startsWith('/files/') ? '/files/…' : path.slice(0, 200);

/** Compares in constant time: of hashes, so that lengths tell nothing either. */
function keyCheck(secret: string): (given: string) => boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = hash(secret);
  return (given) => timingSafeEqual(hash(given), expected);
}

function refuse(
  response: ServerResponse,
  { status, reason, text, field, headers }: Refusal,
  { language, isGroupB }: { language: 'en' | 'zh'; isGroupB: boolean },
): void {
  const message = text[language];
  const detail = field === undefined ? {} : { field };
  const body = isGroupB
    ? { data: { reason, ...detail }, code: status, message }
    : { code: reason, message, messages: text, ...detail };
  for (const name of ['etag', 'accept-ranges', 'content-disposition']) response.removeHeader(name);
  sendJson(response, status, body, { 'content-language': language, ...headers });
}

/** Drains the rest of a body, up to a limit: resetting the connection would lose the answer. */
function drain(request: IncomingMessage): void {
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

/** Answers what isn't HTTP, or didn't come in time. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
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
