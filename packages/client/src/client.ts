import { t } from '@likeness/messages';
import { type Clock, systemClock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import type { FinishedCall, PlannedCall } from './call_record.ts';
import type { ClientContext } from './client_context.ts';
import { UpstreamError } from './error.ts';
import { announcedExtensions, type Extensions, noExtensions, speaksForServer } from './extensions.ts';
import {
  type AudioToFaceRequest,
  audioToFace,
  createDecoders,
  type FaceMessage,
} from './operations/audio_to_face.ts';
import { deleteModel } from './operations/delete_model.ts';
import { type DownloadOptions, type DownloadResult, download } from './operations/download.ts';
import { type GenerateModelRequest, generateModel } from './operations/generate_model.ts';
import { getModel, type ModelAnswer } from './operations/get_model.ts';
import { modelEvents } from './operations/model_events.ts';
import { askForExtensions, probe } from './operations/probe.ts';
import { submitImage } from './operations/submit_image.ts';
import type { Endpoint } from './transport/endpoint.ts';
import { createPace, type JoinedPace, priorities } from './transport/pace.ts';
import { defaultRetryLimits, type RetryLimits } from './transport/retry.ts';
import { closedFailure, createTransport } from './transport/transport.ts';
import type { PhaseTimeouts } from './transport/wire.ts';

export interface UpstreamClientOptions {
  endpoint: Endpoint;
  /** Override each operation's own, milliseconds. */
  timeouts?: Partial<PhaseTimeouts>;
  retry?: Partial<RetryLimits>;
  clock?: Pick<Clock, 'now' | 'wait'>;
  /**
   * The client's share of the profile's pace, released when the client is closed. Default: a separate pace.
   */
  pace?: JoinedPace;
  /** 0 ≤ value < 1, for the pauses between attempts. */
  random?: () => number;
  /** Called once before a call is first sent; throwing a Failure (`cap_reached`) refuses the call. */
  beforeCall?: (call: PlannedCall) => Promise<void>;
  /**
   * Called once when a call has ended; `planned` is the call that `beforeCall` allowed, if it did. Must not
   * throw: the result exists and may have been billed.
   */
  onExchange?: (exchange: FinishedCall, planned: PlannedCall | null) => void;
}

interface Cancellable {
  signal?: AbortSignal;
}

/**
 * The four operations of the interface, against one connection. All calls of a profile go through one client,
 * so that its limits of concurrency and rate apply to all of them.
 *
 * Every operation rejects with an {@link UpstreamError} (or a Failure of storage, key store or spending cap).
 */
export interface UpstreamClient {
  /** A1. Nothing is sent until the first message is requested. Leaving the loop ends the request. */
  audioToFace(request: AudioToFaceRequest, options?: Cancellable): AsyncIterable<FaceMessage>;
  /** A2. */
  submitImage(file: UploadFile, options?: Cancellable): Promise<{ id: string }>;
  /**
   * Waits until the profile's limits let an order start, for callers that must record it before sending it.
   *
   * @returns A function that ends the turn (it may be called again); `generateModel` calls it after its first
   * attempt.
   */
  turn(options?: Cancellable): Promise<() => void>;
  /**
   * B1. `protectedOnly`: sends nothing (`conflict`, retryable) unless the server accepts the idempotency key.
   * `turn`: a turn already taken for it; otherwise it waits for one.
   */
  generateModel(
    request: GenerateModelRequest,
    options?: Cancellable & { protectedOnly?: boolean; turn?: () => void },
  ): Promise<{ modelId: string; waitSeconds: number; leftOut?: number }>;
  /** B2. */
  getModel(modelId: string, options?: Cancellable): Promise<ModelAnswer>;
  /** Extension `delete-model`: cancels a model in progress, or deletes it. */
  deleteModel(modelId: string, options?: Cancellable): Promise<void>;
  /**
   * Extension `model-events`: yields ids of the key's models as they change. Ends, without an error, when the
   * connection does; `onOpen`: called when the server starts reporting changes.
   */
  modelEvents(options: Cancellable & { onOpen: () => void }): AsyncIterable<string>;
  /**
   * Downloads a link from B2, completely or not at all. `target` is the final path; its folder must exist.
   */
  download(link: string, target: string, options?: DownloadOptions): Promise<DownloadResult>;
  /** Tests each operation; sends nothing that could be billed. */
  probe(options?: Cancellable): ReturnType<typeof probe>;
  /**
   * Returns the extensions that the server announces; asks it once if it has not answered yet. If asking
   * fails, it counts as announcing none; with `sure` the error is thrown.
   */
  extensions(options?: Cancellable & { sure?: boolean }): Promise<Extensions>;
  /**
   * Ends the client. Calls in progress are cancelled or, with `finish`, completed first. New ones are refused
   * at once.
   */
  close(options?: { finish?: boolean }): Promise<void>;
}

export function createUpstreamClient(options: UpstreamClientOptions): UpstreamClient {
  const { endpoint, timeouts = {} } = options;
  const closing = new AbortController();
  const decoders = createDecoders(endpoint);
  let closed = false;
  let announced: Extensions | null = null;
  const clock = options.clock ?? systemClock;
  const context: ClientContext = {
    endpoint,
    transport: createTransport(endpoint, timeouts.connect ?? 10_000),
    pace: options.pace ?? createPace(endpoint, clock),
    downloadPace: createPace({ concurrency: endpoint.concurrency, requestsPerMinute: 0 }, clock),
    clock,
    random: options.random ?? Math.random,
    retry: { ...defaultRetryLimits, ...options.retry },
    timeouts,
    closing: closing.signal,
    beforeCall: options.beforeCall,
    onExchange: options.onExchange,
    onGroupBAnswer(answer) {
      if (!speaksForServer(answer)) return false;
      announced = announcedExtensions(answer.headers);
      return true;
    },
  };
  const running = new Set<Promise<unknown>>();

  /** Counts the calls in progress, for `close`. */
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(closedFailure());
    const promise = work();
    running.add(promise);
    const over = (): boolean => running.delete(promise);
    promise.then(over, over);
    return promise;
  };

  const extensions = async (
    signal: AbortSignal | undefined,
    sure: boolean,
    hasTurn = false,
  ): Promise<Extensions> => {
    try {
      if (!announced) await askForExtensions(context, signal, hasTurn);
    } catch (error) {
      if (sure || !(error instanceof Failure)) throw error;
    }
    return announced ?? noExtensions;
  };

  return {
    audioToFace(request, { signal } = {}) {
      return {
        [Symbol.asyncIterator]() {
          if (closed) throw closedFailure();
          const stream = audioToFace(context, decoders, () => extensions(signal, false), request, signal);
          return stream;
        },
      };
    },
    submitImage: (file, { signal } = {}) => run(() => submitImage(context, file, signal)),
    turn: ({ signal } = {}) => run(() => context.pace.enter(priorities.upload, signal)),
    generateModel: (request, { signal, protectedOnly = false, turn } = {}) =>
      run(async () => {
        const extended =
          request.idempotencyKey !== undefined ||
          request.corrections !== undefined ||
          request.options !== undefined ||
          request.anyway === true ||
          request.preview === true ||
          (request.others ?? []).length > 0;
        const can = extended ? await extensions(signal, protectedOnly, turn !== undefined) : noExtensions;
        if (protectedOnly && !can.idempotencyKey) {
          throw new UpstreamError('conflict', t('upstream.no_idempotency'), {
            operation: 'generate_model',
            hint: t('upstream.nothing_sent_anew'),
            retryable: true,
          });
        }
        return generateModel(context, request, can, signal, turn);
      }),
    getModel: (modelId, { signal } = {}) => run(() => getModel(context, modelId, signal)),
    deleteModel: (modelId, { signal } = {}) => run(() => deleteModel(context, modelId, signal)),
    modelEvents: ({ signal, onOpen }) => {
      const until = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      return modelEvents(context, until, onOpen);
    },
    download: (link, target, downloadOptions = {}) =>
      run(() => download(context, link, target, downloadOptions)),
    probe: ({ signal } = {}) => run(() => probe(context, signal)),
    extensions: ({ signal, sure = false } = {}) => run(() => extensions(signal, sure)),

    async close({ finish = false } = {}) {
      closed = true;
      if (finish) {
        await Promise.allSettled(running);
        await context.pace.idle();
      }
      closing.abort(closedFailure());
      context.pace.dismiss(closedFailure());
      context.downloadPace.dismiss(closedFailure());
      await context.transport.destroy();
      await Promise.allSettled(running);
      options.pace?.leave();
    },
  };
}
