import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { unknownField } from './form_fields.ts';
import { Refusal } from './refusal.ts';

export interface JsonBodyOptions {
  /** Bytes. */
  most: number;
  tooLarge: () => Refusal;
  /** Bytes of such bodies that are being received at the same time, over all connections. */
  maxInFlight: number;
  inFlight: { bytes: number };
}

/**
 * Receives a body of JSON, as text.
 *
 * @throws {Refusal} 415 `not_json`, 413, 503 `busy`
 */
export async function readJsonBody(
  request: IncomingMessage,
  { most, tooLarge, maxInFlight, inFlight }: JsonBodyOptions,
): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'not_json', {
      en: 'The body must be JSON, with Content-Type: application/json.',
      zh: '请求体必须为 JSON，并带有 Content-Type: application/json。',
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Not destroyed on the way out: the refusal still has to be written on this connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      inFlight.bytes += chunk.length;
      if (bytes > most) throw tooLarge();
      if (inFlight.bytes > maxInFlight) {
        throw new Refusal(
          503,
          'busy',
          {
            en: 'Too much audio is being received at the same time. Send this again in a second.',
            zh: '同时接收的音频过多。请稍后重新发送。',
          },
          { headers: { 'retry-after': '1' } },
        );
      }
    }
  } finally {
    inFlight.bytes -= bytes;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws {Refusal} 400 `json_malformed` */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, 'json_malformed', {
      en: 'The body is not JSON that can be read; it may be cut off.',
      zh: '请求体不是可读取的 JSON；可能被截断。',
    });
  }
}

/**
 * Parses a body of this shape.
 *
 * @throws {Refusal} 400 `json_malformed`, `field_unknown`, `field_missing`, `field_wrong_value`
 */
export function parseJsonBody<T>(body: string, schema: z.ZodObject & z.ZodType<T>): T {
  const value = parseJson(body);
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  const [field] = issue?.path ?? [];
  if (issue?.code === 'unrecognized_keys' && field === undefined) {
    throw unknownField(String(issue.keys[0]), Object.keys(schema.shape));
  }
  if (field === undefined) {
    throw new Refusal(400, 'json_malformed', {
      en: 'The body must be a JSON object; /openapi.json describes its format.',
      zh: '请求体须为 JSON 对象；内容格式见 /openapi.json。',
    });
  }
  const name = String(field);
  const problem = `${issue?.path.join('.')}: ${issue?.message}`;
  throw new Refusal(
    400,
    'field_wrong_value',
    {
      en: `The field "${name}" can’t be used (${problem}); /openapi.json describes its format.`,
      zh: `字段 "${name}" 无法使用（${problem}）；内容格式见 /openapi.json。`,
    },
    { field: name },
  );
}
