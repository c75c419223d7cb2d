import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open as openFile, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { renameDurably } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { bytes } from '../explain/amounts.ts';

/** Opens the unfinished file; a test passes a full disk. */
export type OpenPart = (path: string, flags: 'w' | 'r+') => Promise<FileHandle>;

/** Readable by the owner only: it is a person's head. */
const openPrivate: OpenPart = (path, flags) => openFile(path, flags, 0o600);

/** The description of an unfinished file, stored beside it as `<target>.part.json`. */
interface Note {
  /** Origin and path of its source. Without the query: signatures change from link to link. */
  source: string;
  /** A strong ETag, or Last-Modified, for `If-Range`. */
  validator: string;
  /** Bytes of the whole file, if known. */
  total: number | null;
}

/**
 * A partial download: `<target>.part`. It gets the target's name only when it is complete and on disk. If the
 * server gives its version, it is kept and can be resumed in a later attempt or run.
 */
export class PartFile {
  readonly target: string;
  readonly #open: OpenPart;
  #note: Note | null = null;
  #size = 0;
  #hash: Hash = createHash('sha256');
  #head: Buffer = Buffer.alloc(0);
  #handle: FileHandle | undefined;

  private constructor(target: string, open: OpenPart) {
    this.target = target;
    this.#open = open;
  }

  /** Looks for a partial file of an earlier attempt from the same URL. */
  static async find(target: string, link: URL, open: OpenPart = openPrivate): Promise<PartFile> {
    const file = new PartFile(target, open);
    const note = await readNote(file.#notePath);
    if (note && note.source === sourceOf(link)) {
      file.#note = note;
      file.#size = await stat(file.#path).then(
        (stats) => stats.size,
        () => 0,
      );
    }
    return file;
  }

  get #path(): string {
    return `${this.target}.part`;
  }

  get #notePath(): string {
    return `${this.target}.part.json`;
  }

  /** Bytes received so far. */
  get size(): number {
    return this.#size;
  }

  /** The file's first bytes, at most 512. */
  get head(): Buffer {
    return this.#head;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Headers that request only the rest; none if there is nothing to resume. */
  get rangeHeaders(): string[] {
    return this.#note && this.#size > 0
      ? ['range', `bytes=${this.#size}-`, 'if-range', this.#note.validator]
      : [];
  }

  /** Whether a 206 answer continues exactly where this file ends. */
  continuesWith(headers: IncomingHttpHeaders): boolean {
    const range = contentRange(headers);
    const known = this.#note?.total ?? null;
    return (
      this.#note !== null &&
      this.#size > 0 &&
      range?.start === this.#size &&
      (range.total === null || known === null || range.total === known)
    );
  }

  /** Opens it to continue. @throws Failure `storage` */
  async resume(): Promise<void> {
    await this.#storing(async () => {
      this.#handle = await this.#open(this.#path, 'r+');
      await this.#handle.truncate(this.#size);
      const piece = Buffer.allocUnsafe(256 * 1024);
      for (let at = 0; at < this.#size; ) {
        const { bytesRead } = await this.#handle.read(piece, 0, piece.byteLength, at);
        if (bytesRead === 0)
          throw new Failure('storage', t('upstream.unfinished_unreadable'), { retryable: true });
        const read = piece.subarray(0, bytesRead);
        this.#take(read);
        at += bytesRead;
      }
    });
  }

  /** Opens it to start again. @throws Failure `storage` */
  async restart(link: URL, headers: IncomingHttpHeaders, total: number | null): Promise<void> {
    const validator = validatorOf(headers);
    await this.#storing(async () => {
      await rm(this.#notePath, { force: true });
      this.#handle = await this.#open(this.#path, 'w');
      this.#note = validator === null ? null : { source: sourceOf(link), validator, total };
      if (this.#note) await writeFile(this.#notePath, JSON.stringify(this.#note), { mode: 0o600 });
    });
    this.#size = 0;
    this.#hash = createHash('sha256');
    this.#head = Buffer.alloc(0);
  }

  /** @throws Failure `storage` */
  async append(chunk: Buffer): Promise<void> {
    const handle = this.#handle;
    if (!handle) throw new Error('not open');
    await this.#storing(async () => {
      for (let done = 0; done < chunk.byteLength; ) {
        const { bytesWritten } = await handle.write(chunk, done, chunk.byteLength - done, this.#size + done);
        done += bytesWritten;
      }
    });
    this.#size += chunk.byteLength;
    this.#take(chunk);
  }

  /** Flushes the file and renames it to its target. @throws Failure `storage` */
  async commit(): Promise<void> {
    await this.#storing(async () => {
      await this.#handle?.sync();
      await this.close();
      await renameDurably(this.#path, this.target);
      await rm(this.#notePath, { force: true });
    });
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Closes it; removes it if it could not be resumed. */
  async keepForNextTry(): Promise<void> {
    await this.close().catch(() => undefined);
    if (!this.#note || this.#size === 0) await this.remove();
  }

  async remove(): Promise<void> {
    await this.close().catch(() => undefined);
    this.#note = null;
    this.#size = 0;
    for (const path of [this.#path, this.#notePath]) await rm(path, { force: true }).catch(() => undefined);
  }

  /** @throws Failure `storage` if the disk has too little space for the rest */
  async checkSpace(needed: number): Promise<void> {
    // Some network disks don't report free space; then the write itself will fail.
    const disk = await statfs(dirname(this.target)).catch(() => null);
    const free =
      disk && disk.bsize > 0 && disk.blocks > 0 ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
    if (needed <= free) return;
    throw new Failure('storage', t('upstream.disk_too_full', { bytes: bytes(needed), free: bytes(free) }), {
      hint: t('upstream.free_library_disk'),
      retryable: true,
    });
  }

  #take(chunk: Buffer): void {
    this.#hash.update(chunk);
    if (this.#head.byteLength < 512) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, 512 - this.#head.byteLength)]);
    }
  }

  async #storing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw storageFailure(error, this.target);
    }
  }
}

function sourceOf(link: URL): string {
  return link.origin + link.pathname;
}

async function readNote(path: string): Promise<Note | null> {
  try {
    const { source, validator, total } = JSON.parse(await readFile(path, 'utf8')) as Partial<Note>;
    // Another program may have changed it on disk, and it is used in a header.
    const usable = typeof validator === 'string' && /^[\x20-\x7e]{1,256}$/.test(validator);
    if (typeof source !== 'string' || !usable) return null;
    return { source, validator, total: typeof total === 'number' ? total : null };
  } catch {
    return null;
  }
}

/** A reliable version of the file: a strong ETag, otherwise Last-Modified; null if there is none. */
function validatorOf(headers: IncomingHttpHeaders): string | null {
  const { etag } = headers;
  const modified = headers['last-modified'];
  const candidate = etag && /^"[^"]*"$/.test(etag) ? etag : etag === undefined ? modified : undefined;
  return candidate && /^[\x20-\x7e]{1,256}$/.test(candidate) ? candidate : null;
}

/** `bytes 100-199/200`, RFC 9110 14.4. */
export function contentRange(headers: IncomingHttpHeaders): { start: number; total: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'] ?? '').trim());
  return match ? { start: Number(match[1]), total: match[2] === '*' ? null : Number(match[2]) } : null;
}
