import type { IncomingHttpHeaders } from 'node:http';
import { envelopeIn } from './explain/answer_text.ts';
import type { CollectedAnswer } from './transport/wire.ts';

/** What a server can do beyond `interface.md`; used only where it says so itself. */
export interface Extensions {
  /** `Idempotency-Key` on B1: the same order twice makes one model. */
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
  /** B1 takes `anyway`: a rule of quality is passed over. */
  headAnyway: boolean;
  /** B2 tells the stage that a model in the making is at. */
  modelStage: boolean;
}

/** The response header in which the built-in engine, and whoever follows it, announces them. */
const extensionsHeader = 'likeness-extensions';

export const noExtensions: Extensions = {
  idempotencyKey: false,
  deleteModel: false,
  health: false,
  streamWords: false,
  faceOptions: false,
  noiseSuppression: false,
  headCorrections: false,
  headAnyway: false,
  modelStage: false,
};

/**
 * Answers of who stands before the service (a gateway, a portal) or of a service that is not at work just
 * now.
 */
const notItsOwn: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 425, 429, 502, 503, 504]);

/**
 * Whether an answer is the server's own word on what it can do: it announces something, or it is what a
 * server without extensions answers. A gateway's "bad gateway", a refused key or a login page says nothing;
 * to take it for "can do nothing" would send the next order unprotected.
 */
export function speaksForServer(answer: CollectedAnswer): boolean {
  const { status, headers } = answer;
  if (headers[extensionsHeader] !== undefined) return true;
  if (status < 300) return typeof envelopeIn(answer)?.code === 'number';
  return status >= 400 && !notItsOwn.has(status);
}

/** What a Group B answer announces. Unknown words are for a later version of the studio. */
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
    headAnyway: words.has('head-anyway'),
    modelStage: words.has('model-stage'),
  };
}
