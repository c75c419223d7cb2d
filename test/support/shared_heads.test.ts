import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeOnce } from './made_once.ts';
import { sharedHead, sharedPhoto } from './shared_heads.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shared-heads-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('what tests share', () => {
  it('is made once, and again where its file is cut short or changed', async () => {
    let made = 0;
    const ask = () =>
      madeOnce(join(folder, 'entry'), async () => {
        made += 1;
        return Buffer.from('a head');
      });
    const both = await Promise.all([ask(), ask()]);
    expect(both.map(String)).toEqual(['a head', 'a head']);
    expect(String(await ask())).toBe('a head');
    expect(made).toBe(1);
    await truncate(join(folder, 'entry'), 35);
    expect(String(await ask())).toBe('a head');
    expect(made).toBe(2);
    const bytes = await readFile(join(folder, 'entry'));
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(join(folder, 'entry'), bytes);
    expect(String(await ask())).toBe('a head');
    expect(made).toBe(3);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is made by one of several processes', async () => {
    const script = `
      import { appendFileSync } from 'node:fs';
      import { madeOnce } from ${JSON.stringify(join(import.meta.dirname, 'made_once.ts'))};
      const data = await madeOnce(${JSON.stringify(join(folder, 'entry'))}, async () => {
        appendFileSync(${JSON.stringify(join(folder, 'made'))}, 'x');
        await new Promise((resolve) => setTimeout(resolve, 300));
        return Buffer.from('a head');
      });
      process.stdout.write(data);`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: join(import.meta.dirname, '../..'),
      });
    const answers = await Promise.all([run(), run(), run()]);
    expect(answers.map(({ stdout }) => stdout)).toEqual(['a head', 'a head', 'a head']);
    expect(await readFile(join(folder, 'made'), 'utf8')).toBe('x');
  });

  it('is a copy for each reader', async () => {
    const [photo, again] = [await sharedPhoto('female'), await sharedPhoto('female')];
    photo.fill(0);
    expect(again.subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'));
    const head = await sharedHead('female');
    head.surfaces[0]!.points.fill(0);
    expect((await sharedHead('female')).surfaces[0]!.points.some((value) => value !== 0)).toBe(true);
  });
});
