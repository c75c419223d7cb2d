import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { joinMessages, type Message, t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';

export interface UploadDestination {
  /** Folder for uploads that are not imported yet. Absolute. */
  folder: string;
  /** Assigns the id by which the page names a file. */
  register(file: { path: string; name: string; temporary: boolean }): string;
  /** A unique file name. */
  randomName(): string;
}

/** Maximum bytes of one file: a photo or a head, not a film. */
const largestUpload = 1024 * 1024 * 1024;

/** The result of an upload, for the page. */
export type UploadAnswer = { status: 200; id: string } | { status: 400 | 413 | 507; message: Message };

/**
 * Receives a file that was dropped on the page: under serve, main can't read it at its path. The page's name
 * for it (`a/b/photo.jpg`) is for display only and is never used as a path.
 */
export async function receiveUpload(
  request: IncomingMessage,
  name: string,
  destination: UploadDestination,
): Promise<UploadAnswer> {
  if (name === '' || name.length > 1024 || name.includes('\0'))
    return { status: 400, message: t('upload.no_name') };
  const path = join(destination.folder, destination.randomName());
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > largestUpload) done(new TooLarge());
      else done(null, chunk);
    },
  });
  try {
    await mkdir(destination.folder, { recursive: true, mode: 0o700 });
    await pipeline(request, limit, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { status: 200, id: destination.register({ path, name, temporary: true }) };
  } catch (error) {
    // If its folder can't be used, there is nothing to remove.
    await rm(path, { force: true }).catch(() => undefined);
    if (error instanceof TooLarge) return { status: 413, message: t('upload.too_large', { name }) };
    const code = fileErrorCode(error);
    if (code === 'ENOSPC') return { status: 507, message: t('upload.disk_full') };
    // The studio's own folder refuses writes: dropping the file again would not help.
    const failure = storageFailure(error, destination.folder);
    if (failure instanceof Failure)
      return { status: 507, message: joinMessages(failure.userMessage, failure.advice) };
    return {
      status: 400,
      message: t('upload.not_whole', { name, code: code ? 'in_brackets' : 'none', codeCode: code }),
    };
  }
}

class TooLarge extends Error {}
