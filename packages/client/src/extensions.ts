import type { IncomingHttpHeaders } from 'node:http';
import { envelopeIn } from './explain/answer_text.ts';
import type { CollectedAnswer } from './transport/wire.ts';

/** Capabilities beyond `interface.md`; used only if the server announces them. */
export interface Extensions {
  /** `Idempotency-Key` on B1: a repeated order creates one model. */
  idempotencyKey: boolean;
  /** DELETE of a model. */
  deleteModel: boolean;
  /** A health check. */
  health: boolean;
  /** A1 takes a voice in parts: `start`, `continue`, `end`. */
  streamWords: boolean;
  /** A1 takes `frameRate` and `lookahead`. */
  faceOptions: boolean;
  /** A1 takes `suppressNoise`. */
  noiseSuppression: boolean;
  /** B1 takes `corrections` of the outline of head and hair. */
  headCorrections: boolean;
  /** B1 takes `options`, a person's choices for the head. */
  headOptions: boolean;
  /** B1 takes `anyway`, which overrides a quality rule. */
  headAnyway: boolean;
  /** B1 takes `preview`: a coarser head, to try options with. */
  headPreview: boolean;
  /** B1 takes further photos of the person as `files`. */
  files: boolean;
  /** B2 reports the stage of a model in progress. */
  modelStage: boolean;
  /** Server-sent events of the key's models. */
  modelEvents: boolean;
}

/** The response header in which the built-in engine, and compatible servers, announce them. */
const extensionsHeader = 'likeness-extensions';

export const noExtensions: Extensions = {
  idempotencyKey: false,
  deleteModel: false,
  health: false,
  streamWords: false,
  faceOptions: false,
  noiseSuppression: false,
  headCorrections: false,
  headOptions: false,
  headAnyway: false,
  headPreview: false,
  files: false,
  modelStage: false,
  modelEvents: false,
};

/**
 * Statuses of something in front of the service (a gateway, a portal) or of a service that is down.
 */
const notItsOwn: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 425, 429, 502, 503, 504]);

/**
 * Whether an answer shows the server's capabilities: it announces extensions, or comes from a server without
 * them. A gateway's "bad gateway", a refused key or a login page shows none. Reading it as "no extensions"
 * would omit the next order's idempotency key.
 */
export function speaksForServer(answer: CollectedAnswer): boolean {
  const { status, headers } = answer;
  if (headers[extensionsHeader] !== undefined) return true;
  if (status < 300) return typeof envelopeIn(answer)?.code === 'number';
  return status >= 400 && !notItsOwn.has(status);
}

/**
 * Returns the extensions that a Group B answer announces. Unknown names are for a later version of the
 * studio.
 */
export function announcedExtensions(headers: IncomingHttpHeaders): Extensions {
  const header = headers[extensionsHeader];
  if (header === undefined) return noExtensions;
  const words = new Set(
    String(header)
      .toLowerCase()
      .split(',')
      .map((word) => word.trim()),
  );
  return {
    idempotencyKey: words.has('idempotency-key'),
    deleteModel: words.has('delete-model'),
    health: words.has('health'),
    streamWords: words.has('stream-words'),
    faceOptions: words.has('face-options'),
    noiseSuppression: words.has('noise-suppression'),
    headCorrections: words.has('head-corrections'),
    headOptions: words.has('head-options'),
    headAnyway: words.has('head-anyway'),
    headPreview: words.has('head-preview'),
    files: words.has('files'),
    modelStage: words.has('model-stage'),
    modelEvents: words.has('model-events'),
  };
}
