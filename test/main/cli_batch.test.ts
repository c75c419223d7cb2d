/** `likeness batch` with the built-in engine, and `likeness library` with what it made. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandLine, type Ended, spawnCommand } from '../support/command_line.ts';
import { sharedPhoto } from '../support/shared_heads.ts';

/** Before a command makes the files of this process private. */
const personsMask = process.umask();
let home: string;
let photos: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-cli-batch-'));
  photos = await mkdtemp(join(tmpdir(), 'likeness-cli-photos-'));
  await writeFile(join(photos, 'nobody.png'), await sharedPhoto('female'));
  await writeFile(join(photos, 'notes.txt'), 'not a photo');
});
afterAll(async () => {
  await rm(home, { recursive: true });
  await rm(photos, { recursive: true });
});

const likeness = commandLine(() => ({ LIKENESS_HOME: home }));

describe('likeness batch', () => {
  it('asks for the sex before anything is sent', async () => {
    const { code, error } = await likeness('batch', photos);
    expect(code).toBe(2);
    expect(error).toContain('--sex');
  });

  it('does not take an empty folder for done', async () => {
    const empty = join(home, 'empty');
    await mkdir(empty);
    const { code, out } = await likeness('batch', empty, '--sex', 'male');
    expect(code).toBe(1);
    expect(out).toContain('No photo was found.');
  });

  it.skipIf(process.platform === 'win32').each([
    { more: [], advice: 'Repeat the same command to continue; nothing is sent twice.' },
    // The same command would order once more what is made by then.
    { more: ['--again'], advice: 'To continue, repeat the command without --again' },
  ])('ends in order when it is interrupted, and says how to go on: $more', async ({ more, advice }) => {
    const elsewhere = join(home, `interrupted${more.length}`);
    const { process, ended } = spawnCommand(['batch', photos, '--sex', 'female', ...more], {
      LIKENESS_HOME: elsewhere,
    });
    // The queue is open, and the engine that makes heads is not.
    const queue = join(elsewhere, 'batch', 'queue.lock');
    await vi.waitFor(() => expect(existsSync(queue)).toBe(true), { timeout: 30_000, interval: 5 });
    process.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 130,
      error: expect.stringMatching(new RegExp(`^Interrupted.*\\n${advice}`)),
    });
  });
});

describe('a batch that was made', () => {
  let made: Ended;
  let id: string;
  /** What `library list --json` tells. */
  let listed: { models: { id: string; createdAt: string }[] };
  /** The head, exported. */
  let target: string;

  beforeAll(async () => {
    made = await spawnCommand(['batch', photos, '--sex', 'female', '--json'], { LIKENESS_HOME: home }).ended;
    listed = JSON.parse((await likeness('library', 'list', '--json')).out);
    id = listed.models[0]?.id ?? '';
    target = join(home, 'exported.glb');
    expect(await likeness('library', 'export', id, '-o', target)).toMatchObject({ code: 0 });
  }, 120_000);

  it('has a head of each photo, says what was no photo, and repeats nothing', {
    timeout: 60_000,
  }, async () => {
    expect(made.code).toBe(0);
    const lines = made.out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(lines[0]).toMatchObject({ fileName: 'nobody.png', state: 'done' });
    expect(lines.at(-1)).toMatchObject({ done: 1, failed: 0, alreadyThere: 0 });
    const second = await likeness('batch', photos, '--sex', 'female', '--json');
    expect(JSON.parse(second.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      done: 0,
      alreadyThere: 1,
    });
  });

  it('is listed and found', async () => {
    expect(listed).toMatchObject({ total: 1, models: [{ name: 'nobody', sex: 'female', state: 'ok' }] });
    const found = JSON.parse((await likeness('library', 'search', 'nobo', '--json')).out);
    expect(found.total).toBe(1);
    // Words begin where words begin: nobody looks for men and finds women.
    expect((await likeness('library', 'search', 'male')).out).toContain('0 heads');
    expect((await likeness('library', 'search', 'sex:female', 'made:today')).out).toMatch(/\n1 head\n$/);
    const refused = await likeness('library', 'search', 'sxe:male');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.error).toContain('“sxe:male”: there is no such field');
    // Its times are told in words that other programs read.
    const iso = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
    expect(listed.models[0]?.createdAt).toMatch(iso);
    expect(JSON.parse((await likeness('library', 'show', id, '--json')).out).createdAt).toMatch(iso);
  });

  it('is exported by its id, a search, or with all, and over no file that is there', async () => {
    expect((await readFile(target)).subarray(0, 4).toString()).toBe('glTF');
    for (const which of [['--all'], ['--query', 'sex:female']]) {
      const found = join(home, 'found.glb');
      const exported = await likeness('library', 'export', ...which, '-o', found, '--json');
      expect(exported.code).toBe(0);
      expect(JSON.parse(exported.out)).toEqual({
        file: found,
        models: 1,
        bytes: expect.any(Number),
        problems: [],
      });
      expect(await readFile(found)).toEqual(await readFile(target));
    }
    const folder = `${join(home, 'heads')}/`;
    const toFolder = (): Promise<Ended> => {
      const name = ['--file-name', '{name} {sex}'];
      return likeness('library', 'export', '--all', '--format', 'gltf', ...name, '--out', folder);
    };
    expect(await toFolder()).toMatchObject({ code: 0, out: expect.stringContaining('nobody female') });
    expect(await readdir(join(folder, 'nobody female'))).toContain('nobody female.gltf');
    expect(await toFolder()).toMatchObject({ code: 1, out: expect.stringContaining('already exists') });
    const none = await likeness('library', 'export', '--query', 'sex:male', '-o', join(home, 'none.glb'));
    expect(none).toMatchObject({ code: 1, error: expect.stringContaining('No head was found') });
    const wrong = await likeness('library', 'export', '--query', 'sxe:male', '-o', join(home, 'none.glb'));
    expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('there is no such field') });
    expect((await likeness('library', 'export', id, '--all', '-o', join(home, 'none.glb'))).code).toBe(2);
    expect(await readdir(home)).not.toContain('none.glb');
  });

  it.skipIf(process.platform === 'win32')(
    'is for its owner only; a file that the person saves has the modes of any other of theirs',
    async () => {
      const kept = /\/(engine|batch|library|journal|keys|logs|temporary|takes|connections|settings)/;
      const own = (await readdir(home, { recursive: true, withFileTypes: true }))
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => kept.test(path));
      expect(own.length).toBeGreaterThan(20);
      const open = await Promise.all(own.map(async (path) => (await stat(path)).mode & 0o077 && path));
      expect(open.filter(Boolean)).toEqual([]);
      expect(((await stat(target)).mode & 0o777).toString(8)).toBe((0o666 & ~personsMask).toString(8));
    },
  );

  it('is intact, as is the journal, which names its order', async () => {
    expect(await likeness('library', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 problems'),
    });
    expect((await likeness('journal', 'verify')).out).toContain('Intact');
    expect((await likeness('journal', 'export')).out).toContain('generate_model');
  });
});
