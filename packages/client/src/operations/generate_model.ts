import { t } from '@likeness/messages';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { ClientContext } from '../client_context.ts';
import { UpstreamError } from '../error.ts';
import type { Extensions } from '../extensions.ts';
import { generateModelAddress } from '../transport/endpoint.ts';
import { identifier } from './envelope.ts';
import { waitSecondsOf } from './get_model.ts';
import { envelopeDataOf, readable } from './json_answer.ts';
import { postForm } from './post_form.ts';

export interface GenerateModelRequest {
  /** The portrait photo; among several, the best frontal one. */
  file: UploadFile;
  /** Further photos of the person. Sent only if the server announces `files`. */
  others?: readonly UploadFile[];
  sex: 'female' | 'male';
  eyelidType?: 'single' | 'double';
  /**
   * A person's corrections to the outline of head and hair. Sent only if the server announces the extension.
   */
  corrections?: HeadCorrections;
  /** A person's choices for the head. Sent only if the server announces the extension. */
  options?: HeadOptions;
  /**
   * Make the head even if the photo fails a quality rule. Sent only if the server announces the extension.
   */
  anyway?: boolean;
  /** Make a coarser head, to try options with. Sent only if the server announces the extension. */
  preview?: boolean;
  /**
   * Identifies this order, so that repeating it creates no second model. Sent only if the server announces
   * the extension.
   */
  idempotencyKey?: string;
}

/**
 * B1: orders a model from a portrait photo. It is billed, so it is sent again only if the server provably did
 * not receive it, or refused it with a Retry-After.
 *
 * @returns The server's id, and `leftOut`: photos that were not sent, because the server accepts only one.
 * @param announced The extensions that the server announces.
 * @param turn Ends the turn already taken for it; otherwise it waits for one.
 * @throws UpstreamError; with `uncertain` if the order may exist although no proper answer came
 */
export async function generateModel(
  context: ClientContext,
  request: GenerateModelRequest,
  announced: Pick<
    Extensions,
    'idempotencyKey' | 'headCorrections' | 'headOptions' | 'headAnyway' | 'headPreview' | 'files'
  >,
  signal?: AbortSignal,
  turn?: () => void,
): Promise<{ modelId: string; waitSeconds: number; leftOut?: number }> {
  const key = announced.idempotencyKey ? request.idempotencyKey : undefined;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new UpstreamError('invalid_input', t('upstream.idempotency_characters'), {
      operation: 'generate_model',
      field: 'idempotencyKey',
      hint: t('upstream.letters_digits'),
    });
  }
  const fields: [string, string][] = [['sex', request.sex === 'female' ? '1' : '0']];
  if (request.eyelidType) fields.push(['eyelidType', request.eyelidType === 'single' ? '1' : '2']);
  if (request.corrections && announced.headCorrections) {
    fields.push(['corrections', JSON.stringify(request.corrections)]);
  }
  if (request.options && announced.headOptions) fields.push(['options', JSON.stringify(request.options)]);
  if (request.anyway && announced.headAnyway) fields.push(['anyway', '1']);
  if (request.preview && announced.headPreview) fields.push(['preview', '1']);
  const { others = [] } = request;
  const sentOthers = announced.files ? others : [];
  return postForm(
    context,
    {
      operation: 'generate_model',
      group: 'B',
      address: () => generateModelAddress(context.endpoint),
      file: request.file,
      others: sentOthers,
      fields,
      ...(turn && { turn }),
      headers: key === undefined ? [] : ['idempotency-key', key],
      models: 1,
      idempotencyKey: key,
    },
    signal,
    (answer, exchange) => {
      context.onGroupBAnswer(answer);
      const data = envelopeDataOf(answer, exchange);
      const modelId = readable(answer, () => identifier(data.modelId, 'data.modelId'));
      exchange.subject = modelId;
      exchange.billedModels = 1;
      const leftOut = others.length - sentOthers.length;
      if (leftOut > 0) exchange.message = t('upstream.only_front_went', { count: leftOut });
      const waitSeconds = waitSecondsOf(data.waitTime, 'data.waitTime', []);
      return { modelId, waitSeconds, ...(leftOut > 0 && { leftOut }) };
    },
  );
}
