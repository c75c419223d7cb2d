import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { correctionsBytes } from '../models/head_corrections.ts';
import { missing, unknownField } from './form_fields.ts';
import { type ImageHeader, readImageHeader } from './image_header.ts';
import { type EngineLimits, mebibyte } from './limits.ts';
import { Refusal } from './refusal.ts';

/** What came in a multipart body: whatever was sent as `file`, and text beside it. */
export interface Upload {
  /** Where it lies until somebody takes it (by renaming); deleted otherwise. Null where no file came. */
  path: string | null;
  /** Hex; null where no file came. */
  sha256: string | null;
  /** The other fields, by name, as text. Only names that were allowed; each at most once. */
  fields: ReadonlyMap<string, string>;
}

/** An image that passed the checks. */
export interface ImageUpload extends Upload {
  path: string;
  sha256: string;
  bytes: number;
  header: ImageHeader;
}

export interface UploadOptions {
  /** Folder for the file while it arrives. On the same file system as its later place. */
  folder: string;
  /** Names of the text fields that may stand beside `file`. */
  fieldNames: readonly string[];
  /** Most that the file may have. */
  bytes: number;
  fileIsOptional?: boolean;
  /** The refusal of a larger one. Default: that of an image. */
  tooLarge?: () => Refusal;
  /** Whether the file is on the disk when `use` is called, also should the power fail. Default true. */
  durable?: boolean;
}

export interface ImageUploadOptions extends Pick<UploadOptions, 'folder' | 'fieldNames'> {
  limits: Pick<EngineLimits, 'imageBytes' | 'imagePixels'>;
}

/** Room for the boundary lines, part headers and text fields around the file. */
const multipartOverhead = 64 * 1024 + correctionsBytes;

/**
 * Receives a `multipart/form-data` body with one image as `file` and some text fields, and hands the image
 * on.
 *
 * @throws {Refusal} 400, 413 or 415, naming the field
 */
export async function withImageUpload<T>(
  request: IncomingMessage,
  { folder, fieldNames, limits }: ImageUploadOptions,
  use: (upload: ImageUpload) => T | Promise<T>,
): Promise<T> {
  const options = { folder, fieldNames, bytes: limits.imageBytes };
  return withUpload(request, options, async ({ path, sha256, bytes, fields }) => {
    if (path === null || sha256 === null) throw missing('file');
    if (bytes === 0) throw emptyFile();
    const header = await readImageHeader(path, limits);
    return use({ path, sha256, bytes, header, fields });
  });
}

/**
 * Receives a `multipart/form-data` body with one part `file`, whatever it holds, and some text fields.
 * The file goes to disk as it comes and is gone again when `use` has ended without having renamed it.
 *
 * @throws {Refusal} 400, 413 or 415, naming the field
 */
export async function withUpload<T>(
  request: IncomingMessage,
  {
    folder,
    fieldNames,
    bytes: most,
    fileIsOptional = false,
    tooLarge = () => imageTooLarge(most),
    durable = true,
  }: UploadOptions,
  use: (upload: Upload & { bytes: number }) => T | Promise<T>,
): Promise<T> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'not_multipart', {
      en: 'The body must be multipart/form-data with the file in a part named "file".',
      zh: '请求体必须为 multipart/form-data，文件放在名为 "file" 的部分。',
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > most + multipartOverhead) throw tooLarge();
  const path = join(folder, `${randomBytes(16).toString('hex')}.part`);
  try {
    const { file, fields } = await receive(request, path, { fieldNames, most, tooLarge, durable });
    if (!file && !fileIsOptional) throw missing('file');
    return await use({
      path: file ? path : null,
      sha256: file?.sha256 ?? null,
      bytes: file?.bytes ?? 0,
      fields,
    });
  } finally {
    await rm(path, { force: true });
  }
}

interface Received {
  /** Null where none came. */
  file: { sha256: string; bytes: number } | null;
  fields: Map<string, string>;
}

/** Takes a body apart: its file goes to `path`, its fields come back. The first refusal ends it. */
function receive(
  request: IncomingMessage,
  path: string,
  {
    fieldNames,
    most,
    tooLarge,
    durable,
  }: Required<Pick<UploadOptions, 'fieldNames' | 'tooLarge' | 'durable'>> & { most: number },
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const fields = new Map<string, string>();
  let stored: Promise<NonNullable<Received['file']>> | undefined;
  const parser = openParser(request, most);
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
    if (name !== 'file' || stored !== undefined) {
      stream.resume();
      if (name !== 'file' && fieldNames.includes(name)) refuse(notText(name));
      else refuse(name === 'file' ? repeated(name) : unknownField(name, ['file', ...fieldNames]));
      return;
    }
    stream.on('limit', () => refuse(tooLarge()));
    stored = storeFile(stream, path, durable);
    stored.catch((error: unknown) => refuse(error));
  });
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (name === 'file') refuse(fileIsText());
    else if (nameTruncated || !fieldNames.includes(name)) refuse(unknownField(name, ['file', ...fieldNames]));
    else if (fields.has(name)) refuse(repeated(name));
    else fields.set(name, valueTruncated ? `${value}…` : value);
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => refuse(tooManyParts()));
  }
  parser.on('error', (error) => refuse(malformed(error)));
  parser.on('close', () => {
    if (refused) return;
    Promise.resolve(stored).then((file) => resolve({ file: file ?? null, fields }), reject);
  });
  boundBody(request, most + multipartOverhead, () => refuse(tooLarge()));
  request.on('error', (error) => refuse(malformed(error)));
  request.on('close', () => {
    if (!request.complete) refuse(malformed(new Error('the connection ended within the body')));
  });
  request.pipe(parser);
  return promise;
}

/**
 * By busboy 1.6, though it rests: @fastify/busboy is kept, but goes on from 0.3, where a parser that is
 * destroyed leaves its file's stream open for good, and names of fields have no bound.
 *
 * @throws {Refusal} 400 `multipart_malformed`
 */
function openParser({ headers }: IncomingMessage, fileSize: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      limits: {
        files: 2,
        fields: 16,
        parts: 20,
        fieldNameSize: 100,
        fieldSize: correctionsBytes,
        fileSize,
        headerPairs: 50,
      },
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

/** @param durable On the disk, not only on its way there. */
async function storeFile(
  stream: Readable,
  path: string,
  durable: boolean,
): Promise<NonNullable<Received['file']>> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(stream, measure, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: durable }));
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * Counts a body, whatever its bytes are of and without an announced length, too: the parser passes over what
 * stands before the first part.
 */
function boundBody(request: IncomingMessage, most: number, onTooMuch: () => void): void {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= most) return;
    request.off('data', count);
    onTooMuch();
  };
  request.on('data', count);
}

function tooManyParts(): Refusal {
  return new Refusal(400, 'too_many_parts', {
    en: 'The multipart body has more parts than this operation has fields.',
    zh: 'multipart 请求体的部分数超过了本操作的字段数。',
  });
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

function imageTooLarge(bytes: number): Refusal {
  const most = bytes / mebibyte;
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

function repeated(field: string): Refusal {
  return new Refusal(
    400,
    'field_repeated',
    { en: `The field "${field}" comes more than once.`, zh: `字段 "${field}" 重复出现。` },
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
