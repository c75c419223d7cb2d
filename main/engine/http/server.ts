import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitUnauthenticated, type UnauthenticatedConnections } from '../../base/connection_limits.ts';
import { type AudioToFaceOptions, audioToFace } from '../faces/audio_to_face_route.ts';
import type { Log } from '../log.ts';
import type { ImageTasks } from '../models/image_task_records.ts';
import { deleteModel, generateModel, getModel } from '../models/model_operations.ts';
import type { ModelQueue } from '../models/model_queue.ts';
import { checkPhoto, cropPhoto, outlinePhoto, type PhotoOptions } from '../photos/photo_operations.ts';
import {
  alignRecording,
  faceOfRecording,
  forgetRecording,
  hearRecording,
  type RecordingOptions,
} from '../recordings/recording_operations.ts';
import { type EndpointName, endpointsOf } from './endpoints.ts';
import { extensions } from './engine_extensions.ts';
import { withImageUpload } from './image_upload.ts';
import { preferredLanguage } from './language.ts';
import type { EngineLimits } from './limits.ts';
import {
  encoded,
  failure,
  type RequiredKey,
  unauthorized,
  unknownPath,
  wrongHost,
  wrongMethod,
} from './listener_refusals.ts';
import { describeService } from './openapi/openapi.ts';
import { Refusal } from './refusal.ts';
import { answerUnreadable, drain, sendRefusal } from './refusal_answers.ts';
import { type Caller, type RequestContext, sendJson } from './request_context.ts';
import { downloadResult } from './result_download.ts';
import { createRouter, type FoundRoute, methodsOf } from './router.ts';
import { createKeyReader, isOpenedBy, type ServiceKeys } from './service_keys.ts';

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
  recordings: RecordingOptions;
  limits: EngineLimits;
  log: Log;
}

export interface EngineServer {
  port: number;
  /** Ends open connections after a grace of `milliseconds`. */
  close(milliseconds: number): Promise<void>;
}

/**
 * The service on loopback: A1, A2, B1 and B2 of the interface, and the extensions that it announces.
 * Nothing outside this machine reaches it, and no page of another origin: only the listener's own host
 * names are answered, nothing is said about CORS, and everything of worth needs a key.
 *
 * @param port 0 for any free one. Rejects with the system's error where it can't be had.
 */
export async function startEngineServer(options: EngineServerOptions, port: number): Promise<EngineServer> {
  const listener = new EngineListener(options);
  await listener.open(port);
  return listener;
}

type Answer = (exchange: RequestContext) => Promise<void> | void;

/** What each endpoint does. */
function answersOf(options: EngineServerOptions): Readonly<Record<EndpointName, Answer>> {
  const { pathWord, version, incoming, queue, tasks, audio, photos, recordings, limits } = options;
  const description = JSON.stringify(describeService({ pathWord, version, limits }));
  return {
    audioToFace: (exchange) => audioToFace(exchange, audio),
    async submitImage({ request, response }) {
      const id = await withImageUpload(request, { folder: incoming, fieldNames: [], limits }, (upload) =>
        tasks.submit(upload),
      );
      sendJson(response, 200, { data: { id } });
    },
    generateModel: (exchange) => generateModel(exchange, { queue, folder: incoming, limits }),
    getModel: (exchange) => getModel(exchange, queue),
    deleteModel: (exchange) => deleteModel(exchange, queue),
    checkPhoto: (exchange) => checkPhoto(exchange, photos),
    outlinePhoto: (exchange) => outlinePhoto(exchange, photos),
    cropPhoto: (exchange) => cropPhoto(exchange, photos),
    hearRecording: (exchange) => hearRecording(exchange, recordings),
    forgetRecording: (exchange) => forgetRecording(exchange, recordings),
    alignRecording: (exchange) => alignRecording(exchange, recordings),
    faceOfRecording: (exchange) => faceOfRecording(exchange, recordings),
    downloadFile: (exchange) => downloadResult(exchange, queue),
    health: ({ response }) =>
      sendJson(response, 200, { status: 'ok', version, pathWord, extensions, jobs: queue.load() }),
    describe({ response }) {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(description),
      });
      response.end(description);
    },
  };
}

