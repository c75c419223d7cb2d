import type { IncomingMessage } from 'node:http';
import { t } from '@likeness/messages';
import type { z } from 'zod';
import type { Owner } from '../models/model_record.ts';
import type { FairShares } from './fair_shares.ts';
import { unknownField } from './form_fields.ts';
import { JsonScan, type JsonShape, trimJson } from './json_scan.ts';
import { Refusal } from './refusal.ts';
import { type UploadSpeedLimits, watchUploadSpeed } from './upload_speed.ts';

export interface JsonBodyOptions {
  /** Bytes. */
  most: number;
  tooLarge: () => Refusal;
  shape: JsonShape;
  /** Bytes of such bodies that are being received at the same time, over all connections. */
  inFlight: FairShares;
  owner: Owner;
  limits: UploadSpeedLimits;
}

/** A received body of JSON. */
export interface JsonBody {
  /** The body as text, without its large field: an empty string or null is in its place. */
  text: string;
  /** The value of the large field as it was sent; null if there is none. */
  large: Buffer | null;
}

/**
 * Receives a body of JSON, and checks its shape while it arrives.
 *
 * @throws {Refusal} 415 `not_json`, 413, 400 `json_too_complex`, 408 `upload_too_slow`, 503 `busy`
 */
export async function readJsonBody(
  request: IncomingMessage,
  { most, tooLarge, shape, inFlight, owner, limits }: JsonBodyOptions,
): Promise<JsonBody> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'not_json', t('refusal.not_json'));
  }
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const scan = new JsonScan(shape);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stopWatching = watchUploadSpeed(request, limits, reject);
  const onData = (chunk: Buffer): void => {
    try {
      if (bytes + chunk.length > most) throw tooLarge();
      inFlight.takeForRequest(owner, 'bytes', t('refusal.audio_busy'), chunk.length);
      bytes += chunk.length;
      chunks.push(chunk);
      scan.push(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = (): void => resolve();
  const onClose = (): void => reject(new Error('the connection ended within the body'));
  request.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  try {
    await promise;
  } finally {
    stopWatching();
    request.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
    if (bytes > 0) inFlight.give(owner, bytes);
  }
  const body = Buffer.concat(chunks);
  if (scan.large === null) return { text: body.toString('utf8'), large: null };
  const { start, end } = scan.large;
  const large = trimJson(body.subarray(start, end));
  const rest = [body.subarray(0, start), large[0] === quote ? '""' : 'null', body.subarray(end)];
  return { text: rest.join(''), large };
}

const quote = 0x22;

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
