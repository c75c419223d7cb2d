import { addressFor, BadAnswer, call, type Line, timeoutsFor } from './call.ts';
import { submitImageAddress } from './endpoint.ts';
import { dataOf, identifier, integer } from './envelope.ts';
import { uploadTimeouts } from './generate_model.ts';
import { jsonOf, longestJson, readable } from './json_answer.ts';
import { multipartWithFile, type UploadFile } from './multipart.ts';
import { priorities } from './pace.ts';
import { collect } from './round_trip.ts';

/**
 * A2: hands in an image and gets a task's id. The interface has no way to ask after the task. May be billed, so
 * it is sent again only where it provably was not received or was turned away with a Retry-After.
 *
 * @throws UpstreamError; with `uncertain` where the task may exist although no proper answer came
 */
export async function submitImage(
  line: Line,
  file: UploadFile,
  signal?: AbortSignal,
): Promise<{ id: string }> {
  const { origin, path, host } = addressFor('submit_image', () => submitImageAddress(line.endpoint));
  const form = await multipartWithFile(file, []);
  const timeouts = timeoutsFor(line, uploadTimeouts);
  try {
    return await call(
      line,
      {
        operation: 'submit_image',
        group: 'A',
        host,
        idempotent: false,
        purpose: 'billed',
        priority: priorities.upload,
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
              ...credential,
            ],
            body: form.stream(),
            timeouts,
            meter,
            signal,
          },
          longestJson,
        );
        const object = jsonOf(answer);
        // Group A's answers have no documented `code`. Where one says no all the same, and brings nothing, it
        // is believed.
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
  } finally {
    await form.close();
  }
}
