import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { correctionsBytes } from '../models/head_corrections.ts';
import { type ImageHeader, readImageHeader } from './image_header.ts';
import type { EngineLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

/** An image that came in a multipart body and passed the checks. */
export interface ImageUpload {
  /** Where it lies until somebody takes it (by renaming); deleted otherwise. */
  path: string;
  /** Hex. */
  sha256: string;
  bytes: number;
  header: ImageHeader;
  /** The other fields, by name, as text. Only names that were allowed; each at most once. */
  fields: ReadonlyMap<string, string>;
}

export interface ImageUploadOptions {
  /** Folder for the file while it arrives. On the same file system as its later place. */
  folder: string;
  /** Names of the text fields that may stand beside `file`. */
  fieldNames: readonly string[];
  limits: Pick<EngineLimits, 'imageBytes' | 'imagePixels'>;
}

/** Room for the boundary lines, part headers and text fields around the file. */
const multipartOverhead = 64 * 1024 + correctionsBytes;

/**
 * Receives a `multipart/form-data` body with one part `file` and some text fields, and hands the image on.
 * The file goes to disk as it comes and is gone again when `use` returns without having renamed it.
 *
 * @throws {Refusal} 400, 413 or 415, naming the field
 */
export async function withImageUpload<T>(
  request: IncomingMessage,
  { folder, fieldNames, limits }: ImageUploadOptions,
  use: (upload: ImageUpload) => T,
): Promise<T> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'not_multipart', {
      en: 'The body must be multipart/form-data with the image in a part named "file".',
      zh: '请求体必须为 multipart/form-data，图片放在名为 "file" 的部分。',
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.imageBytes + multipartOverhead) {
    throw tooLarge(limits);
  }
  const path = join(folder, `${randomBytes(16).toString('hex')}.part`);
  try {
    const { sha256, bytes, fields } = await receive(request, path, fieldNames, limits);
    const header = await readImageHeader(path, limits);
    return use({ path, sha256, bytes, header, fields });
  } finally {
    await rm(path, { force: true });
  }
}

function receive(
  request: IncomingMessage,
  path: string,
  fieldNames: readonly string[],
  limits: Pick<EngineLimits, 'imageBytes'>,
): Promise<{ sha256: string; bytes: number; fields: Map<string, string> }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    sha256: string;
    bytes: number;
    fields: Map<string, string>;
  }>();
  const fields = new Map<string, string>();
  let stored: Promise<{ sha256: string; bytes: number }> | undefined;
  let parser: busboy.Busboy;
  try {
    parser = busboy({
      headers: request.headers,
      limits: {
        files: 2,
        fields: 16,
        parts: 20,
        fieldNameSize: 100,
        fieldSize: correctionsBytes,
        fileSize: limits.imageBytes,
        headerPairs: 50,
      },
    });
  } catch (cause) {
    throw malformed(cause);
  }
  let refused = false;
  const refuse = (refusal: unknown): void => {
    if (refused) return;
    refused = true;
    request.unpipe(parser);
    parser.destroy();
    // The file's own write must have ended before its path is removed.
    Promise.resolve(stored).then(
      () => reject(refusal),
      () => reject(refusal),
    );
  };

  parser.on('file', (name, stream) => {
    stream.on('error', () => {});
    if (name !== 'file' || stored) {
      stream.resume();
      if (name !== 'file' && fieldNames.includes(name)) refuse(notText(name));
      else refuse(name === 'file' ? repeated(name) : unknownField(name, fieldNames));
      return;
    }
    const hash = createHash('sha256');
    let bytes = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    stream.on('limit', () => refuse(tooLarge(limits)));
    stored = pipeline(
      stream,
      measure,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    ).then(() => ({ sha256: hash.digest('hex'), bytes }));
    stored.catch((error: unknown) => refuse(error));
  });
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (name === 'file') refuse(fileIsText());
    else if (nameTruncated || !fieldNames.includes(name)) refuse(unknownField(name, fieldNames));
    else if (fields.has(name)) refuse(repeated(name));
    else fields.set(name, valueTruncated ? `${value}…` : value);
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () =>
      refuse(
        new Refusal(400, 'too_many_parts', {
          en: 'The multipart body has more parts than this operation has fields.',
          zh: 'multipart 请求体的部分数超过了本操作的字段数。',
        }),
      ),
    );
  }
  parser.on('error', (error) => refuse(malformed(error)));
  parser.on('close', () => {
    if (refused) return;
    if (!stored) return reject(missing('file'));
    stored.then(({ sha256, bytes }) => {
      if (bytes === 0) reject(emptyFile());
      else resolve({ sha256, bytes, fields });
    }, reject);
  });
  // Without an announced length, too, and whatever it is of: the parser passes over what stands before the first part.
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= limits.imageBytes + multipartOverhead) return;
    request.off('data', count);
    refuse(tooLarge(limits));
  };
  request.on('data', count);
  request.on('error', (error) => refuse(malformed(error)));
  request.on('close', () => {
    if (!request.complete) refuse(malformed(new Error('the connection ended within the body')));
  });
  request.pipe(parser);
  return promise;
}

function malformed(cause: unknown): Refusal {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const refusal = new Refusal(400, 'multipart_malformed', {
    en: `The multipart body can’t be read: ${detail}.`,
    zh: `无法读取 multipart 请求体：${detail}。`,
  });
  refusal.cause = cause;
  return refusal;
}

function tooLarge(limits: Pick<EngineLimits, 'imageBytes'>): Refusal {
  const most = limits.imageBytes / (1024 * 1024);
  return new Refusal(
    413,
    'image_too_large',
    {
      en: `The image is larger than ${most} MB. Save it smaller or with stronger compression and send it again.`,
      zh: `图片大于 ${most} MB。请缩小或提高压缩率后重新发送。`,
    },
    { field: 'file' },
  );
}

/** @throws nothing; makes the refusal for a field that is required and not there. */
export function missing(field: string): Refusal {
  return new Refusal(
    400,
    'field_missing',
    { en: `The field "${field}" is missing.`, zh: `缺少字段 "${field}"。` },
    { field },
  );
}

function repeated(field: string): Refusal {
  return new Refusal(
    400,
    'field_repeated',
    { en: `The field "${field}" comes more than once.`, zh: `字段 "${field}" 重复出现。` },
    { field },
  );
}

function unknownField(name: string, fieldNames: readonly string[]): Refusal {
  const field = name.slice(0, 100);
  const known = ['file', ...fieldNames].join(', ');
  return new Refusal(
    400,
    'field_unknown',
    {
      en: `There is no field "${field}" in this operation; its fields are ${known}.`,
      zh: `本操作没有字段 "${field}"；可用字段为 ${known}。`,
    },
    { field },
  );
}

function notText(field: string): Refusal {
  return new Refusal(
    400,
    'field_wrong_type',
    {
      en: `The field "${field}" was sent as a file; send it as text.`,
      zh: `字段 "${field}" 以文件形式发送；请以文本发送。`,
    },
    { field },
  );
}

function fileIsText(): Refusal {
  return new Refusal(
    400,
    'field_wrong_type',
    {
      en: 'The field "file" was sent as text; send it as a file part, with a file name.',
      zh: '字段 "file" 以文本形式发送；请以带文件名的文件部分发送。',
    },
    { field: 'file' },
  );
}

function emptyFile(): Refusal {
  return new Refusal(
    400,
    'image_empty',
    { en: 'The file is empty (0 bytes).', zh: '文件为空（0 字节）。' },
    { field: 'file' },
  );
}
