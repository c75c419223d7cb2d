import { mkdirSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { BlobStore } from './blob_store.ts';
import { FolderStore } from './folder_store.ts';
import { S3Store } from './s3_store.ts';

/** Why a store's address can't be used. A separate class, because each caller words its own message. */
class StoreAddressError extends Error {
  override readonly name = 'StoreAddressError';
}

/**
 * Opens the store at an address: a folder, or `s3://bucket/prefix?endpoint=https://…&region=…`.
 *
 * @param isOwn The folder belongs to this machine alone, so it is created where it is missing.
 * @throws {StoreAddressError}
 */
export async function openStore(address: string, isOwn = false): Promise<BlobStore> {
  if (!address.startsWith('s3://')) {
    const folder = isAbsolute(address) ? address : resolve(address);
    if (isOwn) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new StoreAddressError(`There is no folder ${folder}. Create it, or mount its share.`);
    }
    return FolderStore.open(folder);
  }
  if (!URL.canParse(address)) throw new StoreAddressError(`${address} is not an address.`);
  const { hostname, pathname, searchParams, username, password } = new URL(address);
  if (username || password) {
    throw new StoreAddressError(
      'A store’s address can’t contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  const unknown = [...searchParams.keys()].find((key) => key !== 'endpoint' && key !== 'region');
  if (unknown) throw new StoreAddressError(`A store's address takes endpoint and region, not ${unknown}.`);
  return S3Store.open({
    bucket: hostname,
    prefix: pathname.replace(/^\/+|\/+$/g, ''),
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? undefined,
  });
}
