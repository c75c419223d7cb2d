import { fileErrorCode, sqliteCode } from '@likeness/node-kit/error_codes.ts';
import type { Text } from './http/language.ts';

/** The engine's folder can't be used now. Nothing in it was changed. */
export class UnusableFolder extends Error {
  override readonly name = 'UnusableFolder';
  readonly text: Text;

  /** @param path - The file or folder, absolute. */
  constructor(path: string, reason: Text, advice: Text, cause?: unknown) {
    const text = {
      en: `The engine can’t use ${path}: ${reason.en} Nothing in it was changed. ${advice.en}`,
      zh: `引擎无法使用 ${path}：${reason.zh}其中的内容没有改动。${advice.zh}`,
    };
    super(text.en, { cause });
    this.text = text;
  }
}

/** Reasons by the primary result code of SQLite (https://www.sqlite.org/rescode.html) or the system's error code. */
const faults: readonly { codes: readonly (string | number)[]; reason: Text; advice: Text }[] = [
  {
    // SQLITE_FULL
    codes: [13, 'ENOSPC'],
    reason: { en: 'the disk is full.', zh: '磁盘已满。' },
    advice: { en: 'Free some space, then start again.', zh: '请释放空间后重新启动。' },
  },
  {
    // SQLITE_READONLY, SQLITE_PERM
    codes: [8, 3, 'EACCES', 'EPERM', 'EROFS'],
    reason: {
      en: 'this user may not open or change it. It may belong to another user, or its disk is read-only.',
      zh: '当前用户无权打开或修改。它可能属于其他用户，或所在磁盘为只读。',
    },
    advice: { en: 'Give this user access, then start again.', zh: '请授予访问权限后重新启动。' },
  },
  {
    // SQLITE_CANTOPEN
    codes: [14],
    reason: {
      en: 'it can’t be opened: its folder is missing, or this user may not open it.',
      zh: '无法打开：其文件夹不存在，或当前用户无权打开。',
    },
    advice: {
      en: 'Check the folder and this user’s access to it, then start again.',
      zh: '请检查该文件夹及当前用户的访问权限，然后重新启动。',
    },
  },
  {
    codes: ['EDQUOT'],
    reason: { en: 'this user’s share of the disk (quota) is used up.', zh: '当前用户的磁盘配额已用完。' },
    advice: {
      en: 'Delete files of this user, or ask for a larger quota, then start again.',
      zh: '请删除当前用户的一些文件，或提高配额，然后重新启动。',
    },
  },
  {
    // SQLITE_BUSY, SQLITE_LOCKED
    codes: [5, 6, 'EBUSY'],
    reason: { en: 'another program is using it.', zh: '其他程序正在使用它。' },
    advice: { en: 'End that program, then start again.', zh: '请结束该程序后重新启动。' },
  },
  {
    // SQLITE_IOERR
    codes: [10, 'EIO'],
    reason: { en: 'the disk reported an error.', zh: '磁盘报告了错误。' },
    advice: {
      en: 'Start again; if the error remains, check the disk.',
      zh: '请重新启动；如果仍然出现，请检查磁盘。',
    },
  },
  {
    codes: ['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP'],
    reason: {
      en: 'its folder is missing, or a file has its name.',
      zh: '文件夹不存在，或其位置上有文件。',
    },
    advice: {
      en: 'Check that its disk is connected, then start again.',
      zh: '请检查磁盘是否已连接，然后重新启动。',
    },
  },
];

/** Explains an error of the file system or of SQLite; returns any other error unchanged. */
export function unusable(error: unknown, path: string): unknown {
  const code = sqliteCode(error) ?? fileErrorCode(error);
  if (error instanceof UnusableFolder || code === '') return error;
  const message = (error as Error).message.replace(/\.?$/, '.');
  const known = faults.find(({ codes }) => codes.includes(code));
  const { reason, advice } = known ?? {
    reason: { en: message, zh: message },
    advice: {
      en: 'Start again; if the error remains, check the disk.',
      zh: '请重新启动；如果仍然出现，请检查磁盘。',
    },
  };
  return new UnusableFolder(path, reason, advice, error);
}

/** Records of a later version may have meanings that this version doesn't know. */
export const newerRecords = (path: string, version: number, known: number): UnusableFolder =>
  new UnusableFolder(
    path,
    {
      en: `a newer version wrote it (schema ${version}; this version reads up to ${known}).`,
      zh: `它由更新的版本写入（架构 ${version}；此版本最高读取 ${known}）。`,
    },
    {
      en: 'Start the newer version, or restore a backup of the folder.',
      zh: '请启动更新的版本，或恢复该文件夹的备份。',
    },
  );
