import { changed, t } from '@likeness/messages';
import type { Scrub } from '@likeness/node-kit/storage/scrub.ts';
import type { UpstreamClient } from './client.ts';
import { operationNames, UpstreamError } from './error.ts';
import type { Operation } from './interface_names.ts';
import type { FaceMessage } from './operations/audio_to_face.ts';

/** Branches of `upstream.holds_key`. */
type HoldingKey = 'an_id' | 'a_model_id' | 'a_name';

/**
 * Wraps a client so that its answers contain no key that the studio knows; every server's answer passes here.
 * Texts are scrubbed; an id that contains a key is refused, because ids go to disk, into exports and back to
 * servers.
 */
export function withoutKeys(client: UpstreamClient, scrub: Scrub): UpstreamClient {
  const clean = (text: string): string => (scrub.containsSecret(text) ? scrub(text) : text);

  /** @throws UpstreamError; `uncertain` if the server acted, and may bill it */
  const refuseIn = (
    texts: readonly string[],
    what: HoldingKey,
    operation: Operation,
    uncertain: boolean,
  ): void => {
    if (!texts.some((text) => scrub.containsSecret(text))) return;
    throw new UpstreamError(
      'upstream_broken',
      t('upstream.holds_key', { operation: operationNames[operation], what }),
      {
        operation,
        uncertain,
        hint: uncertain ? t('upstream.tell_perhaps_billed') : t('upstream.tell_operator'),
      },
    );
  };

  const cleanErrors = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw cleanError(error, clean);
    });

  return {
    audioToFace: (request, options) => faces(client.audioToFace(request, options), refuseIn, clean),
    async submitImage(file, options) {
      const answer = await cleanErrors(client.submitImage(file, options));
      refuseIn([answer.id], 'an_id', 'submit_image', true);
      return answer;
    },
    turn: (options) => cleanErrors(client.turn(options)),
    async generateModel(request, options) {
      const answer = await cleanErrors(client.generateModel(request, options));
      refuseIn([answer.modelId], 'a_model_id', 'generate_model', true);
      return answer;
    },
    async getModel(modelId, options) {
      const answer = await cleanErrors(client.getModel(modelId, options));
      return {
        ...answer,
        failMessage: changed(answer.failMessage, clean),
        warnings: answer.warnings.map(clean),
      };
    },
    deleteModel: (modelId, options) => cleanErrors(client.deleteModel(modelId, options)),
    modelEvents: (options) => ids(client.modelEvents(options), scrub),
    async download(link, target, options) {
      const result = await cleanErrors(client.download(link, target, options));
      return { ...result, contentType: clean(result.contentType) };
    },
    async probe(options) {
      const steps = await cleanErrors(client.probe(options));
      return steps.map((step) => ({
        ...step,
        detail: changed(step.detail, clean),
        hint: changed(step.hint, clean),
      }));
    },
    extensions: (options) => cleanErrors(client.extensions(options)),
    close: (options) => client.close(options),
  };
}

/** An id with a key in it is none of a model that is waited for. */
async function* ids(stream: AsyncIterable<string>, scrub: Scrub): AsyncGenerator<string, void, undefined> {
  for await (const id of stream) if (!scrub.containsSecret(id)) yield id;
}

async function* faces(
  stream: AsyncIterable<FaceMessage>,
  refuseIn: (texts: readonly string[], what: HoldingKey, operation: Operation, uncertain: boolean) => void,
  clean: (text: string) => string,
): AsyncGenerator<FaceMessage, void, undefined> {
  try {
    for await (const message of stream) {
      if (message.kind === 'header') {
        refuseIn([message.traceId, ...message.channelNames], 'a_name', 'audio_to_face', false);
      }
      yield message;
    }
  } catch (error) {
    throw cleanError(error, clean);
  }
}

/** The same error without keys; a new one if it contained any, because the old one's stack quotes it. */
function cleanError(error: unknown, clean: (text: string) => string): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { message, hint, envelopeMessage } = error;
  const cause = error.cause instanceof Error ? error.cause.message : '';
  if ([message, hint, envelopeMessage, cause].every((text) => clean(text) === text)) return error;
  return new UpstreamError(error.code, changed(error.userMessage, clean), {
    operation: error.operation,
    hint: changed(error.advice, clean),
    retryable: error.retryable,
    httpStatus: error.httpStatus,
    envelopeCode: error.envelopeCode,
    envelopeMessage: clean(envelopeMessage),
    uncertain: error.uncertain,
    retryAfter: error.retryAfter,
    ...(error.field !== undefined && { field: error.field }),
    ...(cause !== '' && { cause: new Error(clean(cause)) }),
  });
}
