import { basename } from 'node:path';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import { addressFor, type CallPlan, call } from '../call.ts';
import type { FinishedCall } from '../call_record.ts';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { collect } from '../transport/collect_answer.ts';
import type { Address } from '../transport/endpoint.ts';
import { priorities } from '../transport/pace.ts';
import type { CollectedAnswer } from '../transport/wire.ts';
import { longestJson } from './json_answer.ts';
import { multipartWithFiles } from './multipart.ts';

/** An upload that may be billed: its address and form. */
export interface FormPost
  extends Pick<CallPlan, 'operation' | 'group' | 'models' | 'idempotencyKey' | 'turn'> {
  address: () => Address;
  file: UploadFile;
  /** Further files, sent after it as `files`. Default: none. */
  others?: readonly UploadFile[];
  /** Names and values in plain ASCII. */
  fields: readonly (readonly [name: string, value: string])[];
  /** Name, value, name, value … in addition to the headers of every form. */
  headers?: readonly string[];
}

/** Milliseconds. */
const uploadTimeouts = { connect: 10_000, firstByte: 120_000, betweenBytes: 30_000, whole: 15 * 60_000 };

/**
 * Posts a form with a file, from disk or memory, and reads the JSON answer. It may be billed, so it is sent
 * again only if the server provably did not receive it, or refused it with a Retry-After.
 *
 * @param read - Reads the result from an answer, and records the billed amounts in the exchange.
 * @throws UpstreamError; with `uncertain` if the server may have acted although no proper answer came
 */
export async function postForm<T>(
  context: ClientContext,
  post: FormPost,
  signal: AbortSignal | undefined,
  read: (answer: CollectedAnswer, exchange: FinishedCall) => T,
): Promise<T> {
  const { operation, group, models, idempotencyKey, turn } = post;
  const { address, file, others = [], fields, headers = [] } = post;
  const { origin, path, host } = addressFor(operation, address);
  const form = await multipartWithFiles(file, others, fields);
  const timeouts = timeoutsFor(context, uploadTimeouts);
  try {
    return await call(
      context,
      {
        operation,
        group,
        host,
        idempotent: false,
        purpose: 'billed',
        priority: priorities.upload,
        fileNames: [file, ...others].map((one) => ('path' in one ? basename(one.path) : one.name)),
        ...(models !== undefined && { models }),
        idempotencyKey,
        ...(turn && { turn }),
      },
      signal,
      async ({ dispatcher, meter, credential }, exchange) => {
        const answer = await collect(
          {
            dispatcher,
            origin,
            path,
            method: 'POST',
            headers: [
              'accept',
              'application/json',
              'content-type',
              form.contentType,
              'content-length',
              String(form.contentLength),
              ...headers,
              ...credential,
            ],
            body: form.stream(),
            timeouts,
            meter,
            signal,
          },
          longestJson,
        );
        return read(answer, exchange);
      },
    );
  } finally {
    await form.close();
  }
}
