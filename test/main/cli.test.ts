/** The built command line, as a script would use it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProfile } from '#contract';
import { Connections } from '../../main/connections/connections.ts';
import { KeyStore } from '../../main/connections/vault/key_store.ts';
import { openConfFile } from '../../main/connections/vault/secret_file.ts';
import { type ScriptedService, startScriptedService } from '../fixtures/service/scripted_service.ts';
import { commandLine, spawnCommand } from '../support/command_line.ts';
import { sharedPhoto } from '../support/shared_heads.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-cli-home-'));
});
afterAll(() => rm(home, { recursive: true }));

const likeness = commandLine(() => ({ LIKENESS_HOME: home }));

describe('likeness', () => {
  it('speaks Chinese where the terminal does, and exits as it does in English', async () => {
    const chinese = commandLine(() => ({ LIKENESS_HOME: home, LANG: 'zh_CN.UTF-8' }));
    const { out, code } = await chinese('--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^用法：/);
    expect(out).toContain('显示版本号');
    expect(out).not.toMatch(/\(default:|Options:|Commands:/);
    const gone = join(home, 'gone');
    const refused = await chinese('batch', gone);
    expect(refused.error.trim()).toBe(`没有此文件夹或文件：${gone}。`);
    expect(refused.code).toBe((await likeness('batch', gone)).code);
  });

  it('names its version and its commands', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(await spawnCommand(['--version'], {}).ended).toEqual({ code: 0, out: `${version}\n`, error: '' });
    const { out } = await likeness('--help');
    for (const command of ['head', 'batch', 'library', 'image', 'model', 'connections', 'journal', 'serve']) {
      expect(out).toContain(command);
    }
  });

  it('ends with one clear line for what it does not know: 2 for a command, 1 for a thing', async () => {
    const unknown = await spawnCommand(['juggle'], {}).ended;
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
    const png = await sharedPhoto('female');
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
  const { process, ended } = spawnCommand(['journal', 'verify'], { LIKENESS_HOME: home });
  process.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, error: '' });
});

describe('likeness connections', () => {
  it('sends a key of the environment nowhere new before it is told to', async () => {
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
    const withKey = commandLine(() => ({ LIKENESS_HOME: home, LIKENESS_CLOUD_API_KEY: one.apiKey }));
    const has = ({ requests }: ScriptedService): boolean =>
      requests.some(({ headers }) => headers.auth_ak === one.apiKey);
    try {
      await withKey('connections', 'test', 'Cloud');
      expect(has(one)).toBe(true);
      await connections.update(id, { groupBUrl: two.url });
      const withheld = await withKey('connections', 'test', 'Cloud');
      expect(withheld.out).toContain(`LIKENESS_CLOUD_API_KEY was entered for ${one.url}`);
      expect(withheld.out).toContain('likeness connections bind "Cloud"');
      expect(withheld.out).toContain('LIKENESS_CLOUD_URL');
      expect((await withKey('connections', 'list')).out).toContain('a key is not sent to this server');
      const unasked = await withKey('connections', 'bind', 'Cloud');
      expect([unasked.code, unasked.error]).toEqual([4, expect.stringContaining('needs a terminal')]);
      await withKey('connections', 'test', 'Cloud');
      expect(has(two)).toBe(false);
      const bound = await withKey('connections', 'bind', 'Cloud', '--yes');
      expect([bound.code, bound.out]).toEqual([
        0,
        expect.stringContaining(`LIKENESS_CLOUD_API_KEY → ${two.url}`),
      ]);
      await withKey('connections', 'test', 'Cloud');
      expect(has(two)).toBe(true);
    } finally {
      connections.close();
      await Promise.all([one.close(), two.close()]);
    }
  });
});
