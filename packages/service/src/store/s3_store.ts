import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { BlobGone, type BlobStore, checkBlobName, type ListedBlob, StoreUnreachable } from './blob_store.ts';

type S3 = typeof import('@aws-sdk/client-s3');

export interface S3StoreOptions {
  bucket: string;
  /** Prefix of every name, without a trailing slash; may be empty. */
  prefix: string;
  /** Endpoint of a server other than Amazon's. */
  endpoint?: string | undefined;
  region?: string | undefined;
  /** Time limit for one answer, milliseconds. */
  timeout?: number;
}

/** Attempts in all. */
const attempts = 3;

/**
 * A bucket of any server that speaks S3. Credentials come from the official client's usual sources
 * (environment, files, the machine's role), never from the address.
 */
export class S3Store implements BlobStore {
  readonly #s3: S3;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  private constructor(s3: S3, { bucket, prefix, endpoint, region, timeout = 30_000 }: S3StoreOptions) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#client = new s3.S3Client({
      maxAttempts: attempts,
      requestHandler: {
        requestTimeout: timeout,
        throwOnRequestTimeout: true,
        socketTimeout: timeout,
        connectionTimeout: Math.min(timeout, 5000),
      },
      ...(region && { region }),
      // Servers other than Amazon's seldom have a host name for each bucket.
      ...(endpoint && { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    });
  }

  /** Loads the client on demand, because it is large. */
  static async open(options: S3StoreOptions): Promise<S3Store> {
    return new S3Store(await import('@aws-sdk/client-s3'), options);
  }

  async put(name: string, bytes: Uint8Array): Promise<boolean> {
    const { PutObjectCommand } = this.#s3;
    const command = new PutObjectCommand({
      ...this.#at(name),
      Body: bytes,
      ContentLength: bytes.length,
      // A server that doesn't support this writes the same bytes again.
      IfNoneMatch: '*',
    });
    try {
      await this.#client.send(command);
      return true;
    } catch (error) {
      if (statusOf(error) === 412) return false;
      // Two writes at once: the other one is writing the same content.
      if (statusOf(error) === 409) return this.#putAfter(name, bytes);
      throw this.#storeError(error, name);
    }
  }

  async putFile(name: string, path: string): Promise<boolean> {
    return this.put(name, await readFile(path));
  }

  async open(name: string, range?: { first: number; last: number }): Promise<Readable> {
    const { GetObjectCommand } = this.#s3;
    const Range = range && `bytes=${range.first}-${range.last}`;
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#at(name), Range }));
      return Body as Readable;
    } catch (error) {
      throw this.#storeError(error, name);
    }
  }

  async load(name: string): Promise<Buffer> {
    const stream = await this.open(name);
    try {
      return Buffer.concat(await stream.toArray());
    } catch (error) {
      throw this.#storeError(error, name);
    }
  }

  async remove(name: string): Promise<void> {
    const { DeleteObjectCommand } = this.#s3;
    try {
      await this.#client.send(new DeleteObjectCommand(this.#at(name)));
    } catch (error) {
      if (!isGone(error)) throw this.#storeError(error, name);
    }
  }

  async *list(prefix: string): AsyncIterable<ListedBlob> {
    const { paginateListObjectsV2 } = this.#s3;
    const { Bucket, Key: Prefix } = this.#at(prefix);
    try {
      for await (const { Contents } of paginateListObjectsV2(
        { client: this.#client },
        { Bucket, Prefix: `${Prefix}/` },
      )) {
        for (const { Key, LastModified } of Contents ?? []) {
          if (Key)
            yield { name: Key.slice(this.#prefix.length), writtenAt: LastModified?.getTime() ?? Date.now() };
        }
      }
    } catch (error) {
      throw this.#storeError(error, prefix);
    }
  }

  async check(): Promise<void> {
    const { ListObjectsV2Command } = this.#s3;
    try {
      const { Bucket, Key } = this.#at('nothing');
      await this.#client.send(new ListObjectsV2Command({ Bucket, Prefix: `${Key}/`, MaxKeys: 1 }));
    } catch (error) {
      throw new StoreUnreachable(`the bucket ${this.#bucket}`, error);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  async #putAfter(name: string, bytes: Uint8Array): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return this.put(name, bytes);
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + checkBlobName(name) };
  }

  #storeError(error: unknown, name: string): Error {
    if (error instanceof StoreUnreachable || error instanceof BlobGone) return error;
    return isGone(error)
      ? new BlobGone(`there is no ${name}`)
      : new StoreUnreachable(`the bucket ${this.#bucket}`, error);
  }
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } })?.$metadata?.httpStatusCode;

const isGone = (error: unknown): boolean =>
  (error as Error)?.name === 'NoSuchKey' ||
  ((error as Error)?.name === 'NotFound' && statusOf(error) === 404);
