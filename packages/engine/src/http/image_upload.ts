import { createHash, randomBytes } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { imageHeadBytes } from '@likeness/node-kit/image_kind.ts';
import busboy from 'busboy';
import { correctionsBytes } from '../models/head_corrections.ts';
import { missing, unknownField } from './form_fields.ts';
import { type ImageHeader, readImageHeader } from './image_header.ts';
import { type EngineLimits, mebibyte } from './limits.ts';
import { Refusal } from './refusal.ts';
import { type UploadSpeedLimits, watchUploadSpeed } from './upload_speed.ts';

/** An uploaded file. Deleted unless something takes it by renaming. */
export interface UploadedFile {
  path: string;
  /** Hex. */
  sha256: string;
  bytes: number;
  /** The first bytes, which identify its kind: `imageHeadBytes`, or the whole of a shorter file. */
  head: Uint8Array;
}

/** The content of a multipart body: the part `file` and text fields. */
export interface Upload {
  /** Null if there was none. */
  file: UploadedFile | null;
  /** The parts named `files`, in order; empty if the operation takes none. */
  others: readonly UploadedFile[];
  /** The other fields, by name, as text. Only names that were allowed; each at most once. */
  fields: ReadonlyMap<string, string>;
}

/** Parts of files are buffered up to this size before they are written, bytes. */
const gathered = 256 * 1024;

/** An image that passed the checks. */
export interface ImageUpload extends UploadedFile, Omit<Upload, 'file'> {
  header: ImageHeader;
}

export interface UploadOptions {
  /** Folder for incoming files. On the same file system as their destination. */
  folder: string;
  /** Names of the text fields that may stand beside `file`. */
  fieldNames: readonly string[];
  /** Maximum size of a file. */
  bytes: number;
  fileIsOptional?: boolean;
  /** Files that may come as `files`, each as large as `file`. Default 0. */
  otherFiles?: number;
  /** The refusal of a larger file. Default: the one for images. */
  tooLarge?: () => Refusal;
  /** Whether the file is safely on disk (flushed) when `use` is called. Default true. */
  durable?: boolean;
  limits: UploadSpeedLimits;
}

export interface ImageUploadOptions
  extends Pick<UploadOptions, 'folder' | 'fieldNames' | 'otherFiles' | 'durable'> {
  limits: Pick<EngineLimits, 'imageBytes' | 'imagePixels'> & UploadSpeedLimits;
}

/** Room for the boundary lines, part headers and text fields around the file. */
const multipartOverhead = 64 * 1024 + correctionsBytes;

/**
 * Receives a `multipart/form-data` body with an image as `file`, perhaps more as `files`, and some text
 * fields. Passes the images to `use`.
 *
 * @throws {Refusal} 400, 413 or 415, naming the field
 */
export async function withImageUpload<T>(
  request: IncomingMessage,
  { folder, fieldNames, otherFiles = 0, durable = true, limits }: ImageUploadOptions,
  use: (upload: ImageUpload) => T | Promise<T>,
): Promise<T> {
  const options = { folder, fieldNames, otherFiles, durable, bytes: limits.imageBytes, limits };
  return withUpload(request, options, async ({ file, others, fields }) => {
    if (!file) throw missing('file');
    const header = await checkImage(file, limits);
    for (const [i, other] of others.entries()) {
      await checkImage(other, limits).catch((error: unknown) => {
        throw error instanceof Refusal ? ofOther(error, i + 1) : error;
      });
    }
    return use({ ...file, header, others, fields });
  });
}

/** @throws {Refusal} */
async function checkImage(
  file: UploadedFile,
  limits: Pick<EngineLimits, 'imagePixels'>,
): Promise<ImageHeader> {
  if (file.bytes === 0) throw emptyFile();
  return readImageHeader(file, limits);
}

