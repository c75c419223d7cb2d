/** The built command line, in processes of its own, as a script would use it. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProfile } from '#contract';
import { Connections } from '../../main/connections/connections.ts';
import { KeyStore } from '../../main/connections/vault/key_store.ts';
import { openConfFile } from '../../main/connections/vault/secret_file.ts';
import { prepareDataFolder } from '../../main/storage/data_folder.ts';
import { type ScriptedService, startScriptedService } from '../fixtures/service/scripted_service.ts';
import { photographDefault } from './engine/portrait/synthetic_photo.ts';

const cli = join(import.meta.dirname, '../../out/main/cli.js');
let home: string;
let photos: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-cli-home-'));
  photos = await mkdtemp(join(tmpdir(), 'likeness-cli-photos-'));
  await writeFile(join(photos, 'nobody.png'), await photographDefault());
  await writeFile(join(photos, 'notes.txt'), 'not a photo');
});
afterAll(async () => {
  await rm(home, { recursive: true });
  await rm(photos, { recursive: true });
});

const likeness = (...args: string[]) => likenessIn({}, ...args);

function likenessIn(
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cli, ...args],
      { env: { ...process.env, LIKENESS_HOME: home, ...environment }, maxBuffer: 16 * 1024 * 1024 },
      (failure, out, error) =>
        resolve({ code: typeof failure?.code === 'number' ? failure.code : 0, out, error }),
    );
  });
}

describe('likeness', () => {
  it('speaks Chinese where the terminal does, and exits as it does in English', async () => {
    const chinese = { LC_ALL: '', LC_MESSAGES: '', LANGUAGE: '', LANG: 'zh_CN.UTF-8' };
    const { out, code } = await likenessIn(chinese, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^用法：/);
    expect(out).toContain('显示版本号');
    expect(out).not.toMatch(/\(default:|Options:|Commands:/);
    const gone = join(photos, 'gone');
    const refused = await likenessIn(chinese, 'batch', gone);
    expect(refused.error.trim()).toBe(`没有此文件夹或文件：${gone}。`);
    expect(refused.code).toBe((await likeness('batch', gone)).code);
  });

  it('names its version and its commands', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect((await likeness('--version')).out.trim()).toBe(version);
    const { out } = await likeness('--help');
    for (const command of ['head', 'batch', 'library', 'image', 'model', 'connections', 'journal', 'serve']) {
      expect(out).toContain(command);
    }
  });

  it('ends with one clear line for what it does not know: 2 for a command, 1 for a thing', async () => {
    const unknown = await likeness('juggle');
    expect(unknown.code).toBe(2);
    expect(unknown.error).toContain('juggle');
    const profile = await likeness('connections', 'test', 'Nowhere');
    expect(profile.code).toBe(1);
    expect(profile.error).toContain('Built-in engine');
  });

  it('verifies and exports an intact journal', async () => {
    expect(await likeness('journal', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Intact'),
    });
    expect((await likeness('journal', 'export', '--format', 'csv')).out).toContain('sequence');
  });
});

describe.skipIf(process.platform === 'win32')('what comes from outside', () => {
  const risky = [
    '\u001b]0;PWNED\u0007.jpg',
    '\u001b[2J\u001b[31mred.jpg',
    '\u009b31mc1.jpg',
    'holiday\u202egpj.exe.jpg',
    '\u2066isolated\u2069.jpg',
    'one\n✓ two.jpg',
    'back\rspace\b.jpg',
    'no\u200bwidth\ufeff.jpg',
  ];
  const seen = (text: string): string => text.replaceAll('\n', '');
  const unsafe = /[\p{Cc}\p{Cf}]/u;

  it('orders nothing from the terminal, and as JSON keeps its name', { timeout: 120_000 }, async () => {
    const folder = join(home, 'risky');
    await mkdir(folder);
    const png = await readFile(join(photos, 'nobody.png'));
    // One is a photo, so that it is looked at and listed; the others are told as left out.
    for (const [at, name] of risky.entries())
      await writeFile(join(folder, name), at === 0 ? png : 'no photo');
    const { out, error } = await likeness('batch', folder, '--sex', 'female', '--dry-run');
    expect(seen(out + error)).not.toMatch(unsafe);
    expect(out).toContain('\\u001b]0;PWNED\\u0007.jpg');
    expect(out).toContain('holiday\\u202egpj.exe.jpg');
    expect(out.split('\n').filter((line) => line.startsWith('✓ two'))).toEqual([]);

    const asJson = await likeness('batch', folder, '--sex', 'female', '--dry-run', '--json');
    expect(seen(asJson.out)).not.toMatch(unsafe);
    const { intake, photos: found } = JSON.parse(asJson.out.trim().split('\n').at(-1) ?? '');
    const names = [...intake.examples, ...found].map(({ fileName }: { fileName: string }) => fileName);
    expect(new Set(names)).toEqual(new Set(risky));

    const missing = await likeness('head', '\u001b]0;PWNED\u0007', '--sex', 'male');
    expect(missing).toMatchObject({ code: 1, error: expect.stringContaining('\\u001b]0;PWNED') });
    const unknown = await likeness('\u001b]0;PWNED\u0007');
    expect(seen(unknown.error)).not.toMatch(unsafe);
  });
});

it('likeness: a reader that closed its end early is no fault, and ends no command in the middle', async () => {
  const child = spawn(process.execPath, [cli, 'journal', 'verify'], {
    env: { ...process.env, LIKENESS_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let error = '';
  child.stderr.on('data', (text) => {
    error += text;
  });
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  expect(error).toBe('');
});

describe('likeness connections', () => {
  it('sends a key of the environment nowhere new before it is told to', { timeout: 60_000 }, async () => {
    const [one, two] = [await startScriptedService(), await startScriptedService()];
    const keyStore = await KeyStore.open({
      folder: join(home, 'keys'),
      openFile: openConfFile,
      system: null,
      clock: Date.now,
      know: () => undefined,
    });
    const connections = await Connections.open({
      database: prepareDataFolder(home).connectionsDatabase,
      keys: keyStore,
      builtIn: () => Promise.reject(new Error('not here')),
      clock: Date.now,
      randomId: () => 'cloud-1',
      environment: {},
      hasPage: true,
      know: () => undefined,
      warn: () => undefined,
      onChanged: () => undefined,
      onKeyStoreChanged: () => undefined,
    });
    const { id } = await connections.create({ ...newProfile, name: 'Cloud', groupBUrl: one.url });
    process.env.LIKENESS_CLOUD_API_KEY = one.apiKey;
    const has = ({ requests }: ScriptedService): boolean =>
      requests.some(({ headers }) => headers.auth_ak === one.apiKey);
    try {
      await likeness('connections', 'test', 'Cloud');
      expect(has(one)).toBe(true);
      await connections.update(id, { groupBUrl: two.url });
      const withheld = await likeness('connections', 'test', 'Cloud');
      expect(withheld.out).toContain(`LIKENESS_CLOUD_API_KEY was entered for ${one.url}`);
      expect(withheld.out).toContain('likeness connections bind "Cloud"');
      expect(withheld.out).toContain('LIKENESS_CLOUD_URL');
      expect((await likeness('connections', 'list')).out).toContain('a key is not sent to this server');
      const unasked = await likeness('connections', 'bind', 'Cloud');
      expect([unasked.code, unasked.error]).toEqual([4, expect.stringContaining('needs a terminal')]);
      await likeness('connections', 'test', 'Cloud');
      expect(has(two)).toBe(false);
      const bound = await likeness('connections', 'bind', 'Cloud', '--yes');
      expect([bound.code, bound.out]).toEqual([
        0,
        expect.stringContaining(`LIKENESS_CLOUD_API_KEY → ${two.url}`),
      ]);
      await likeness('connections', 'test', 'Cloud');
      expect(has(two)).toBe(true);
    } finally {
      delete process.env.LIKENESS_CLOUD_API_KEY;
      connections.close();
      await Promise.all([one.close(), two.close()]);
    }
  });
});

describe('likeness head', () => {
  it('makes a head of a photo, and the same bytes each time', { timeout: 120_000 }, async () => {
    const target = join(home, 'nobody.glb');
    const first = await likeness(
      'head',
      join(photos, 'nobody.png'),
      '--sex',
      'female',
      '-o',
      target,
      '--json',
    );
    expect(first).toMatchObject({ code: 0 });
    const { sha256, bytes } = JSON.parse(first.out);
    const glb = await readFile(target);
    expect(glb.subarray(0, 4).toString()).toBe('glTF');
    expect(glb.length).toBe(bytes);
    const second = await likeness(
      'head',
      join(photos, 'nobody.png'),
      '--sex',
      'female',
      '-o',
      target,
      '--json',
    );
    expect(JSON.parse(second.out).sha256).toBe(sha256);
  });

  it('takes corrections of the outline from a file', { timeout: 120_000 }, async () => {
    const corrections = join(home, 'corrections.json');
    const head = async (text: string) => {
      await writeFile(corrections, text);
      const options = ['--sex', 'female', '-o', join(home, 'corrected.glb'), '--json'];
      return likeness('head', join(photos, 'nobody.png'), ...options, '--corrections', corrections);
    };
    const plain = JSON.parse((await head('{}')).out).sha256;
    expect(JSON.parse((await head('{"crown": 0.1}')).out).sha256).not.toBe(plain);
    expect(await head('{"crown": "high"}')).toMatchObject({
      code: 2,
      error: expect.stringContaining('holds no corrections'),
    });
  });

  it('takes choices of a head from a file', { timeout: 120_000 }, async () => {
    const choices = join(home, 'choices.json');
    const head = async (text: string) => {
      await writeFile(choices, text);
      const options = ['--sex', 'female', '-o', join(home, 'chosen.glb'), '--json'];
      return likeness('head', join(photos, 'nobody.png'), ...options, '--options', choices);
    };
    const plain = JSON.parse((await head('{"smile": 0}')).out).sha256;
    expect(JSON.parse((await head('{"head": 1.1}')).out).sha256).not.toBe(plain);
    expect(await head('{"head": 3}')).toMatchObject({
      code: 2,
      error: expect.stringContaining('holds no choices of a head (head: '),
    });
  });

  it('says what is wrong with a file that is no photo, and writes nothing', async () => {
    const target = join(home, 'nothing.glb');
    const { code, error } = await likeness('head', join(photos, 'notes.txt'), '--sex', 'male', '-o', target);
    expect(code).toBe(1);
    expect(error).toMatch(/not a picture/);
    expect(await readdir(home)).not.toContain('nothing.glb');
  });
});

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

  it.skipIf(process.platform === 'win32')(
    'ends in order when it is interrupted, and says how to go on',
    async () => {
      const elsewhere = join(home, 'interrupted');
      const ended = new Promise<{ code: unknown; error: string }>((resolve) => {
        const environment = { ...process.env, LIKENESS_HOME: elsewhere };
        const child = execFile(
          process.execPath,
          [cli, 'batch', photos, '--sex', 'female'],
          { env: environment },
          (failure, _, error) => resolve({ code: failure?.code ?? failure?.signal ?? 0, error }),
        );
        // The queue is open, and the engine that makes heads is not.
        const watch = setInterval(() => {
          if (!existsSync(join(elsewhere, 'batch', 'queue.lock'))) return;
          clearInterval(watch);
          child.kill('SIGINT');
        }, 5);
      });
      expect(await ended).toEqual({
        code: 130,
        error: expect.stringMatching(/^Interrupted.*\nRepeat the same command/),
      });
    },
  );

  it('makes a head of each photo, says what was no photo, and repeats nothing', {
    timeout: 180_000,
  }, async () => {
    const first = await likeness('batch', photos, '--sex', 'female', '--json');
    expect(first.code).toBe(0);
    const lines = first.out
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

    const listed = JSON.parse((await likeness('library', 'list', '--json')).out);
    expect(listed).toMatchObject({ total: 1, models: [{ name: 'nobody', sex: 'female', state: 'ok' }] });
    const found = JSON.parse((await likeness('library', 'search', 'nobo', '--json')).out);
    expect(found.total).toBe(1);
    // Words begin where words begin: nobody looks for men and finds women.
    expect((await likeness('library', 'search', 'male')).out).toContain('0 heads');
    expect((await likeness('library', 'search', 'sex:female', 'made:today')).out).toContain('1 head');
    const refused = await likeness('library', 'search', 'sxe:male');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.error).toContain('“sxe:male”: there is no such field');
    const [{ id }] = listed.models;
    const target = join(home, 'exported.glb');
    expect(await likeness('library', 'export', id, '-o', target)).toMatchObject({ code: 0 });
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
    const written = await likeness(
      'library',
      'export',
      '--all',
      '--format',
      'gltf',
      '--file-name',
      '{name} {sex}',
      '--out',
      folder,
    );
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining('nobody female') });
    expect(await readdir(join(folder, 'nobody female'))).toContain('nobody female.gltf');
    const again = await likeness(
      'library',
      'export',
      '--all',
      '--format',
      'gltf',
      '--file-name',
      '{name} {sex}',
      '--out',
      folder,
    );
    expect(again).toMatchObject({ code: 1, out: expect.stringContaining('is there already') });
    const none = await likeness('library', 'export', '--query', 'sex:male', '-o', join(home, 'none.glb'));
    expect(none).toMatchObject({ code: 1, error: expect.stringContaining('No head was found') });
    const wrong = await likeness('library', 'export', '--query', 'sxe:male', '-o', join(home, 'none.glb'));
    expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('there is no such field') });
    expect((await likeness('library', 'export', id, '--all', '-o', join(home, 'none.glb'))).code).toBe(2);
    expect(await readdir(home)).not.toContain('none.glb');
    // A head that has been made: its times are told in words that other programs read.
    const iso = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
    expect(listed.models[0].createdAt).toMatch(iso);
    expect(JSON.parse((await likeness('library', 'show', id, '--json')).out).createdAt).toMatch(iso);
    if (process.platform !== 'win32') {
      // What the studio keeps is for its owner only; what the person saves has the modes of any file of
      // theirs.
      const open: string[] = [];
      for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const own = /\/(engine|batch|library|journal|keys|logs|temporary|takes|connections|settings)/.test(
          path,
        );
        if (own && ((await stat(path)).mode & 0o077) !== 0) open.push(path);
      }
      expect(open).toEqual([]);
      expect(((await stat(target)).mode & 0o777).toString(8)).toBe((0o666 & ~process.umask()).toString(8));
    }
    expect(await likeness('library', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 problems'),
    });
    expect((await likeness('journal', 'verify')).out).toContain('Intact');
    expect((await likeness('journal', 'export')).out).toContain('generate_model');
  });
});
