import type { IncomingMessage, ServerResponse } from 'node:http';
import { t } from '@likeness/messages';
import type { z } from 'zod';
import type { Owner } from '../models/model_record.ts';
import type { FairShares } from './fair_shares.ts';
import { unknownField } from './form_fields.ts';
import { isJsonSpace, JsonScan, type JsonShape } from './json_scan.ts';
import { Refusal } from './refusal.ts';
import { nextTurn } from './turns.ts';
import { type UploadSpeedLimits, watchUploadSpeed } from './upload_speed.ts';

export interface JsonBodyOptions {
  /** Bytes. */
  most: number;
  tooLarge: () => Refusal;
  shape: JsonShape;
  /**
   * Called with the bytes of the large field's value as they arrive, white space around it included. An
   * error that it throws refuses the request.
   */
  onLarge?: (bytes: Buffer) => void;
  /** Bytes of such bodies that are being received or answered at the same time, over all connections. */
  inFlight: FairShares;
  owner: Owner;
  limits: UploadSpeedLimits;
}

/** Bytes of a body after which other requests have a turn. Node reads up to 2 MiB of a connection in a turn. */
const bytesPerTurn = 64 * 1024;

/**
 * Receives a body of JSON, and checks its shape while it arrives. Its bytes count as in flight until the response is
 * closed, because the decoded content stays in memory until then.
 *
 * @returns The body as text, without its large field: an empty string or null is in its place.
 * @throws {Refusal} 415 `not_json`, 413, 400 `json_too_complex`, 408 `upload_too_slow`, 503 `busy`
 */
export async function readJsonBody(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { most, tooLarge, shape, onLarge, inFlight, owner, limits }: JsonBodyOptions,
): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'not_json', t('refusal.not_json'));
  }
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const body = new SplitBody(shape, onLarge);
  let taken = 0;
  const give = (): void => {
    if (taken > 0) inFlight.give(owner, taken);
    taken = 0;
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stopWatching = watchUploadSpeed(request, limits, reject);
  const onData = (chunk: Buffer): void => {
    try {
      if (taken + chunk.length > most) throw tooLarge();
      inFlight.takeForRequest(owner, 'bytes', t('refusal.audio_busy'), chunk.length);
      taken += chunk.length;
      body.push(chunk);
      if (taken > bytesPerTurn) {
        request.pause();
        void nextTurn().then(() => request.resume());
      }
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = (): void => resolve();
  const onClose = (): void => reject(new Error('the connection ended within the body'));
  request.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  try {
    await promise;
  } catch (error) {
    give();
    throw error;
  } finally {
    stopWatching();
    request.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
  }
  if (response.closed) give();
  else response.once('close', give);
  return body.text();
}

/** Parts the large field from the rest of a body. */
class SplitBody {
  readonly #scan: JsonScan;
  readonly #onLarge: ((bytes: Buffer) => void) | undefined;
  readonly #before: Buffer[] = [];
  readonly #after: Buffer[] = [];
  #at = 0;
  /** The large value's first byte, if it has begun. */
  #first: number | undefined;

  constructor(shape: JsonShape, onLarge?: (bytes: Buffer) => void) {
    this.#scan = new JsonScan(shape);
    this.#onLarge = onLarge;
  }

  /** @throws {Refusal} 400 `json_too_complex`, and what `onLarge` throws */
  push(chunk: Buffer): void {
    this.#scan.push(chunk);
    const { start, end } = this.#scan.large;
    const from = Math.max(0, Math.min(chunk.length, start - this.#at));
    const to = Math.max(0, Math.min(chunk.length, end - this.#at));
    this.#at += chunk.length;
    // An empty part would keep its whole chunk in memory.
    if (from > 0) this.#before.push(chunk.subarray(0, from));
    if (to < chunk.length) this.#after.push(chunk.subarray(to));
    const large = chunk.subarray(from, to);
    if (large.length === 0) return;
    this.#first ??= large.find((byte) => !isJsonSpace(byte));
    this.#onLarge?.(large);
  }

  text(): string {
    const hasLarge = this.#scan.large.start < this.#at;
    const inPlace = this.#first === quote ? '""' : 'null';
    return Buffer.concat([...this.#before, Buffer.from(hasLarge ? inPlace : ''), ...this.#after]).toString();
  }
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
