import type { Readable } from 'node:stream';
import type { ByteRange } from '@likeness/node-kit/network/byte_range.ts';

/** A file of a store, as listed. */
export interface ListedBlob {
  name: string;
  /** Milliseconds since 1970 UTC. */
  writtenAt: number;
}

/**
 * Photos and heads, accessible from every machine. A file's name includes its hash, so a file is written once
 * and never changed; a second file of the same name has the same content.
 */
export interface BlobStore {
  /**
   * Resolves when the file is durable, or rejects and stores nothing. @returns false if it existed already
   */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
  /** The same for a local file, which stays. */
  putFile(name: string, path: string): Promise<boolean>;
  /** @throws {BlobGone} if there is no file of this name, {StoreUnreachable} */
  open(name: string, range?: Pick<ByteRange, 'first' | 'last'>): Promise<Readable>;
  /** Returns the whole file. @throws {BlobGone}, {StoreUnreachable} */
  load(name: string): Promise<Buffer>;
  /** Succeeds also if there is no such file. */
  remove(name: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Checks at little cost that the store is reachable. @throws {StoreUnreachable} */
  check(): Promise<void>;
  close(): void;
}

/**
 * There is no file of this name. `code` is the same as for missing local files, so that callers check only
 * one.
 */
export class BlobGone extends Error {
  override readonly name = 'BlobGone';
  readonly code = 'ENOENT';
}

/** The store did not answer, or answered wrongly. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';

  constructor(store: string, cause: unknown) {
    super(`${store} can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @throws {RangeError} for names that could leave the store */
export function checkBlobName(name: string): string {
  const isSafe = /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !/(^|\/)\.\.?(\/|$)/.test(name);
  if (!isSafe || name.length > 900) throw new RangeError(`not the name of a blob: ${name.slice(0, 100)}`);
  return name;
}
