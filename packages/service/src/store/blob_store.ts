import type { Readable } from 'node:stream';
import type { ByteRange } from '@likeness/node-kit/network/byte_range.ts';

/** A file of a store, as a listing tells of it. */
export interface ListedBlob {
  name: string;
  /** Milliseconds since 1970 UTC. */
  writtenAt: number;
}

/**
 * Photos and heads where every machine reaches them. A name says what is in the file (its hash is part of it), so a
 * file is written once and never changed; a second one of the same name is the same file.
 */
export interface BlobStore {
  /** Durable under its name when this resolves, or not there at all. @returns false where it was there before */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
  /** The same of a file on this machine, which stays. */
  putFile(name: string, path: string): Promise<boolean>;
  /** @throws {BlobGone} where there is none of this name, {StoreUnreachable} */
  open(name: string, range?: Pick<ByteRange, 'first' | 'last'>): Promise<Readable>;
  /** The whole file. @throws {BlobGone}, {StoreUnreachable} */
  load(name: string): Promise<Buffer>;
  /** Also where there is none. */
  remove(name: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Whether it can be reached, by a look that costs little. @throws {StoreUnreachable} */
  check(): Promise<void>;
  close(): void;
}

/** There is no file of this name. `code` is the system's for files, so that callers need know one word only. */
export class BlobGone extends Error {
  override readonly name = 'BlobGone';
  readonly code = 'ENOENT';
}

/** The store did not answer, or not with what was asked for. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';

  constructor(store: string, cause: unknown) {
    super(`${store} can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @throws {RangeError} for names that could lead elsewhere */
export function checkBlobName(name: string): string {
  const isSafe = /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !/(^|\/)\.\.?(\/|$)/.test(name);
  if (!isSafe || name.length > 900) throw new RangeError(`not the name of a blob: ${name.slice(0, 100)}`);
  return name;
}
