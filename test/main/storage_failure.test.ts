import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { translate } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere, namedFileFailure } from '@likeness/node-kit/storage/named_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { afterAll, expect, test } from 'vitest';
import { faultOfGlb } from '../../main/library/model/model_folder.ts';
import { receiveUpload } from '../../main/shell/browser/upload.ts';
import { readScriptFile } from '../../main/takes/script_file.ts';
import { readSoundFile } from '../../main/takes/sound/sound_file.ts';
import { spokenSounds } from '../../main/takes/spoken_sounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'likeness-failures-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const systemError = (code: string): Error => Object.assign(new Error(code), { code });
const sqliteError = (errcode: number): Error => Object.assign(new Error('sqlite'), { errcode });

/** What each error of the disk is told as, and what is known of no other one. */
const told: readonly [error: Error, message: RegExp][] = [
  [systemError('ENOSPC'), /^The disk is full/],
  [sqliteError(13), /^The disk is full/],
  [systemError('EDQUOT'), /quota/],
  [systemError('EFBIG'), /exceeds the maximum file size/],
  [systemError('EROFS'), /can't be written: it or its disk is read-only/],
  [sqliteError(8), /can't be written: it or its disk is read-only/],
  [systemError('EACCES'), /can’t be read or changed: this user has no permission/],
  [systemError('EPERM'), /can’t be read or changed: this user has no permission/],
  [systemError('EIO'), /could not read or write/],
  [systemError('EMFILE'), /too many files are open/],
  [systemError('ENOENT'), /does not exist/],
  [systemError('ENOTDIR'), /a file in place of a folder/],
  [systemError('EISDIR'), /is a folder, and a file is needed/],
  [systemError('EEXIST'), /already exists/],
  [systemError('ENOTEMPTY'), /already exists/],
];

test('an error of the disk is told as what it is, and of the file wherever that lies', () => {
  for (const [error, message] of told) {
    const failure = storageFailure(error, join(folder, 'head.glb'));
    expect(failure).toMatchObject({ code: 'storage', message: expect.stringMatching(message) });
    const { userMessage: said, advice } = failure as Failure;
    // It may be a photo of the person, a library on another disk, a file that is exported.
    for (const language of ['en', 'zh-CN'] as const)
      expect(`${translate(said, language)} ${translate(advice, language)}`, error.message).not.toMatch(
        /data folder|数据文件夹|LIKENESS_HOME|left as it is|保持原样/,
      );
    expect(translate(said, 'zh-CN').includes('磁盘已满'), error.message).toBe(/full/.test(message.source));
  }
});

const missing = join(folder, 'nowhere');
/** Not missing: the system doesn't even look for it. It stands for all that can't be reached. */
const unreachable = join(folder, 'x'.repeat(300));

test('what was named and can’t be reached is not told as missing', () => {
  writeFileSync(join(folder, 'file'), '');
  expect([isThere(folder), isThere(missing), isThere(join(folder, 'file', 'inner'))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(() => isThere(unreachable)).toThrow('is too long');
  expect(namedFileFailure(systemError('ENOENT'), missing)).toMatchObject({ code: 'not_found' });
  expect(namedFileFailure(systemError('EACCES'), missing)).toMatchObject({
    code: 'storage',
    hint: expect.not.stringContaining('Check the name'),
  });
});

test.each([
  ['a sound', (path: string) => readSoundFile(path)],
  ['a script', (path: string) => readScriptFile(path)],
  ['words', (path: string) => spokenSounds([join(folder, 'a.wav')], { path })],
])('%s is told as missing where it is, and as what it is otherwise', async (_what, read) => {
  await expect(read(missing)).rejects.toMatchObject({ code: 'not_found' });
  await expect(read(unreachable)).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('too long'),
  });
});

test('a head that can’t be opened now is neither damaged nor missing', async () => {
  const refused = (code: string) => faultOfGlb(Promise.reject(systemError(code)));
  expect(await refused('ENOENT')).toMatchObject({ kind: 'damaged' });
  for (const code of ['EMFILE', 'EACCES', 'EIO'])
    await expect(refused(code), code).rejects.toMatchObject({ code: 'storage' });
});

test('a file that the studio can’t take in is not to be dropped again', async () => {
  const place = { folder: join(folder, 'file', 'uploads'), register: () => '', randomName: () => 'x' };
  const answer = await receiveUpload({} as never, 'Ada.jpg', place);
  expect(answer).toMatchObject({ status: 507, message: { text: expect.stringContaining('uploads') } });
  expect(JSON.stringify(answer)).not.toMatch(/arrive completely|Drop it again/);
});

test('is the failure itself where it is one already', () => {
  const failure = new Failure('storage', 'Full.');
  expect(storageFailure(failure, folder)).toBe(failure);
});
