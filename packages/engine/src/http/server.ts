import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import {
  limitUnauthenticated,
  type UnauthenticatedConnections,
} from '@likeness/node-kit/network/connection_limits.ts';
import { listenOn } from '@likeness/node-kit/network/listen.ts';
import type { z } from 'zod';
import { type AudioToFaceOptions, audioToFace } from '../faces/audio_to_face_route.ts';
import type { Log } from '../log.ts';
import { submitImageTask } from '../models/image_task_operations.ts';
import type { ImageTasks } from '../models/image_task_records.ts';
import type { ModelJobs } from '../models/model_jobs.ts';
import { deleteModel, generateModel, getModel } from '../models/model_operations.ts';
import { checkPhoto, cropPhoto, outlinePhoto, type PhotoOptions } from '../photos/photo_operations.ts';
import {
  alignRecording,
  faceOfRecording,
  forgetRecording,
  hearRecording,
  type RecordingOptions,
} from '../recordings/recording_operations.ts';
import { type Access, type Caller, type CallWatch, unwatched } from './access.ts';
import { type EndpointName, endpointsOf, type ServiceEndpoint } from './endpoints.ts';
import { extensions } from './engine_extensions.ts';
import { FairShares } from './fair_shares.ts';
import { preferredLanguage } from './language.ts';
import type { EngineLimits } from './limits.ts';
import type { ListenAddress, TlsFiles } from './listen_address.ts';
import {
  encoded,
  failure,
  tooManyConnections,
  unauthorized,
  unknownPath,
  wrongHost,
  wrongMethod,
} from './listener_refusals.ts';
import { ModelNews } from './model_news.ts';
import { describeService, type healthSchema } from './openapi/openapi.ts';
import type { OperationDescription } from './openapi/openapi_parts.ts';
import { Refusal } from './refusal.ts';
import { answerUnreadable, drain, sendRefusal } from './refusal_answers.ts';
import { type RequestContext, sendJson } from './request_context.ts';
import { downloadResult } from './result_download.ts';
import { createRouter, type FoundRoute, methodsOf } from './router.ts';

export interface EngineServerOptions {
  access: Access;
  /** Default: calls are not observed. */
  watch?: CallWatch;
  /** Endpoints besides the engine's own. */
  more?: MoreEndpoints;
  /** The neutral word in the paths, such as `svc`. */
  pathWord: string;
  version: string;
  /** Folder for uploads while they arrive. */
  incoming: string;
  queue: ModelJobs;
  tasks: ImageTasks;
  audio: AudioToFaceOptions;
  photos: PhotoOptions;
  recordings: RecordingOptions;
  limits: EngineLimits;
  log: Log;
}

/** Additional endpoints of a service that runs the engine. */
export interface MoreEndpoints {
  /** Their names differ from the engine's own. */
  readonly endpoints: Readonly<Record<string, ServiceEndpoint>>;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly extensions: readonly string[];
  /** For `/openapi.json`, by the same names. */
  readonly descriptions: Readonly<Record<string, OperationDescription>>;
}

export interface EngineServer {
  port: number;
  /** Uses another certificate for new connections. @throws if it is unusable */
  renewTls(files: TlsFiles): void;
  /** Ends open connections after a grace of `milliseconds`. */
  close(milliseconds: number): Promise<void>;
}

/**
 * Starts the service: A1, A2, B1 and B2 of the interface, and the announced extensions. No page of another
 * origin reaches it: it answers to its own host names only, sends no CORS headers, and every sensitive
 * operation needs a key.
 *
 * @throws the system's error if the address can't be opened
 */
export async function startEngineServer(
  options: EngineServerOptions,
  address: ListenAddress,
): Promise<EngineServer> {
  const listener = new EngineListener(options, address);
  await listener.open();
  return listener;
}

export type Answer = (exchange: RequestContext) => Promise<void> | void;

/** Returns the handler of each endpoint. */
function answersOf(
  options: EngineServerOptions,
  announced: readonly string[],
  news: ModelNews,
): Readonly<Record<EndpointName, Answer>> {
  const { pathWord, version, incoming, queue, tasks, audio, photos, recordings, limits, more } = options;
  const description = JSON.stringify(describeService({ pathWord, version, limits, more }));
  return {
    audioToFace: (exchange) => audioToFace(exchange, audio),
    submitImage: (exchange) => submitImageTask(exchange, { tasks, folder: incoming, limits }),
    generateModel: (exchange) => generateModel(exchange, { queue, folder: incoming, limits }),
    getModel: (exchange) => getModel(exchange, queue, news),
    modelEvents: (exchange) => news.follow(exchange),
    deleteModel: (exchange) => deleteModel(exchange, queue),
    checkPhoto: (exchange) => checkPhoto(exchange, photos),
    outlinePhoto: (exchange) => outlinePhoto(exchange, photos),
    cropPhoto: (exchange) => cropPhoto(exchange, photos),
    hearRecording: (exchange) => hearRecording(exchange, recordings),
    forgetRecording: (exchange) => forgetRecording(exchange, recordings),
    alignRecording: (exchange) => alignRecording(exchange, recordings),
    faceOfRecording: (exchange) => faceOfRecording(exchange, recordings),
    downloadFile: (exchange) => downloadResult(exchange, queue),
    async health({ response }) {
      sendJson(response, 200, {
        status: 'ok',
        version,
        pathWord,
        extensions: [...announced],
        jobs: await queue.load(),
      } satisfies z.input<typeof healthSchema>);
    },
    describe({ response }) {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(description),
      });
      response.end(description);
    },
  };
}

