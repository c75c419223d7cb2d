import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/service/engine_harness.ts';
import { startS3, type TestS3 } from '../../../../test/support/service/s3_server.ts';
import { BlobGone, type BlobStore, StoreUnreachable } from '../../src/store/blob_store.ts';
import { openStore } from '../../src/store/open_store.ts';
import { S3Store } from '../../src/store/s3_store.ts';

let place: ReturnType<typeof temporaryFolder>;
let s3: TestS3;
let store: BlobStore;
beforeEach(async () => {
  place = temporaryFolder();
  s3 = await startS3(join(place.path, 's3'));
});
afterEach(async () => {
  store?.close();
  await s3.close();
  place.remove();
});

const text = async (name: string, range?: { first: number; last: number }): Promise<string> =>
  Buffer.concat(await (await store.open(name, range)).toArray()).toString();

describe.each(['a folder', 'S3'])('a store in %s', (kind) => {
  beforeEach(async () => {
    mkdirSync(join(place.path, 'store'));
    store = await openStore(kind === 'S3' ? s3.address : join(place.path, 'store'));
  });

  it('writes a name once, whoever comes second', async () => {
    await Promise.all(['one', 'two', 'three'].map((bytes) => store.put('a/b', Buffer.from(bytes))));
    const first = await text('a/b');
    expect(await store.put('a/b', Buffer.from('four'))).toBe(false);
    expect(await text('a/b')).toBe(first);
  });

  it('reads whole files and ranges, lists and removes', async () => {
    await store.put('photos/0/x', Buffer.from('0123456789'));
    await store.put('photos/ann/y', Buffer.from('y'));
    await store.put('results/0/z', Buffer.from('z'));
    expect(await text('photos/0/x')).toBe('0123456789');
    expect(await text('photos/0/x', { first: 2, last: 4 })).toBe('234');
    expect((await store.load('photos/ann/y')).toString()).toBe('y');
    const listed = [];
    for await (const { name, writtenAt } of store.list('photos')) {
      listed.push(name);
      expect(Math.abs(Date.now() - writtenAt)).toBeLessThan(60_000);
    }
    expect(listed.sort()).toEqual(['photos/0/x', 'photos/ann/y']);
    await store.remove('photos/0/x');
    await store.remove('photos/0/x');
    await expect(store.open('photos/0/x')).rejects.toThrow(BlobGone);
    await expect(store.load('photos/0/x')).rejects.toThrow(BlobGone);
  });

  it('takes no name that leads elsewhere', async () => {
    for (const name of ['../x', 'a/../../x', '/x', 'a//b', 'a\\b', '', '.', 'a/..'])
      await expect(async () => store.put(name, Buffer.from('x'))).rejects.toThrow(RangeError);
  });

  it('says so when it has vanished, and goes on when it is back', async () => {
    await store.check();
    await store.put('a/b', Buffer.from('x'));
    if (kind === 'S3') await s3.vanish();
    else {
      renameSync(join(place.path, 'store'), join(place.path, 'elsewhere'));
      // What is left where a share was mounted.
      mkdirSync(join(place.path, 'store'));
    }
    await expect(store.load('a/b')).rejects.toThrow(StoreUnreachable);
    await expect(store.check()).rejects.toThrow(StoreUnreachable);
    await expect(store.put('a/c', Buffer.from('x'))).rejects.toThrow(StoreUnreachable);
    if (kind === 'S3') await s3.comeBack();
    else {
      rmSync(join(place.path, 'store'), { recursive: true });
      renameSync(join(place.path, 'elsewhere'), join(place.path, 'store'));
    }
    expect(await store.put('a/c', Buffer.from('x'))).toBe(true);
  });
});

describe('a store in a folder', () => {
  beforeEach(async () => {
    mkdirSync(join(place.path, 'store'));
    store = await openStore(join(place.path, 'store'));
  });

  it('says to one of several at once that it wrote', async () => {
    const wrote = await Promise.all(
      ['one', 'two', 'three'].map((bytes) => store.put('a/b', Buffer.from(bytes))),
    );
    expect(wrote.filter(Boolean)).toHaveLength(1);
  });

  it('goes on where a folder inside of it was taken away', async () => {
    await store.put('a/b', Buffer.from('one'));
    for (const name of ['a', '.unfinished']) rmSync(join(place.path, 'store', name), { recursive: true });
    expect(await store.put('a/c', Buffer.from('two'))).toBe(true);
    rmSync(join(place.path, 'store/a'), { recursive: true });
    expect(await store.put('a/d', Buffer.from('three'))).toBe(true);
    expect(await text('a/d')).toBe('three');
  });

  it('leaves nothing unfinished of a file that could not be written', async () => {
    await store.put('a/b', Buffer.from('x'));
    renameSync(join(place.path, 'store'), join(place.path, 'elsewhere'));
    mkdirSync(join(place.path, 'store'));
    await expect(store.put('a/c', Buffer.from('x'))).rejects.toThrow(StoreUnreachable);
    rmSync(join(place.path, 'store'), { recursive: true });
    renameSync(join(place.path, 'elsewhere'), join(place.path, 'store'));
    expect(await store.put('a/c', Buffer.from('x'))).toBe(true);
    expect(readdirSync(join(place.path, 'store/.unfinished'))).toEqual([]);
  });
});

it('a slow S3 is waited for, one that hangs is not', async () => {
  const endpoint = new URL(s3.address).searchParams.get('endpoint')!;
  store = await S3Store.open({ bucket: 'heads', prefix: 'slow', endpoint, timeout: 400 });
  s3.delay = 100;
  expect(await store.put('a', Buffer.from('x'))).toBe(true);
  expect(await text('a')).toBe('x');
  s3.delay = 20_000;
  await expect(store.open('a')).rejects.toThrow(StoreUnreachable);
});

it('an address that can’t be used is refused with what to do', async () => {
  for (const [address, words] of [
    [join(place.path, 'nowhere'), 'mount its share'],
    ['s3://key:secret@bucket', 'AWS_ACCESS_KEY_ID'],
    ['s3://bucket?bukket=1', 'bukket'],
  ] as const) {
    const refused = openStore(address);
    await expect(refused).rejects.toMatchObject({ name: 'StoreAddressError' });
    await expect(refused).rejects.toThrow(words);
  }
});
