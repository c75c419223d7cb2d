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
  let isOver = false;
  const replaced = (async () => {
    for (; !isOver; ) {
      await writeFile(join(folder, 'next'), 'version');
      await rename(join(folder, 'next'), file);
    }
  })();
  for (let at = 0; at < 300; at += 1)
    expect((await readInside(folder, file, 100)).toString()).toBe('version');
  isOver = true;
  await replaced;
  await rm(file);
  await symlink('/etc/hostname', file);
  await expect(readInside(folder, file, 100)).rejects.toMatchObject({ code: 'storage' });
});