/** One port with its keys. Checks a request's host, path, key and body before its endpoint answers. */
class EngineListener implements EngineServer {
  readonly #options: EngineServerOptions;
  readonly #address: ListenAddress;
  readonly #watch: CallWatch;
  readonly #answers: Readonly<Record<string, Answer>>;
  readonly #announced: string;
  readonly #news: ModelNews;
  readonly #routeOf: (method: string, path: string) => FoundRoute<string>;
  readonly #server: Server | TlsServer;
  readonly #unauthenticated: UnauthenticatedConnections;
  #port = 0;
  /** Connections that have shown a key. */
  readonly #connections: FairShares;
  readonly #claimed = new WeakSet<Socket>();
  #isClosing = false;

  constructor(options: EngineServerOptions, address: ListenAddress) {
    const { pathWord, limits, more, watch = unwatched } = options;
    const announced = [...extensions, ...(more?.extensions ?? [])];
    this.#options = options;
    this.#address = address;
    this.#watch = watch;
    this.#news = new ModelNews(options.queue);
    this.#answers = { ...answersOf(options, announced, this.#news), ...more?.answers };
    this.#announced = announced.join(', ');
    this.#routeOf = createRouter<string>({ ...endpointsOf(pathWord), ...more?.endpoints });
    this.#connections = new FairShares(limits.connections);
    this.#server = this.#createServer();
    this.#unauthenticated = limitUnauthenticated(this.#server, {
      unauthenticated: limits.unauthenticated,
      authenticated: limits.connections,
      silentFor: limits.silentFor,
    });
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    const server = this.#server;
    const { host, port } = this.#address;
    await listenOn(server, host, port);
    server.on('error', (error) => this.#options.log('error', 'the listener failed', error));
    this.#port = (server.address() as AddressInfo).port;
  }

  renewTls(files: TlsFiles): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(files);
  }

  async close(milliseconds: number): Promise<void> {
    this.#unauthenticated.close();
    this.#news.close();
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const force = setTimeout(() => this.#server.closeAllConnections(), milliseconds);
    await closed;
    clearTimeout(force);
  }

  #createServer(): Server | TlsServer {
    const { limits } = this.#options;
    const { tls } = this.#address;
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#handle(request, response);
    const settings = {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeout),
      keepAliveTimeout: limits.idleTimeout,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    };
    const server = tls
      ? createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersTimeout }, handle)
      : createServer(settings, handle);
    server.on('checkContinue', handle);
    server.timeout = limits.idleTimeout;
    server.on('clientError', answerUnreadable);
    return server;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('likeness-extensions', this.#announced);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    response.setHeader('vary', 'accept-language');
    response.on('error', () => {});
    // Node ends only connections that are idle when it is closed; one that is kept alive would use up the grace.
    response.on('close', () => {
      if (this.#isClosing) this.#server.closeIdleConnections();
    });
    const language = preferredLanguage(request.headers['accept-language']);
    // The published form of Group B's paths has a doubled slash in front.
    const path = (request.url ?? '').split('?', 1)[0]!.replace(/^\/\/+(?=open-api\/)/, '/');
    try {
      const origin = this.#address.originOf(request, this.#port);
      if (origin === null) throw wrongHost(this.#address.wrongName);
      const { name, parameters, caller } = this.#admit(request, path);
      const meter = await this.#watch.begin({ endpoint: name, caller, request, response });
      if (request.headers['content-encoding'] !== undefined) throw encoded();
      if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      await this.#answers[name]!({
        request,
        response,
        parameters,
        language,
        caller: caller ?? nobody,
        origin,
        meter,
      });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : failure(error);
      if (refusal !== error) {
        this.#options.log('error', `${request.method} ${operationName(path)} failed`, error);
      }
      this.#watch.refused(request, refusal);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusal, { language, isGroupB: path.startsWith('/open-api/') });
    } finally {
      drain(request);
    }
  }

  /**
   * Returns the endpoint of a request, with its key checked. The key comes first, before the method, so that
   * a connection test detects a wrong key without doing anything.
   *
   * @throws {Refusal} 401 `unauthorized`, 404 `path_unknown`, 405 `method_not_allowed`
   */
  #admit(
    request: IncomingMessage,
    path: string,
  ): NonNullable<FoundRoute<string>['match']> & { caller: Caller | null } {
    const method = request.method ?? '';
    const { access, pathWord } = this.#options;
    const { atPath, match } = this.#routeOf(method, path);
    const endpoint = match?.endpoint ?? atPath[0];
    if (!endpoint) throw unknownPath(path, pathWord);
    const { auth } = endpoint;
    if (access.knows(request)) this.#unauthenticated.admit(request.socket);
    const caller = auth === 'none' ? null : access.callerOf(request, { endpoint: match?.name ?? '', auth });
    if (!caller && auth !== 'none') throw unauthorized(auth, access.keysFrom);
    if (caller) this.#claim(request.socket, caller.owner);
    if (!match) throw wrongMethod(method, atPath.flatMap(methodsOf));
    return { ...match, caller };
  }

  /**
   * Counts a connection for the tenant that first shows a key on it. @throws {Refusal} 503
   * `too_many_connections`
   */
  #claim(socket: Socket, owner: Caller['owner']): void {
    if (this.#claimed.has(socket)) return;
    if (this.#connections.lackOf(owner)) throw tooManyConnections(this.#connections.usedBy(owner));
    this.#claimed.add(socket);
    this.#connections.take(owner);
    socket.once('close', () => this.#connections.give(owner));
  }
}

/** The caller of operations that need no key. */
const nobody: Caller = { name: '', owner: null };

/** The path without its variable part: the last part of a download link is a secret and stays out of logs. */
const operationName = (path: string): string =>
  path.startsWith('/files/') ? '/files/…' : path.slice(0, 200);
