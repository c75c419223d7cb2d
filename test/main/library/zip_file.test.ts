import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZipFile } from '@likeness/gltf/formats/zip/zip_file.ts';
import { type ZipEntry, zipDirectory, zipEntry, zipSum } from '@likeness/gltf/formats/zip/zip_records.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readZip } from '../../support/read_zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const at = Date.UTC(2026, 1, 3, 4, 5, 6);

test('files come out as they went in, under their names, and only the owner may read them', async () => {
  const path = join(folder, 'few.zip');
  const zip = await ZipFile.create(path, at);
  const head = Buffer.alloc(3_000_000, 'head');
  await zip.add('Ada/Ada.glb', head);
  await zip.add('Ada/刘.json', Buffer.from('{}'));
  await zip.add('empty', Buffer.alloc(0));
  await zip.finish();
  const files = readZip(await readFile(path));
  expect([...files.keys()]).toEqual(['Ada/Ada.glb', 'Ada/刘.json', 'empty']);
  expect(files.get('Ada/Ada.glb')?.equals(head)).toBe(true);
  expect(files.get('Ada/刘.json')?.toString()).toBe('{}');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a file that is added piece by piece is as one that was there at once', async () => {
  const content = Buffer.from(Uint8Array.from({ length: 3_000_001 }, (_, index) => index * 7));
  await writeFile(join(folder, 'content'), content);
  const paths = [join(folder, 'at-once.zip'), join(folder, 'in-pieces.zip')] as const;
  const [atOnce, inPieces] = [await ZipFile.create(paths[0], at), await ZipFile.create(paths[1], at)];
  await atOnce.add('a', content);
  await inPieces.addFile('a', join(folder, 'content'));
  for (const zip of [atOnce, inPieces]) {
    await zip.add('b', Buffer.from('b'));
    await zip.finish();
  }
  expect((await readFile(paths[1])).equals(await readFile(paths[0]))).toBe(true);
});

test('more files than 16 bits can count are Zip64', () => {
  const entries: ZipEntry[] = [];
  const parts: Buffer[] = [];
  let offset = 0;
  for (let i = 0; i < 65_540; i++) {
    const data = Buffer.from(`${i}`);
    const entry = zipEntry({ name: `${i}`, ...zipSum(data), offset, at });
    entries.push(entry);
    parts.push(entry.local, data);
    offset += entry.local.length + data.length;
  }
  const files = readZip(Buffer.concat([...parts, zipDirectory(entries, offset)]));
  expect(files.size).toBe(65_540);
  expect(files.get('65539')?.toString()).toBe('65539');
});

test('a file beyond 4 GiB has its place in a field of 64 bits, and the directory too', () => {
  const offset = 5_000_000_000;
  const { central } = zipEntry({ name: 'late', ...zipSum(Buffer.from('x')), offset, at });
  expect(central.readUInt16LE(6)).toBe(45);
  expect(central.readUInt32LE(42)).toBe(0xffffffff);
  const field = central.subarray(46 + 4);
  expect([field.readUInt16LE(0), field.readUInt16LE(2), Number(field.readBigUInt64LE(4))]).toEqual([
    1,
    8,
    offset,
  ]);
  const end = zipDirectory([{ local: Buffer.alloc(0), central }], offset + 100);
  const zip64 = end.subarray(central.length);
  expect(zip64.readUInt32LE(0)).toBe(0x06064b50);
  expect(Number(zip64.readBigUInt64LE(48))).toBe(offset + 100);
  expect(Number(zip64.readBigUInt64LE(64))).toBe(offset + 100 + central.length);
  expect(end.readUInt32LE(end.length - 6)).toBe(0xffffffff);
  // One that lies before needs none of it.
  const near = zipEntry({ name: 'near', ...zipSum(Buffer.from('x')), offset: 1000, at }).central;
  expect([near.length, near.readUInt16LE(6), near.readUInt16LE(30)]).toEqual([46 + 4, 20, 0]);
});

test('an archive that is given up is closed, and one that is there is not written over', async () => {
  const path = join(folder, 'given-up.zip');
  const zip = await ZipFile.create(path, at);
  await zip.add('a', Buffer.from('a'));
  await zip.close().catch(() => undefined);
  await expect(ZipFile.create(path, at)).rejects.toMatchObject({ code: 'EEXIST' });
});