/** Turns a refusal of `file` into one of the n-th of `files`, from 1. */
const ofOther = ({ status, reason, text, headers }: Refusal, number: number): Refusal =>
  new Refusal(status, reason, t('refusal.other_photo', { number, problem: text }), {
    field: 'files',
    number,
    headers,
  });

/**
 * Receives a `multipart/form-data` body with one part `file` of any content, and some text fields. The file
 * is written to disk as it arrives and deleted when `use` ends, unless `use` renamed it.
 *
 * @throws {Refusal} 400, 413 or 415, naming the field
 */
export async function withUpload<T>(
  request: IncomingMessage,
  {
    folder,
    fieldNames,
    bytes: max,
    fileIsOptional = false,
    otherFiles = 0,
    tooLarge = () => imageTooLarge(max),
    durable = true,
    limits,
  }: UploadOptions,
  use: (upload: Upload) => T | Promise<T>,
): Promise<T> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'not_multipart', t('refusal.not_multipart'));
  }
  const maxBody = max * (1 + otherFiles) + multipartOverhead;
  if (Number(request.headers['content-length'] ?? 0) > maxBody) throw tooLarge();
  const name = randomBytes(16).toString('hex');
  const begun: string[] = [];
  const newPath = (): string => {
    const path = join(folder, `${name}.${begun.length}.part`);
    begun.push(path);
    return path;
  };
  try {
    const options = { newPath, fieldNames, most: max, otherFiles, tooLarge, durable, limits };
    const upload = await receive(request, options);
    if (!upload.file && !fileIsOptional) throw missing('file');
    return await use(upload);
  } finally {
    await Promise.all(begun.map(removeLeft));
  }
}

/** Deletes an upload that nobody took. */
async function removeLeft(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') throw error;
  }
}

type ReceiveOptions = Required<
  Pick<UploadOptions, 'fieldNames' | 'otherFiles' | 'tooLarge' | 'durable' | 'limits'>
> & {
  /** Returns the path of the next file. */
  newPath: () => string;
  /** Bytes of a file. */
  most: number;
};

/** Parses a body: writes its files to separate paths and returns its fields. The first refusal ends it. */
function receive(
  request: IncomingMessage,
  { newPath, fieldNames, most, otherFiles, tooLarge, durable, limits }: ReceiveOptions,
): Promise<Upload> {
  const { promise, resolve, reject } = Promise.withResolvers<Upload>();
  const fields = new Map<string, string>();
  const known = ['file', ...(otherFiles > 0 ? ['files'] : []), ...fieldNames];
  let stored: Promise<UploadedFile> | undefined;
  const others: Promise<UploadedFile>[] = [];
  const parser = openParser(request, most, 1 + otherFiles);
  let refused = false;
  const refuse = (refusal: unknown): void => {
    if (refused) return;
    refused = true;
    request.unpipe(parser);
    parser.destroy();
    // The files' own writes must end before their paths are removed.
    void Promise.allSettled([stored, ...others]).then(() => reject(refusal));
  };

  parser.on('file', (name, stream) => {
    stream.on('error', () => {});
    if (name === 'files' && otherFiles > 0) {
      const number = others.length + 1;
      if (number > otherFiles) {
        stream.resume();
        refuse(tooManyFiles(otherFiles));
        return;
      }
      stream.on('limit', () => refuse(ofOther(tooLarge(), number)));
      const other = storeFile(stream, newPath(), durable);
      other.catch((error: unknown) => refuse(error));
      others.push(other);
      return;
    }
    if (name !== 'file' || stored !== undefined) {
      stream.resume();
      if (name !== 'file' && fieldNames.includes(name)) refuse(notText(name));
      else refuse(name === 'file' ? repeated(name) : unknownField(name, known));
      return;
    }
    stream.on('limit', () => refuse(tooLarge()));
    stored = storeFile(stream, newPath(), durable);
    stored.catch((error: unknown) => refuse(error));
  });
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (name === 'file' || (name === 'files' && otherFiles > 0)) refuse(fileIsText(name));
    else if (nameTruncated || !fieldNames.includes(name)) refuse(unknownField(name, known));
    else if (fields.has(name)) refuse(repeated(name));
    else fields.set(name, valueTruncated ? `${value}…` : value);
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => refuse(tooManyParts()));
  }
  parser.on('error', (error) => refuse(malformed(error)));
  parser.on('close', () => {
    if (refused) return;
    Promise.all([stored, Promise.all(others)]).then(
      ([file, further]) => resolve({ file: file ?? null, others: further, fields }),
      reject,
    );
  });
  // One photo's limit for each file begun so far, plus the overhead.
  const maxNow = (): number => most * (1 + others.length) + multipartOverhead;
  boundBody(request, maxNow, () => refuse(tooLarge()));
  watchUploadSpeed(request, limits, refuse);
  request.on('error', (error) => refuse(malformed(error)));
  request.on('close', () => {
    if (!request.complete) refuse(malformed(new Error('the connection ended within the body')));
  });
  request.pipe(parser);
  return promise;
}