/** One port with its keys. A request goes through host, path, key and body before its endpoint answers. */
class EngineListener implements EngineServer {
  readonly #options: EngineServerOptions;
  readonly #answers: Readonly<Record<EndpointName, Answer>>;
  readonly #routeOf: (method: string, path: string) => FoundRoute<EndpointName>;
  readonly #readKeys: ReturnType<typeof createKeyReader>;
  readonly #server: Server;
  readonly #unauthenticated: UnauthenticatedConnections;
  /** Names by which this listener may be called, once it is open. */
  readonly #hosts = new Set<string>();
  #port = 0;

  constructor(options: EngineServerOptions) {
    const { keys, pathWord, limits } = options;
    this.#options = options;
    this.#answers = answersOf(options);
    this.#routeOf = createRouter(endpointsOf(pathWord));
    this.#readKeys = createKeyReader(keys);
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

  async open(port: number): Promise<void> {
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    server.on('error', (error) => this.#options.log('error', 'the listener failed', error));
    this.#port = (server.address() as AddressInfo).port;
    for (const name of ['127.0.0.1', 'localhost']) this.#hosts.add(`${name}:${this.#port}`);
  }

  async close(milliseconds: number): Promise<void> {
    this.#unauthenticated.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const force = setTimeout(() => this.#server.closeAllConnections(), milliseconds);
    await closed;
    clearTimeout(force);
  }

  #createServer(): Server {
    const { limits } = this.#options;
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#handle(request, response);
    const server = createServer(
      {
        headersTimeout: limits.headersTimeout,
        requestTimeout: limits.requestTimeout,
        connectionsCheckingInterval: Math.min(1000, limits.headersTimeout),
        keepAliveTimeout: limits.idleTimeout,
        maxHeaderSize: 16 * 1024,
        requireHostHeader: false,
      },
      handle,
    );
    server.on('checkContinue', handle);
    server.timeout = limits.idleTimeout;
    server.on('clientError', answerUnreadable);
    return server;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('likeness-extensions', extensions.join(', '));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    response.setHeader('vary', 'accept-language');
    response.on('error', () => {});
    const language = preferredLanguage(request.headers['accept-language']);
    // The published form of Group B's paths has a doubled slash in front.
    const path = (request.url ?? '').split('?', 1)[0]!.replace(/^\/\/+(?=open-api\/)/, '/');
    try {
      if (!this.#hosts.has((request.headers.host ?? '').toLowerCase())) throw wrongHost();
      const { name, parameters } = this.#admit(request, path);
      if (request.headers['content-encoding'] !== undefined) throw encoded();
      if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      const { caller } = this.#options;
      const origin = `http://127.0.0.1:${this.#port}`;
      await this.#answers[name]({ request, response, parameters, language, caller, origin });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : failure(error);
      if (refusal !== error) {
        this.#options.log('error', `${request.method} ${operationName(path)} failed`, error);
      }
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusal, { language, isGroupB: path.startsWith('/open-api/') });
    } finally {
      drain(request);
    }
  }

  /**
   * The endpoint that a request asks for, with its key checked. The key goes first, before the method, so
   * that whoever tests a connection learns of a wrong one without doing anything.
   *
   * @throws {Refusal} 401 `unauthorized`, 404 `path_unknown`, 405 `method_not_allowed`
   */
  #admit(request: IncomingMessage, path: string): NonNullable<FoundRoute<EndpointName>['wanted']> {
    const method = request.method ?? '';
    const { there, wanted } = this.#routeOf(method, path);
    const endpoint = wanted?.endpoint ?? there[0];
    if (!endpoint) throw unknownPath(path, this.#options.pathWord);
    this.#authorize(request, endpoint.auth);
    if (!wanted) throw wrongMethod(method, there.flatMap(methodsOf));
    return wanted;
  }

  #authorize(request: IncomingMessage, auth: RequiredKey): void {
    const keys = this.#readKeys(request);
    if (keys.a || keys.b) this.#unauthenticated.admit(request.socket);
    if (!isOpenedBy(auth, keys)) throw unauthorized(auth);
  }
}

/** The path without what it names: a link's last part is a secret and stays out of logs. */
const operationName = (path: string): string =>
  path.startsWith('/files/') ? '/files/…' : path.slice(0, 200);
