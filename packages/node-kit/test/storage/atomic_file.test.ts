import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  commitFile,
  readFileIfThere,
  removeUnfinished,
  unfinishedPath,
  writeFileAtomically,
} from '../../src/storage/atomic_file.ts';

const atomicFile = resolve(import.meta.dirname, '../../src/storage/atomic_file.ts');

describe('an atomic file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'likeness-atomic-'));
    path = join(folder, 'settings.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A process of its own: `$module` is atomic_file.ts, `$path` the file. */
  const startChild = (script: string, limit = ''): ChildProcess => {
    const source = script
      .replaceAll('$module', JSON.stringify(`file://${atomicFile}`))
      .replaceAll('$path', JSON.stringify(path));
    return spawn('bash', ['-c', `${limit} exec "$0" --input-type=module -e "$1"`, process.execPath, source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const output = async (child: ChildProcess): Promise<string> => {
    let text = '';
    for await (const chunk of child.stdout ?? []) text += String(chunk);
    return text;
  };

  it('is replaced as a whole, for its owner only, and leaves nothing else behind', async () => {
    await writeFileAtomically(path, 'one');
    await writeFileAtomically(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['settings.json']);
    expect(await readFileIfThere(join(folder, 'none'))).toBeNull();
  });

  it('keeps the old content where the new one does not verify', async () => {
    await writeFileAtomically(path, 'one');
    const verify = (temporary: string): void => {
      expect(readFileSync(temporary, 'utf8')).toBe('two');
      throw new Error('does not read back');
    };
    await expect(writeFileAtomically(path, 'two', { verify })).rejects.toThrow('does not read back');
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('is the old or the new one, never a part, when the process is killed at any moment', async () => {
    const size = 3_000_000;
    await writeFileAtomically(path, 'a'.repeat(size));
    for (let round = 0; round < 5; round += 1) {
      const child = startChild(`
        const { writeFileAtomically } = await import($module);
        process.stdout.write('ready');
        for (let i = 0; ; i++) await writeFileAtomically($path, 'abcdefghij'[i % 10].repeat(${size}));
      `);
      await new Promise((ready) => child.stdout?.once('data', ready));
      await wait(7 + round * 13);
      child.kill('SIGKILL');
      await new Promise((gone) => child.once('exit', gone));
      const content = readFileSync(path, 'utf8');
      expect(content.length).toBe(size);
      expect(content === content.charAt(0).repeat(size)).toBe(true);
    }
    const left = readdirSync(folder).filter((name) => name !== 'settings.json');
    for (const name of left) utimesSync(join(folder, name), 1, 1);
    expect(await removeUnfinished(folder)).toBe(left.length);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('says that a file may not be as large, and keeps the old content', async () => {
    await writeFileAtomically(path, 'one');
    // By the system's limit on a file's size writing fails in the middle.
    const child = startChild(
      `
        process.on('SIGXFSZ', () => {});
        const { writeFileAtomically } = await import($module);
        await writeFileAtomically($path, 'x'.repeat(1e6)).catch((e) => console.log(e.code, e.retryable, e.message));
      `,
      'ulimit -f 64;',
    );
    expect(await output(child)).toContain(
      'storage false “settings.json” could not be written: it exceeds the maximum file size there.',
    );
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('says what is in the way', async () => {
    await expect(writeFileAtomically(join(path, 'inner'), 'x')).rejects.toThrow('does not exist');
    writeFileSync(path, 'a file');
    await expect(writeFileAtomically(join(path, 'inner'), 'x')).rejects.toMatchObject({ code: 'storage' });
  });

  it('can grow under an unfinished name first', async () => {
    const growing = unfinishedPath(path);
    writeFileSync(growing, 'downloaded');
    expect(await removeUnfinished(folder, statSync(growing).mtimeMs + 3_600_000)).toBe(0);
    await commitFile(growing, path);
    expect(readFileSync(path, 'utf8')).toBe('downloaded');
    await expect(commitFile(growing, path)).rejects.toMatchObject({ code: 'storage' });
  });
});
