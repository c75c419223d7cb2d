import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import { BadAnswer } from '../bad_answer.ts';
import type { ClientContext } from '../client_context.ts';
import { submitImageAddress } from '../transport/endpoint.ts';
import { dataOf, identifier, integer } from './envelope.ts';
import { jsonOf, readable } from './json_answer.ts';
import { postForm } from './post_form.ts';

/**
 * A2: submits an image and gets a task id. The interface has no call for the task's state. It may be billed,
 * so it is sent again only if the server provably did not receive it, or refused it with a Retry-After.
 *
 * @throws UpstreamError; with `uncertain` if the task may exist although no proper answer came
 */
export function submitImage(
  context: ClientContext,
  file: UploadFile,
  signal?: AbortSignal,
): Promise<{ id: string }> {
  const address = () => submitImageAddress(context.endpoint);
  return postForm(
    context,
    { operation: 'submit_image', group: 'A', address, file, fields: [] },
    signal,
    (answer, exchange) => {
      const object = jsonOf(answer);
      // Group A's answers have no documented `code`. If one has a failure code and no result, it counts as a
      // failure.
      if (object.data == null && object.code !== undefined) {
        const code = readable(answer, () => integer(object.code, 'code'));
        exchange.envelopeCode = code;
        if (code !== 200 && code !== 0) {
          throw BadAnswer.envelope(answer, {
            code,
            message: typeof object.message === 'string' ? object.message : '',
          });
        }
      }
      const id = readable(answer, () => identifier(dataOf(object).id, 'data.id'));
      exchange.subject = id;
      return { id };
    },
  );
}
