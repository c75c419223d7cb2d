import type { IncomingMessage } from 'node:http';
import { t } from '@likeness/messages';
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
    throw new Refusal(415, 'not_json', t('refusal.not_json'));
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
        throw new Refusal(503, 'busy', t('refusal.audio_busy'), { headers: { 'retry-after': '1' } });
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
    throw new Refusal(400, 'json_malformed', t('refusal.json_malformed'));
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
    throw new Refusal(400, 'json_malformed', t('refusal.json_no_object'));
  }
  const name = String(field);
  const problem = `${issue?.path.join('.')}: ${issue?.message}`;
  throw new Refusal(400, 'field_wrong_value', t('refusal.field_unusable', { field: name, problem }), {
    field: name,
  });
}
