import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readInside } from '../../src/storage/inside_folder.ts';

it('reads a file that is replaced meanwhile, and still refuses a link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-inside-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'record.json');
  await writeFile(file, 'version');
  for (let at = 0; at < 300; at += 1) {
    await writeFile(join(folder, 'next'), 'version');
    const [read] = await Promise.all([readInside(folder, file, 100), rename(join(folder, 'next'), file)]);
    expect(read.toString()).toBe('version');
  }
  await rm(file);
  await symlink('/etc/hostname', file);
  await expect(readInside(folder, file, 100)).rejects.toMatchObject({ code: 'storage' });
});
