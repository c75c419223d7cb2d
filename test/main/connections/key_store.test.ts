import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish, translate } from '@likeness/messages';
import { commitFile, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import Conf from 'conf';
import ElectronStore from 'electron-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyStoreState } from '#contract';
import type { SystemKeyStore } from '../../../main/base/system_key_store.ts';
import { KeyStore, type KeyStoreOptions } from '../../../main/connections/vault/key_store.ts';
import { defaultScryptCost } from '../../../main/connections/vault/keyring.ts';
import {
  type OpenSecretFile,
  openConfFile,
  secretFileOptions,
} from '../../../main/connections/vault/secret_file.ts';
import type { KeyDisk } from '../../../main/connections/vault/vault_files.ts';

const planted = 'planted-secret-0123456789';
const passphrase = 'correct horse battery';
const openElectronFile: OpenSecretFile = (options) => new ElectronStore<Record<string, unknown>>(options);

/** A system's key store as `safeStorage` offers it: bytes that only the same store gives back. */
function system(backend = 'gnome_libsecret', password = 7): SystemKeyStore & { asked: number } {
  return {
    asked: 0,
    backend: async () => backend,
    encrypt: async (plain) => Buffer.from(plain).map((byte) => byte ^ password),
    async decrypt(sealed) {
      this.asked += 1;
      return Buffer.from(sealed.map((byte) => byte ^ password)).toString('utf8');
    },
  };
}

describe('the key store', () => {
  let folder: string;
  let known: string[];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'likeness-keys-')), 'keys');
    known = [];
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  const openStore = (options: Partial<KeyStoreOptions> = {}): Promise<KeyStore> =>
    KeyStore.open({
      folder,
      openFile: openConfFile,
      system: system(),
      clock: () => Date.UTC(2026, 10, 3, 10, 11, 12),
      know: (secret) => known.push(secret),
      // The real cost takes 0.3 s a try; one test below uses it.
      scryptCost: { N: 2 ** 10, r: 8, p: 1 },
      ...options,
    });
  const secret = (value = planted) => ({ value, origin: 'https://api.example.com' });
  const files = (): string[] => readdirSync(folder).filter((name) => !name.startsWith('keys.lock'));
  const keysFile = (): string =>
    join(folder, files().find((name) => /^keys-[0-9a-f]{16}\.json$/.test(name)) ?? 'none');
  const allBytes = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n');

  it('keeps a key behind the system’s store, encrypted, for its owner only', async () => {
    const store = await openStore();
    expect(await store.state()).toEqual({
      protection: 'system',
      backend: 'gnome_libsecret',
      locked: false,
      needsChoice: false,
      damaged: [],
    });
    await store.set('p1', 'apiKey', secret());
    expect(await store.get('p1', 'apiKey')).toEqual(secret());
    expect(await store.get('p1', 'accessToken')).toBeUndefined();
    expect(known).toContain(planted);

    const again = await openStore();
    expect(await again.get('p1', 'apiKey')).toEqual(secret());
    expect(KeyStoreState.parse(await again.state())).toEqual(await store.state());
    expect(files()).toHaveLength(2);
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(allBytes()).not.toMatch(/planted|api\.example|"p1"|apiKey/);
    expect(allBytes()).not.toContain(Buffer.from(planted).toString('base64'));
  });

  it('is the same file to electron-store and to conf, and neither takes an altered one', async () => {
    await (await openStore({ openFile: openElectronFile })).set('p1', 'apiKey', secret());
    const store = await openStore({ openFile: openConfFile });
    expect(await store.get('p1', 'apiKey')).toEqual(secret());
    await store.set('p2', 'accessToken', secret('another-planted-1'));
    expect(await (await openStore({ openFile: openElectronFile })).get('p2', 'accessToken')).toBeDefined();

    const key = Buffer.alloc(32, 1);
    const options = secretFileOptions(folder, 'keys-00', key);
    openElectronFile(options).store = { a: 1 };
    expect(openConfFile(options).store).toEqual({ a: 1 });
    const path = join(folder, 'keys-00.json');
    const bytes = readFileSync(path);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    for (const open of [openElectronFile, openConfFile]) expect(() => open(options).store).toThrow(/decrypt/);
    // What the default cipher would have done: taken a plain file for a good one.
    writeFileSync(path, '{"a":"plain"}');
    for (const open of [openElectronFile, openConfFile]) expect(() => open(options).store).toThrow(/decrypt/);
    expect(new Conf({ cwd: folder, configName: 'keys-00', encryptionKey: key }).store).toEqual({
      a: 'plain',
    });
  });

  it('is opened by the desktop with the system and by serve with the passphrase, both writing', async () => {
    const desktop = await openStore({ openFile: openElectronFile });
    await desktop.set('p1', 'apiKey', secret());
    const noSystem = { system: null };
    const stranger = await openStore(noSystem);
    expect(await stranger.state()).toMatchObject({
      protection: 'system',
      backend: 'gnome_libsecret',
      locked: true,
      needsChoice: false,
    });
    await expect(stranger.get('p1', 'apiKey')).rejects.toMatchObject({ code: 'locked' });
    await expect(stranger.unlock('whatever it is')).rejects.toMatchObject({ code: 'locked' });
    await expect(stranger.set('p1', 'apiKey', secret('overwrites-nothing'))).rejects.toMatchObject({
      code: 'locked',
    });
    await expect(stranger.protectWithPassphrase(passphrase)).rejects.toMatchObject({ code: 'locked' });

    expect(await desktop.protectWithPassphrase(passphrase)).toMatchObject({ protection: 'system' });
    const serve = await openStore(noSystem);
    expect(await serve.state()).toMatchObject({ protection: 'passphrase', locked: true });
    await expect(serve.unlock('wrong passphrase')).rejects.toMatchObject({
      code: 'locked',
      message: 'This passphrase does not unlock the keys.',
    });
    expect(await serve.unlock(passphrase)).toMatchObject({ protection: 'passphrase', locked: false });
    expect(await serve.get('p1', 'apiKey')).toEqual(secret());
    await serve.set('p1', 'accessToken', secret('set-by-serve-1'));
    expect((await desktop.get('p1', 'accessToken'))?.value).toBe('set-by-serve-1');

    // Serve changes the passphrase and must leave the desktop's own way in alone.
    await serve.protectWithPassphrase('another passphrase');
    expect((await (await openStore()).get('p1', 'apiKey'))?.value).toBe(planted);
    const late = await openStore(noSystem);
    await expect(late.unlock(passphrase)).rejects.toMatchObject({ code: 'locked' });
    await late.unlock('another passphrase');
    expect((await late.get('p1', 'apiKey'))?.value).toBe(planted);
  });

  it('lets the system open what a passphrase made, once it was unlocked there', async () => {
    const serve = await openStore({ system: null });
    await serve.protectWithPassphrase(passphrase);
    await serve.set('p1', 'apiKey', secret());
    const desktop = await openStore();
    expect(await desktop.state()).toMatchObject({ protection: 'passphrase', locked: true });
    expect(await desktop.unlock(passphrase)).toMatchObject({ protection: 'system', locked: false });
    expect(await (await openStore()).get('p1', 'apiKey')).toEqual(secret());
    // Another system's store (kwallet instead of libsecret) can't open it, and says so.
    const elsewhere = await openStore({ system: system('kwallet6', 9) });
    expect(await elsewhere.state()).toMatchObject({ locked: true, backend: 'kwallet6' });
    await elsewhere.unlock(passphrase);
    expect(await (await openStore({ system: system('kwallet6', 9) })).get('p1', 'apiKey')).toEqual(secret());
    expect(await (await openStore()).get('p1', 'apiKey')).toEqual(secret());
  });

  it('makes a new data key with a new passphrase, so that an old copy of the keyring opens nothing', async () => {
    const store = await openStore({ system: null });
    await store.protectWithPassphrase(passphrase);
    await store.set('p1', 'apiKey', secret());
    const oldKeyring = readFileSync(join(folder, 'keyring.json'));
    const oldKeys = keysFile();
    await store.protectWithPassphrase('a newer passphrase');
    expect(keysFile()).not.toBe(oldKeys);
    expect(existsSync(oldKeys)).toBe(false);
    writeFileSync(join(folder, 'keyring.json'), oldKeyring);
    const thief = await openStore({ system: null });
    await thief.unlock(passphrase);
    expect(await thief.get('p1', 'apiKey')).toBeUndefined();
  });

  it('with the real cost of scrypt takes a passphrase in any composition', async () => {
    const store = await openStore({ system: null, scryptCost: defaultScryptCost });
    await store.protectWithPassphrase('Zoe\u0308 und die K\u00e4tzchen');
    await store.set('p1', 'apiKey', secret());
    expect(JSON.parse(readFileSync(join(folder, 'keyring.json'), 'utf8')).wraps[0]).toMatchObject({
      method: 'scrypt',
      N: 131_072,
      r: 8,
      p: 1,
    });
    const again = await openStore({ system: null });
    await again.unlock('Zo\u00eb und die Ka\u0308tzchen');
    expect(await again.get('p1', 'apiKey')).toEqual(secret());
  });

  describe('without protection by the system', () => {
    for (const [what, options] of [
      ['basic_text', { system: system('basic_text') }],
      ['no store at all', { system: null }],
      ['a store nobody knows', { system: system('unknown') }],
    ] as const) {
      it(`(${what}) keeps nothing until the person chooses`, async () => {
        const store = await openStore(options);
        expect(await store.state()).toMatchObject({ protection: 'none', needsChoice: true, locked: false });
        await expect(store.set('p1', 'apiKey', secret())).rejects.toMatchObject({
          code: 'locked',
          hint: expect.stringContaining('passphrase'),
        });
        expect(files()).toEqual([]);
        expect(await store.get('p1', 'apiKey')).toBeUndefined();
      });
    }

    it('keeps keys for this run only, and writes none', async () => {
      const store = await openStore({ system: system('basic_text') });
      expect(await store.keepForThisRun()).toMatchObject({ protection: 'this-run-only', needsChoice: false });
      await store.set('p1', 'apiKey', secret());
      expect(await store.get('p1', 'apiKey')).toEqual(secret());
      expect(files()).toEqual([]);
      expect(await (await openStore({ system: system('basic_text') })).get('p1', 'apiKey')).toBeUndefined();
      await store.set('p1', 'accessToken', secret('to-be-cleared-1'));
      await store.clear('p1', 'accessToken');
      expect(await store.get('p1', 'accessToken')).toBeUndefined();
    });

    it('takes the keys of this run along when a passphrase is chosen after all', async () => {
      const store = await openStore({ system: system('basic_text') });
      await store.keepForThisRun();
      await store.set('p1', 'apiKey', secret());
      expect(await store.protectWithPassphrase(passphrase)).toMatchObject({
        protection: 'passphrase',
        backend: 'basic_text',
        needsChoice: false,
      });
      expect(readFileSync(join(folder, 'keyring.json'), 'utf8')).not.toContain('basic_text');
      const again = await openStore({ system: system('basic_text') });
      await again.unlock(passphrase);
      expect(await again.get('p1', 'apiKey')).toEqual(secret());
    });

    it('refuses a short passphrase', async () => {
      await expect((await openStore()).protectWithPassphrase('short')).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'passphrase',
      });
    });
  });

  describe('with LIKENESS_PASSPHRASE', () => {
    it('protects the first key and opens it again', async () => {
      const options = { system: null, passphrase };
      const store = await openStore(options);
      expect(await store.state()).toMatchObject({ protection: 'passphrase', needsChoice: false });
      await store.set('p1', 'apiKey', secret());
      expect(known).toContain(passphrase);
      expect(await (await openStore(options)).get('p1', 'apiKey')).toEqual(secret());
    });

    it('says so where it does not open them', async () => {
      await (await openStore({ system: null, passphrase })).set('p1', 'apiKey', secret());
      const store = await openStore({ system: null, passphrase: 'not the right one' });
      expect(await store.state()).toMatchObject({ locked: true });
      await expect(store.get('p1', 'apiKey')).rejects.toMatchObject({
        message: 'LIKENESS_PASSPHRASE does not unlock the keys.',
      });
    });
  });

  it('still opens what version 1 of the files holds', async () => {
    // Frozen. A later version must carry this over.
    const keyring = {
      version: 1,
      store: 'keys-dede1b36812c1c07',
      check: '1e62b20484e8f0ac3daf25c4e54f7e85bbd0bb99e76318c82c3d9f77e2c9a44a',
      wraps: [
        {
          method: 'scrypt',
          salt: 'ye25mUcw08YUqhG+ZJ0NoQ==',
          N: 1024,
          r: 8,
          p: 1,
          nonce: 'JUFJE4BPI6nA7Seu',
          blob: 'LC3fH1i7jvsjNMALBYlkGV2oU2lKf85ZZ672XbXWPw/fYXWDMnV2HLDlxKI7114p',
        },
      ],
    };
    const keys =
      '7npAFyreaCe1j/aMeC78fTpTsEVypttkVPS20iu23pjcc0CHA9cdrldgSxo8X2VXIpw09Kh00pZRbNry7MoadmfYTLK9YTt1E9emQzaYSDgaa5UdNdLG0Ot/2cp7RFHn0MbdzxMp35mgjrLlmDcM3L0MHzcFcd1LzRNnNzsox0CkyrGJegaifzHwCtewb05EwIHU+e6BXPbXhPu8r2eOjT9TNCk4nJsJn0psYBDYNW1r';
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'keyring.json'), JSON.stringify(keyring));
    writeFileSync(join(folder, `${keyring.store}.json`), Buffer.from(keys, 'base64'));
    const store = await openStore({ system: null, passphrase });
    expect(await store.get('p1', 'apiKey')).toEqual({
      value: 'frozen-secret-0001',
      origin: 'https://api.example.com',
    });
  });

  it('clears one secret, and all of a profile', async () => {
    const store = await openStore();
    await store.set('p1', 'apiKey', secret());
    await store.set('p1', 'accessToken', secret('second-secret-1'));
    await store.set('p2', 'apiKey', secret('third-secret-1'));
    await store.clear('p1', 'apiKey');
    await store.clear('p1', 'apiKey');
    expect(await store.get('p1', 'apiKey')).toBeUndefined();
    await store.forget('p1');
    expect([...(await store.readable()).keys()]).toEqual(['p2']);
    expect([...(await (await openStore()).readable()).keys()]).toEqual(['p2']);
  });

  describe('damaged', () => {
    const damages: [what: string, damage: () => void, aside: RegExp][] = [
      ['keys with one bit turned', () => flip(keysFile(), 40), /^keys\.damaged-20261103T101112Z\.json$/],
      [
        'keys cut short',
        () => writeFileSync(keysFile(), readFileSync(keysFile()).subarray(0, 30)),
        /^keys\.d/,
      ],
      ['empty keys', () => writeFileSync(keysFile(), ''), /^keys\.damaged/],
      ['keys in plain text', () => writeFileSync(keysFile(), '{"version":1,"secrets":{}}'), /^keys\.damaged/],
      [
        'a keyring that is no JSON',
        () => writeFileSync(join(folder, 'keyring.json'), '{"ver'),
        /^keyring\.d/,
      ],
      ['an empty keyring', () => writeFileSync(join(folder, 'keyring.json'), ''), /^keyring\.damaged/],
      ['no keyring', () => rmSync(join(folder, 'keyring.json')), /^keys\.damaged/],
      ['no keys', () => rmSync(keysFile()), /^keyring\.damaged/],
    ];
    const flip = (path: string, at: number): void => {
      const bytes = readFileSync(path);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      writeFileSync(path, bytes);
    };

    for (const [what, damage, aside] of damages) {
      it(`(${what}) is kept aside and reported, and new keys can be entered`, async () => {
        await (await openStore()).set('p1', 'apiKey', secret());
        damage();
        const before = new Map(
          files().map((name) => [readFileSync(join(folder, name), 'latin1'), name] as const),
        );
        const store = await openStore();
        const { damaged, locked } = await store.state();
        expect(locked).toBe(false);
        expect(damaged.map(({ fileName }) => fileName).some((name) => aside.test(name))).toBe(true);
        for (const { reason, at } of damaged) {
          expect(inEnglish(reason)).toMatch(/keyring|keys|key file/);
          expect(translate(reason, 'zh-CN')).toMatch(/^[^a-z]*密钥[^a-z]*$/);
          expect(at).toBe(Date.UTC(2026, 10, 3, 10, 11, 12));
        }
        // Nothing that was there is gone.
        const after = files().map((name) => readFileSync(join(folder, name), 'latin1'));
        for (const [content, name] of before) expect(after, name).toContain(content);
        for (const name of files()) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);

        expect(await store.get('p1', 'apiKey')).toBeUndefined();
        await store.set('p1', 'apiKey', secret('entered-again-1'));
        const again = await openStore();
        expect((await again.get('p1', 'apiKey'))?.value).toBe('entered-again-1');
        expect((await again.state()).damaged).toEqual(damaged);
      });
    }

    it('keys can be rescued with the keyring that was kept beside them', async () => {
      await (await openStore()).set('p1', 'apiKey', secret());
      const good = readFileSync(keysFile());
      flip(keysFile(), 50);
      const store = await openStore();
      await store.state();
      await store.protectWithPassphrase(passphrase);
      const rescue = join(folder, '..', 'rescue');
      const keyring = files().find((name) => name.startsWith('keyring.damaged') && name.endsWith('.json'));
      cpSync(join(folder, keyring ?? ''), join(rescue, 'keyring.json'));
      const { store: name } = JSON.parse(readFileSync(join(rescue, 'keyring.json'), 'utf8'));
      writeFileSync(join(rescue, `${name}.json`), good);
      expect(await (await openStore({ folder: rescue })).get('p1', 'apiKey')).toEqual(secret());
    });

    it('is not what a newer studio wrote: that stays untouched and is said', async () => {
      await (await openStore()).set('p1', 'apiKey', secret());
      const keyring = JSON.parse(readFileSync(join(folder, 'keyring.json'), 'utf8'));
      writeFileSync(join(folder, 'keyring.json'), JSON.stringify({ ...keyring, version: 2, new: true }));
      const before = allBytes();
      const store = await openStore();
      expect(await store.state()).toMatchObject({ locked: true, needsChoice: false });
      const reason = (await store.state()).damaged[0]?.reason ?? '';
      expect(inEnglish(reason)).toContain('newer Likeness Studio');
      expect(translate(reason, 'zh-CN')).toContain('“keyring.json”由更新版本的 Likeness Studio 写入。');
      for (const attempt of [
        () => store.get('p1', 'apiKey'),
        () => store.set('p1', 'apiKey', secret()),
        () => store.unlock(passphrase),
        () => store.protectWithPassphrase(passphrase),
        () => store.startOver(),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'storage' });
      }
      expect(allBytes()).toBe(before);
    });

    it('is no system store that was reset: the keys stay locked until the person starts over', async () => {
      await (await openStore()).set('p1', 'apiKey', secret());
      const reset = { system: system('gnome_libsecret', 99) };
      const store = await openStore(reset);
      expect(await store.state()).toMatchObject({ locked: true, damaged: [] });
      await expect(store.set('p1', 'apiKey', secret('new-secret-1'))).rejects.toMatchObject({
        code: 'locked',
      });
      expect(await (await openStore()).get('p1', 'apiKey')).toEqual(secret());

      const state = await store.startOver();
      expect(state.damaged.map(({ fileName }) => fileName)).toEqual([
        'keyring.damaged-20261103T101112Z.json',
        'keys.damaged-20261103T101112Z.json',
      ]);
      await store.set('p1', 'apiKey', secret('new-secret-1'));
      expect((await (await openStore(reset)).get('p1', 'apiKey'))?.value).toBe('new-secret-1');
    });
  });

  it('changes nothing where the system’s store does not give back what it was given', async () => {
    const liar = system();
    liar.decrypt = async () => Buffer.alloc(32).toString('base64');
    const store = await openStore({ system: liar });
    await expect(store.set('p1', 'apiKey', secret())).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining('gives back something else'),
    });
    expect(files()).toEqual([]);
    expect(await store.state()).toMatchObject({ protection: 'none', needsChoice: true });
    const broken = system();
    broken.encrypt = () => Promise.reject(new Error('The wallet is closed'));
    await expect((await openStore({ system: broken })).set('p1', 'apiKey', secret())).rejects.toThrow(
      'The wallet is closed',
    );
  });

  it('keeps the old key where the new one does not read back', async () => {
    const store = await openStore();
    await store.set('p1', 'apiKey', secret());
    const forgetful: OpenSecretFile = (options) => {
      const file = openConfFile(options);
      return {
        get store() {
          const content = file.store;
          return options.name.endsWith('.next') ? { version: 1, secrets: {} } : content;
        },
        set store(content) {
          file.store = content;
        },
      };
    };
    const unlucky = await openStore({ openFile: forgetful });
    await expect(unlucky.set('p1', 'apiKey', secret('lost-on-the-way'))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('nothing was changed'),
    });
    expect(await (await openStore()).get('p1', 'apiKey')).toEqual(secret());
  });

  it('is one to two processes: each starts from what the other wrote', async () => {
    const [one, two] = [await openStore(), await openStore()];
    await Promise.all([
      ...[1, 2, 3, 4].map((n) => one.set('p1', 'apiKey', secret(`from-one-${n}`))),
      ...[1, 2, 3, 4].map((n) => two.set(`p${n + 1}`, 'apiKey', secret(`from-two-${n}`))),
    ]);
    expect([...(await one.readable()).keys()].sort()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    expect(await two.get('p1', 'apiKey')).toEqual(secret('from-one-4'));
    await one.protectWithPassphrase(passphrase);
    expect(await two.get('p3', 'apiKey')).toEqual(secret('from-two-2'));
    await two.set('p9', 'apiKey', secret());
    expect(await one.get('p9', 'apiKey')).toEqual(secret());
  });

  it('is not asked of the system at every reading', async () => {
    const keychain = system();
    const store = await openStore({ system: keychain });
    await store.set('p1', 'apiKey', secret());
    const asked = keychain.asked;
    for (let i = 0; i < 50; i += 1) await store.get('p1', 'apiKey');
    await store.set('p1', 'apiKey', secret('changed-again-1'));
    expect(keychain.asked).toBe(asked);
  });

  it.runIf(process.getuid?.() !== 0)('says so where the folder can’t be written', async () => {
    const store = await openStore();
    await store.set('p1', 'apiKey', secret());
    chmodSync(folder, 0o500);
    await expect(store.set('p1', 'apiKey', secret('other-secret-1'))).rejects.toMatchObject({
      code: 'storage',
    });
    chmodSync(folder, 0o700);
  });

  /** Cuts the power before or after the nth thing done to the disk; nothing is tidied up afterwards. */
  describe('when the power is cut', () => {
    const powerCut = new Error('power cut');
    const failingDisk = (at: number, moment: 'before' | 'after'): KeyDisk & { steps: number } => {
      const disk: KeyDisk & { steps: number } = {
        steps: 0,
        write: (...rest) => step(() => writeFileAtomically(...rest)),
        commit: (...rest) => step(() => commitFile(...rest)),
        move: (...rest) => step(() => rename(...rest)),
        copy: (from, to) => step(() => copyFile(from, to)),
        remove: (path) => step(() => rm(path, { force: true })),
      };
      const step = async (work: () => Promise<void>): Promise<void> => {
        if (disk.steps >= at) throw powerCut;
        disk.steps += 1;
        if (disk.steps === at && moment === 'before') throw powerCut;
        await work();
        if (disk.steps === at) throw powerCut;
      };
      return disk;
    };

    const changes: [
      what: string,
      change: (store: KeyStore) => Promise<unknown>,
      before: string | undefined,
      after: string | undefined,
    ][] = [
      [
        'setting the first key',
        (store) => store.set('p1', 'apiKey', secret('new-value-1')),
        undefined,
        'new-value-1',
      ],
      [
        'replacing a key',
        (store) => store.set('p1', 'apiKey', secret('new-value-1')),
        planted,
        'new-value-1',
      ],
      ['clearing a key', (store) => store.clear('p1', 'apiKey'), planted, undefined],
      ['choosing a passphrase', (store) => store.protectWithPassphrase(passphrase), planted, planted],
    ];
    for (const [what, change, before, after] of changes) {
      it(`while ${what}, it is as before or as after, and nothing else is lost`, async () => {
        let finished = false;
        for (let at = 1; !finished; at += 1) {
          for (const moment of ['before', 'after'] as const) {
            rmSync(folder, { recursive: true, force: true });
            if (before !== undefined) {
              const calm = await openStore();
              await calm.set('p1', 'apiKey', secret(before));
              await calm.set('p2', 'accessToken', secret('bystander-12'));
            }
            const disk = failingDisk(at, moment);
            const doomed = await openStore({ disk });
            const acknowledged = await change(doomed).then(
              () => true,
              () => false,
            );
            finished = acknowledged && disk.steps < at;

            const next = await openStore();
            const value = (await next.get('p1', 'apiKey'))?.value;
            expect(acknowledged ? [after] : [before, after], `${moment} step ${at}`).toContain(value);
            const bystander = before === undefined ? undefined : 'bystander-12';
            expect((await next.get('p2', 'accessToken'))?.value).toBe(bystander);
            expect((await next.state()).damaged, `${moment} step ${at}`).toEqual([]);
            // The next change goes through and leaves no litter.
            await next.set('p3', 'apiKey', secret('afterwards-12'));
            expect(files()).toHaveLength(2);
            expect((await (await openStore()).get('p3', 'apiKey'))?.value).toBe('afterwards-12');
          }
        }
      });
    }

    it('while damaged keys are put aside, they are still there', async () => {
      for (let at = 1, done = false; !done; at += 1) {
        rmSync(folder, { recursive: true, force: true });
        await (await openStore()).set('p1', 'apiKey', secret());
        const damaged = readFileSync(keysFile()).subarray(0, 60);
        writeFileSync(keysFile(), damaged);
        const disk = failingDisk(at, 'after');
        const doomed = await openStore({ disk });
        done = disk.steps < at;
        await expect(doomed.state()).resolves.toBeDefined();
        const next = await openStore();
        expect((await next.state()).damaged.length).toBeGreaterThan(0);
        expect(files().map((name) => readFileSync(join(folder, name)).toString('hex'))).toContain(
          damaged.toString('hex'),
        );
        await next.set('p1', 'apiKey', secret('afterwards-12'));
        expect((await next.get('p1', 'apiKey'))?.value).toBe('afterwards-12');
      }
    });
  });
});