/**
 * Uses busboy 1.6, though it is unmaintained: @fastify/busboy is maintained but forked from 0.3, where a
 * destroyed parser leaves its file's stream open forever and field names have no size limit.
 *
 * @throws {Refusal} 400 `multipart_malformed`
 */
function openParser({ headers }: IncomingMessage, fileSize: number, files: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      limits: {
        // One more than allowed, so that the refusal can name it.
        files: files + 1,
        fields: 16,
        parts: files + 19,
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

/**
 * Opens, writes, flushes and closes a small file directly. Each disk call switches to another thread, which
 * costs more than a photo's bytes, and a Node stream needs several times as many calls.
 *
 * @param durable Whether to flush the file to disk.
 */
async function storeFile(stream: Readable, path: string, durable: boolean): Promise<UploadedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head: Uint8Array = Buffer.alloc(0);
  let written = 0;
  const waiting: Buffer[] = [];
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      if (head.length < imageHeadBytes) head = Buffer.concat([head, chunk]).subarray(0, imageHeadBytes);
      waiting.push(chunk);
      if (bytes - written < gathered) continue;
      await file.writeFile(Buffer.concat(waiting.splice(0)));
      written = bytes;
    }
    await file.writeFile(Buffer.concat(waiting));
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
  return { path, sha256: hash.digest('hex'), bytes, head };
}

/**
 * Counts all bytes of a body, even without an announced length: the parser skips whatever precedes the first
 * part.
 */
function boundBody(request: IncomingMessage, max: () => number, onTooMuch: () => void): void {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= max()) return;
    request.off('data', count);
    onTooMuch();
  };
  request.on('data', count);
}

function tooManyFiles(max: number): Refusal {
  return new Refusal(400, 'too_many_files', t('refusal.too_many_files', { max }), {
    field: 'files',
    number: max + 1,
  });
}

function tooManyParts(): Refusal {
  return new Refusal(400, 'too_many_parts', t('refusal.too_many_parts'));
}

function malformed(cause: unknown): Refusal {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const refusal = new Refusal(400, 'multipart_malformed', t('refusal.multipart_malformed', { detail }));
  refusal.cause = cause;
  return refusal;
}

function imageTooLarge(bytes: number): Refusal {
  const max = bytes / mebibyte;
  return new Refusal(413, 'image_too_large', t('refusal.image_too_large', { max }), { field: 'file' });
}

function repeated(field: string): Refusal {
  return new Refusal(400, 'field_repeated', t('refusal.field_repeated', { field }), { field });
}

function notText(field: string): Refusal {
  return new Refusal(400, 'field_wrong_type', t('refusal.field_is_file', { field }), { field });
}

function fileIsText(field: string): Refusal {
  return new Refusal(400, 'field_wrong_type', t('refusal.field_is_text', { field }), { field });
}

function emptyFile(): Refusal {
  return new Refusal(400, 'image_empty', t('refusal.image_empty'), { field: 'file' });
}
