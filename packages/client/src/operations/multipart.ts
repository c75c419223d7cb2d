import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { imageHeadBytes, imageKind, imageType } from '@likeness/node-kit/image_kind.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import { safeFileName } from './upload_name.ts';

/** A `multipart/form-data` body (RFC 7578) that can be sent more than once. */
export interface MultipartBody {
  contentType: string;
  /** Bytes of the whole body. */
  contentLength: number;
  /** Starts a new pass over the body. @throws Failure if the file can't be read or has changed */
  stream(): AsyncIterable<Uint8Array>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Bytes to read from disk at a time. */
const pieceBytes = 64 * 1024;

/**
 * A form with fields, one part named `file` and further ones named `files`. Files are streamed from disk; the
 * server learns neither their folder nor characters of their names that could break the form.
 *
 * @param fields Names and values in plain ASCII.
 * @throws Failure `not_found`, `invalid_input` (empty, a folder), `storage` (can't be read)
 */
export async function multipartWithFiles(
  file: UploadFile,
  others: readonly UploadFile[],
  fields: readonly (readonly [name: string, value: string])[],
): Promise<MultipartBody> {
  const sources: Source[] = [];
  const close = async (): Promise<void> => {
    for (const source of sources) await source.close();
  };
  try {
    for (const one of [file, ...others]) {
      sources.push('path' in one ? await openSource(one.path) : memorySource(one));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const boundary = `likeness-${randomUUID()}`;
  const part = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  // Fields first: a server that parses while receiving knows them before the file.
  const textFields = fields.map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`).join('');
  const parts = sources.map((source, index) => {
    const { mediaType, extension } = typeOf(source);
    const disposition = `name="${index === 0 ? 'file' : 'files'}"; filename="${safeFileName(source.name, extension)}"`;
    const lead = index === 0 ? textFields : '\r\n';
    const head = `${lead}${part(disposition)}Content-Type: ${mediaType}\r\n\r\n`;
    return { source, head: Buffer.from(head, 'latin1') };
  });
  const after = Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1');
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: parts.reduce(
      (sum, { source, head }) => sum + head.byteLength + source.size,
      after.byteLength,
    ),
    async *stream() {
      for (const { source, head } of parts) {
        yield head;
        yield* source.stream();
      }
      yield after;
    },
    close,
  };
}

function typeOf({ head }: Source): { mediaType: string; extension: string } {
  const kind = imageKind(head);
  return kind ? imageType(kind) : { mediaType: 'application/octet-stream', extension: '' };
}

interface Source {
  name: string;
  size: number;
  head: Buffer;
  stream(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

function memorySource({ bytes, name }: { bytes: Uint8Array; name: string }): Source {
  if (bytes.byteLength === 0) throw emptyFile(name);
  return {
    name,
    size: bytes.byteLength,
    head: Buffer.from(bytes.subarray(0, imageHeadBytes)),
    async *stream() {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
    close: () => Promise.resolve(),
  };
}

async function openSource(path: string): Promise<Source> {
  const name = basename(path);
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    throw unreadableFile(error, path);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      throw new Failure('invalid_input', t('upstream.not_a_file', { name }), {
        field: 'file',
        hint: t('upstream.choose_image'),
      });
    }
    if (stats.size === 0) throw emptyFile(name);
    const head = Buffer.alloc(Math.min(imageHeadBytes, stats.size));
    await handle.read(head, 0, head.byteLength, 0);
    return {
      name,
      size: stats.size,
      head,
      stream: () => piecesOf(handle, path, stats.size),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw unreadableFile(error, path);
  }
}

async function* piecesOf(handle: FileHandle, path: string, size: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  while (at < size) {
    // A new buffer each time: the socket may still use the last one.
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at));
    let bytesRead: number;
    try {
      ({ bytesRead } = await handle.read(piece, 0, piece.byteLength, at));
    } catch (error) {
      throw unreadableFile(error, path);
    }
    // The length was already sent, so a file that shrinks can't be sent.
    if (bytesRead === 0) {
      throw new Failure('storage', t('upstream.changed_while_sent', { file: basename(path) }), {
        hint: t('upstream.wait_for_writer'),
        retryable: true,
      });
    }
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

function emptyFile(name: string): Failure {
  return new Failure('invalid_input', t('upstream.file_empty', { file: basename(name) }), {
    field: 'file',
    hint: t('upstream.choose_image'),
  });
}

function unreadableFile(error: unknown, path: string): unknown {
  if (error instanceof Failure) return error;
  const name = basename(path);
  const code = fileErrorCode(error);
  if (code === 'ENOENT') {
    return new Failure('not_found', t('upstream.file_gone', { name }), {
      hint: t('upstream.moved_or_deleted'),
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new Failure('storage', t('upstream.may_not_open', { name }), {
      hint: t('upstream.give_read_access'),
      cause: error,
    });
  }
  return storageFailure(error, path);
}
