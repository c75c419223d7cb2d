import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Journal } from '@likeness/journal/journal.ts';
import { inEnglish } from '@likeness/messages';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { createLog } from '@likeness/node-kit/storage/log.ts';
import { createScrub, type Scrub } from '@likeness/node-kit/storage/scrub.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import {
  builtInProfileId,
  contract,
  type KeyStoreState,
  newProfile,
  type Profile,
  ProfileDraft,
} from '#contract';
import { Connections, type ConnectionsOptions } from '../../../main/connections/connections.ts';
import { connectionsCalls } from '../../../main/connections/connections_calls.ts';
import { createRebinding } from '../../../main/connections/rebinding.ts';
import { KeyStore } from '../../../main/connections/vault/key_store.ts';
import { openConfFile } from '../../../main/connections/vault/secret_file.ts';

const planted = 'planted-secret-0123456789';
const passphrase = 'correct horse battery';

const certificate = `-----BEGIN CERTIFICATE-----
MIIBiDCCAS2gAwIBAgIUO2RDpQK7rIBTK4mpI4h9IR20cl0wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNbGlrZW5lc3MtdGVzdDAgFw0yNjExMjEwMjA4MTZaGA8yMTI2
MTAyODAyMDgxNlowGDEWMBQGA1UEAwwNbGlrZW5lc3MtdGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABGQUYdJwaiWzEb/XSvYpRURtJ6LgB35qCEJg6+rfn9QF
QeR4NNcN7PPrdOfrOaz+8XUcj/EOMkbXBdz1js7DkmCjUzBRMB0GA1UdDgQWBBRO
v4i74Rq/bun/cBbB+1XXHCTTpjAfBgNVHSMEGDAWgBROv4i74Rq/bun/cBbB+1XX
HCTTpjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCftEKLAo3R
HbGv19PsBm2Juuix/lohUB6msIT2Qx/9cQIhAIxCd2nvH6IlYnDqv4aTTpIc4Z6B
L+V7TqSb1b0OKtGo
-----END CERTIFICATE-----
`;
const privateKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

describe('connections', () => {
  let folder: string;
  let opened: Connections[];
  let changed: Profile[][];
  let keyStates: KeyStoreState[];
  let warnings: string[];
  let scrub: Scrub;
  let nextId: number;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'likeness-connections-')), 'data');
    prepareDataFolder(folder);
    opened = [];
    changed = [];
    keyStates = [];
    warnings = [];
    scrub = createScrub();
    nextId = 1;
  });
  afterEach(() => {
    for (const connections of opened) connections.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  /** As `serve` opens them: no system store, a passphrase from the environment. */
  const openConnections = async (
    options: Partial<ConnectionsOptions> = {},
    unlockWith: string | undefined = passphrase,
  ): Promise<Connections> => {
    const keys = await KeyStore.open({
      folder: join(folder, 'keys'),
      openFile: openConfFile,
      system: null,
      passphrase: unlockWith || undefined,
      clock: () => 5000,
      know: scrub.know,
      scryptCost: { N: 2 ** 10, r: 8, p: 1 },
    });
    const connections = await Connections.open({
      database: join(folder, 'connections.db'),
      keys,
      builtIn: async () => ({
        groupAUrl: 'http://127.0.0.1:4001',
        groupBUrl: 'http://127.0.0.1:4001',
        accessToken: 'engine-token-123456',
        apiKey: 'engine-key-123456',
      }),
      clock: () => 5000,
      randomId: () => `id-${nextId++}`,
      environment: {},
      hasPage: false,
      know: scrub.know,
      warn: (text) => warnings.push(text),
      onChanged: (profiles) => changed.push(profiles),
      onKeyStoreChanged: (state) => keyStates.push(state),
      ...options,
    });
    opened.push(connections);
    return connections;
  };
  const cloud: ProfileDraft = {
    ...newProfile,
    name: 'Cloud',
    groupAUrl: 'https://a.example.com/base',
    groupBUrl: 'https://b.example.com',
  };

  describe('profiles', () => {
    it('begin with the built-in engine, which is the default and stays', async () => {
      const connections = await openConnections();
      const [builtIn, ...others] = await connections.list();
      expect(others).toEqual([]);
      expect(builtIn).toMatchObject({
        id: builtInProfileId,
        name: 'Built-in engine',
        builtIn: true,
        isDefault: true,
        secrets: { accessToken: { configured: true, lastFour: '' }, clientKey: { configured: false } },
      });
      for (const attempt of [
        () => connections.remove(builtInProfileId),
        () => connections.duplicate(builtInProfileId),
        () => connections.setSecret(builtInProfileId, 'apiKey', planted),
        () => connections.clearSecret(builtInProfileId, 'apiKey'),
        () => connections.update(builtInProfileId, { name: 'Mine' }),
        () => connections.update(builtInProfileId, { groupAUrl: 'https://evil.example.com' }),
        () => connections.update(builtInProfileId, { monthlyCap: 5 }),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'not_allowed' });
      }
      // A form sends all fields; those that are as they were are no change.
      const { id, builtIn: _, isDefault, createdAt, changedAt, secrets, ...draft } = builtIn as Profile;
      const updated = await connections.update(builtInProfileId, { ...draft, concurrency: 4 });
      expect(updated).toMatchObject({ concurrency: 4, groupAUrl: '', changedAt: 5000 });
    });

    it('are created, edited, duplicated, deleted and made the default, and everybody is told', async () => {
      const connections = await openConnections();
      const profile = await connections.create(cloud);
      expect(contract.connections.calls.create.out.parse(profile)).toEqual(profile);
      const { stream, customCa, clientCertificate, ...listed } = cloud;
      expect(profile).toMatchObject({ ...listed, builtIn: false, isDefault: false, createdAt: 5000 });
      expect(connections.details(profile.id)).toEqual(cloud);
      await connections.update(profile.id, {
        pathWord: 'word',
        monthlyCap: 12.5,
        prices: { ...cloud.prices, perModel: 0.4, currency: 'EUR' },
      });
      await connections.setDefault(profile.id);
      const copy = await connections.duplicate(profile.id);
      expect(copy).toMatchObject({ name: 'Cloud (2)', pathWord: 'word', isDefault: false });
      expect((await connections.list()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
        ['Built-in engine', false],
        ['Cloud', true],
        ['Cloud (2)', false],
      ]);
      expect(connections.metered()[1]).toEqual({
        id: profile.id,
        name: 'Cloud',
        monthlyCap: 12.5,
        prices: { currency: 'EUR', perSecond: 0, perFrame: 0, perModel: 0.4 },
      });
      expect(changed).toHaveLength(4);
      await connections.remove(profile.id);
      expect(changed.at(-1)?.map(({ name, isDefault }) => [name, isDefault])).toEqual([
        ['Built-in engine', true],
        ['Cloud (2)', false],
      ]);
      for (const attempt of [
        () => connections.update(profile.id, { name: 'x' }),
        () => connections.remove(profile.id),
        () => connections.setDefault(profile.id),
        () => connections.resolve(profile.id),
        () => connections.setSecret('__proto__', 'apiKey', planted),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
      }
      expect((await (await openConnections()).list()).map(({ name }) => name)).toEqual([
        'Built-in engine',
        'Cloud (2)',
      ]);
    });

    it('are bounded all together, and their certificates and schemas are not in the list', async () => {
      const connections = await openConnections();
      // Certificates come with remarks.
      const large = `${'remark '.repeat(140_000)}\n${certificate}`;
      const texts = { customCa: large, clientCertificate: large };
      const added: Profile[] = [];
      const addAll = async (): Promise<void> => {
        for (let number = 0; number < 100; number += 1) {
          added.push(await connections.create({ ...cloud, ...texts, name: `Large ${number}` }));
        }
      };
      await expect(addAll()).rejects.toMatchObject({
        code: 'not_allowed',
        message: expect.stringContaining('All connections together'),
      });
      expect(added.length).toBeGreaterThan(5);
      const [first] = added;
      const file = connections.exportProfiles([first?.id ?? '']).text;
      await expect(connections.importProfiles(file)).rejects.toMatchObject({ code: 'not_allowed' });
      await expect(connections.duplicate(first?.id ?? '')).rejects.toMatchObject({ code: 'not_allowed' });
      const small = await connections.create({ ...cloud, name: 'Small' });
      await expect(connections.update(small.id, texts)).rejects.toMatchObject({ code: 'not_allowed' });
      // Less is always possible.
      await connections.update(first?.id ?? '', { customCa: '' });
      expect(connections.details(first?.id ?? '')).toMatchObject({ customCa: '', clientCertificate: large });
      expect(JSON.stringify(await connections.list()).length).toBeLessThan(1500 * (added.length + 2));
      expect(JSON.stringify(changed.at(-1))).not.toContain('BEGIN CERTIFICATE');
    });

    it('have names of their own, in any case', async () => {
      const connections = await openConnections();
      await connections.create(cloud);
      const other = await connections.create({ ...cloud, name: '云端' });
      for (const name of ['cloud', 'ＣＬＯＵＤ', 'built-in ENGINE']) {
        await expect(connections.create({ ...cloud, name })).rejects.toMatchObject({
          code: 'conflict',
          field: 'name',
        });
      }
      await expect(connections.update(other.id, { name: 'CLOUD' })).rejects.toMatchObject({
        code: 'conflict',
        field: 'changes.name',
      });
      await connections.update(other.id, { name: '云端' });
    });

    const wrong: [what: string, changes: Partial<ProfileDraft>, field: string][] = [
      ['a key in an address', { groupAUrl: 'https://a.example.com/?api_key=x' }, 'groupAUrl'],
      ['a fragment in an address', { groupBUrl: 'https://b.example.com/#x' }, 'groupBUrl'],
      ['no address', { groupAUrl: 'https://' }, 'groupAUrl'],
      ['a proxy with a path', { proxyUrl: 'http://proxy:8080/path' }, 'proxyUrl'],
      ['pauses the wrong way round', { polling: { least: 9, most: 3 } }, 'polling.most'],
      ['a CA that is none', { customCa: 'hello' }, 'customCa'],
      ['a torn certificate', { customCa: certificate.replace('MIIB', 'AAAA') }, 'customCa'],
      [
        'a private key among certificates',
        { clientCertificate: certificate + privateKey() },
        'clientCertificate',
      ],
      [
        'a private key in a schema',
        { stream: { ...newProfile.stream, proto: privateKey() } },
        'stream.proto',
      ],
    ];
    for (const [what, changes, field] of wrong) {
      it(`refuse ${what}, naming the field`, async () => {
        const connections = await openConnections();
        await expect(connections.create({ ...cloud, ...changes })).rejects.toMatchObject({
          code: 'invalid_input',
          field,
        });
        const profile = await connections.create({ ...cloud, customCa: certificate });
        await expect(connections.update(profile.id, changes)).rejects.toMatchObject({
          code: 'invalid_input',
          field: `changes.${field}`,
        });
        expect((await connections.list())[1]).toEqual(profile);
      });
    }

    it('refuse certificates under a label that TLS reads and a person is not shown', async () => {
      const connections = await openConnections();
      const { id } = await connections.create(cloud);
      for (const label of ['X509 CERTIFICATE', 'TRUSTED CERTIFICATE']) {
        const hidden = certificate.replaceAll(' CERTIFICATE', ` ${label}`);
        await expect(connections.update(id, { customCa: `${certificate}${hidden}` })).rejects.toMatchObject({
          code: 'invalid_input',
          field: 'changes.customCa',
        });
      }
    });

    it('written by an older studio get the defaults of new fields, and lose nothing', async () => {
      // Frozen: the file as schema 1 made it, with a document that lacks most of today's fields.
      const db = new DatabaseSync(join(folder, 'connections.db'));
      db.exec(`
        CREATE TABLE profiles (id TEXT PRIMARY KEY, position INTEGER NOT NULL, nameKey TEXT NOT NULL UNIQUE,
          document TEXT NOT NULL CHECK (json_valid(document)), isDefault INTEGER NOT NULL CHECK (isDefault IN (0, 1)),
          createdAt INTEGER NOT NULL, changedAt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX profiles_one_default ON profiles (isDefault) WHERE isDefault = 1;
        CREATE TABLE keysToForget (profileId TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        INSERT INTO profiles VALUES ('old', 1, 'old', '{"name":"Old","groupAUrl":"https://old.example.com","polling":{"least":2},"gone":1}', 1, 10, 20);
        PRAGMA user_version = 1;`);
      db.close();
      const [, old] = await (await openConnections()).list();
      expect(old).toMatchObject({
        id: 'old',
        name: 'Old',
        groupAUrl: 'https://old.example.com',
        pathWord: 'svc',
        polling: { least: 2, most: 30 },
        isDefault: true,
        createdAt: 10,
      });
      expect(contract.connections.calls.list.out.element.parse(old)).toEqual(old);
    });

    it('of a newer studio are refused, and a damaged list is kept aside and reported', async () => {
      await openConnections();
      for (const connections of opened.splice(0)) connections.close();
      const path = join(folder, 'connections.db');
      const db = new DatabaseSync(path);
      db.exec('PRAGMA user_version = 99');
      db.close();
      await expect(openConnections()).rejects.toMatchObject({ code: 'storage' });
      writeFileSync(path, 'no database, but long enough to be taken for one '.repeat(99));
      const connections = await openConnections();
      expect(await connections.list()).toHaveLength(1);
      expect((await connections.keyStore()).damaged).toEqual([
        {
          fileName: 'connections.damaged-19700101T000005Z.db',
          reason: 'The list of connections was damaged.',
          at: 5000,
        },
      ]);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    });
  });

  describe('a file of profiles', () => {
    it('goes from one studio to another, without keys and without the built-in one', async () => {
      const connections = await openConnections();
      const profile = await connections.create({ ...cloud, monthlyCap: 3, customCa: certificate });
      await connections.setSecret(profile.id, 'apiKey', planted);
      const file = connections.exportProfiles([]);
      expect(file.fileName).toBe('likeness-connections-1970-01-01.json');
      expect(file.text).not.toMatch(/planted|Built-in|6789|secret/);
      expect(connections.exportProfiles([profile.id, profile.id, builtInProfileId])).toEqual(file);
      expect(() => connections.exportProfiles(['nobody'])).toThrow('does not exist');

      await connections.remove(profile.id);
      const { added, problems } = await connections.importProfiles(file.text);
      expect(problems).toEqual([]);
      expect(added).toHaveLength(1);
      expect(connections.details(added[0]?.id ?? '')).toMatchObject({
        ...cloud,
        monthlyCap: 3,
        customCa: certificate,
      });
      expect(added[0]?.secrets.apiKey.configured).toBe(false);
      expect((await connections.importProfiles(file.text)).added[0]?.name).toBe('Cloud (2)');
    });

    it('that somebody wrote by hand is taken as far as it goes, and the rest is said by place', async () => {
      const connections = await openConnections();
      const text = JSON.stringify([
        {
          name: 'Hand made',
          groupAUrl: 'https://a.example.com',
          apiKey: planted,
          groupBUrl: `https://user:${planted}@b.example.com`,
          polling: { least: 'often' },
          prices: { currency: 'USD', perSecond: 0.01, token: planted },
          concurrency: 99,
          colour: 'red',
          secrets: { accessToken: planted },
          customCa: privateKey(),
        },
        'not a connection',
        { name: 'Second', stream: 7, polling: { least: 50, most: 1 } },
      ]);
      const { added, problems } = await connections.importProfiles(text);
      expect(added.map(({ name }) => name)).toEqual(['Hand made', 'Second']);
      expect(added[0]).toMatchObject({
        groupAUrl: 'https://a.example.com',
        groupBUrl: '',
        polling: newProfile.polling,
        prices: { currency: 'USD', perSecond: 0.01, perFrame: 0, perModel: 0 },
        concurrency: newProfile.concurrency,
      });
      const [handMade, second] = added.map(({ id }) => connections.details(id));
      expect(handMade).toMatchObject({ customCa: '' });
      expect(second).toMatchObject({ polling: newProfile.polling, stream: newProfile.stream });
      const places = problems.map(({ where }) => where);
      expect(places).toEqual(
        expect.arrayContaining([
          'profiles[0] “Hand made” apiKey',
          'profiles[0] “Hand made” groupBUrl',
          'profiles[0] “Hand made” polling.least',
          'profiles[0] “Hand made” prices.token',
          'profiles[0] “Hand made” concurrency',
          'profiles[0] “Hand made” colour',
          'profiles[0] “Hand made” secrets',
          'profiles[0] “Hand made” customCa',
          'profiles[1]',
          'profiles[2] “Second” stream',
          'profiles[2] “Second” polling.most',
        ]),
      );
      expect(problems).toHaveLength(11);
      expect(inEnglish(problems.find(({ where }) => where.endsWith('apiKey'))?.problem ?? '')).toContain(
        'never imports keys',
      );
      expect(JSON.stringify([added, problems])).not.toMatch(/planted|PRIVATE/);
    });

    it('that is something else is refused with what to do', async () => {
      const connections = await openConnections();
      for (const text of ['', '{"a":', '7', 'null', '{"profiles":{}}', '{"items":[]}']) {
        await expect(connections.importProfiles(text)).rejects.toMatchObject({
          code: 'invalid_input',
          field: 'text',
        });
      }
      const many = JSON.stringify({
        version: 7,
        profiles: Array.from({ length: 260 }, () => ({ name: 'N' })),
      });
      const { added, problems } = await connections.importProfiles(many);
      expect(added).toHaveLength(200);
      expect(problems.slice(0, 2)).toEqual([
        { where: 'version', problem: expect.stringContaining('newer') },
        { where: 'profiles', problem: 'Only the first 200 of 260 connections were imported.' },
      ]);
      await connections.importProfiles(many);
      await expect(connections.importProfiles(many)).rejects.toMatchObject({ code: 'not_allowed' });
      expect(await connections.list()).toHaveLength(401);
    });
  });

  describe('keys', () => {
    it('go in and show no more than their last four characters', async () => {
      const connections = await openConnections();
      const { id } = await connections.create(cloud);
      const profile = await connections.setSecret(id, 'accessToken', `  Bearer ${planted}\n`);
      expect(profile.secrets.accessToken).toEqual({
        configured: true,
        lastFour: '6789',
        fromEnvironment: false,
        boundElsewhere: null,
      });
      await connections.setSecret(id, 'apiKey', 'short-key-1');
      await connections.setSecret(id, 'clientKey', privateKey());
      const { secrets } = await connections.setSecret(id, 'proxyPassword', 'with blank at the end ');
      expect(secrets.apiKey).toMatchObject({ configured: true, lastFour: '', fromEnvironment: false });
      expect(secrets.clientKey).toMatchObject({ configured: true, lastFour: '', fromEnvironment: false });
      const resolved = await connections.resolve(id);
      expect(await resolved.secret('accessToken')).toBe(planted);
      expect(await resolved.secret('proxyPassword')).toBe('with blank at the end ');
      expect(JSON.stringify([await connections.list(), changed, resolved])).not.toMatch(
        /planted|short-key|PRIVATE/,
      );
      const cleared = await connections.clearSecret(id, 'accessToken');
      expect(cleared.secrets.accessToken.configured).toBe(false);
      expect(await resolved.secret('accessToken')).toBeUndefined();
    });

    it('that can’t be keys are refused without repeating them', async () => {
      const connections = await openConnections();
      const { id } = await connections.create(cloud);
      const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString();
      for (const [name, value, message] of [
        ['apiKey', 'planted key', /spaces/],
        ['apiKey', 'planted\r\nX-Other: 1', /spaces/],
        ['accessToken', 'плохо', /Latin/],
        ['clientKey', 'planted', /not a private key/],
        ['clientKey', encrypted, /encrypted/],
        ['clientKey', privateKey().replaceAll(/(?<=[A-Za-z0-9+/])(?=[A-Za-z0-9+/=]{3})/g, '\n\n\n'), /lines/],
        ['apiKey', 'planted-'.repeat(1100), /too long/],
        ['proxyPassword', 'planted\nplanted', /line breaks/],
        ['proxyPassword', 'planted '.repeat(200), /too long/],
      ] as const) {
        const error = await connections.setSecret(id, name, value).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'invalid_input', field: 'value' });
        expect(String(error)).toMatch(message);
        expect(String(error)).not.toContain('planted');
      }
    });

    it('of a client are kept alone, without what else is in their file', async () => {
      const connections = await openConnections();
      const { id } = await connections.create(cloud);
      const key = privateKey();
      await connections.setSecret(id, 'clientKey', `${certificate}\nremark\n${key}\n${certificate}`);
      expect(await (await connections.resolve(id)).secret('clientKey')).toBe(key);
    });

    it('are sent nowhere but where they were entered for', async () => {
      const connections = await openConnections();
      const { id } = await connections.create(cloud);
      await connections.setSecret(id, 'accessToken', planted);
      await connections.setSecret(id, 'apiKey', 'group-b-key-123');
      const moved = await connections.update(id, { groupAUrl: 'https://evil.example.com/base' });
      expect(moved.secrets.accessToken).toEqual({
        configured: false,
        lastFour: '',
        fromEnvironment: false,
        boundElsewhere: { origin: 'https://a.example.com', proxy: '', ownCa: false, variable: '' },
      });
      expect(moved.secrets.apiKey.configured).toBe(true);
      const endpoint = await connections.resolve(id);
      await expect(endpoint.secret('accessToken')).rejects.toMatchObject({
        code: 'key_missing',
        message: expect.stringContaining('entered for https://a.example.com'),
      });
      for (const address of ['', 'http://a.example.com/base', 'https://a.example.com:8443']) {
        expect((await connections.update(id, { groupAUrl: address })).secrets.accessToken.configured).toBe(
          false,
        );
      }
      const back = await connections.update(id, { groupAUrl: 'https://a.example.com/elsewhere' });
      expect(back.secrets.accessToken.configured).toBe(true);
      expect(await (await connections.resolve(id)).secret('accessToken')).toBe(planted);
      const copy = await connections.duplicate(id);
      expect(copy.secrets.accessToken.configured).toBe(true);
      await connections.update(copy.id, { groupAUrl: 'https://evil.example.com' });
      await expect((await connections.resolve(copy.id)).secret('accessToken')).rejects.toMatchObject({
        code: 'key_missing',
      });
    });

    it('entered before the address wait for a person’s word: a page may have put the address there', async () => {
      const connections = await openConnections();
      const { id } = await connections.create({ ...cloud, groupBUrl: '' });
      expect((await connections.setSecret(id, 'apiKey', planted)).secrets.apiKey.configured).toBe(true);
      const led = await connections.update(id, { groupBUrl: 'https://b.example.com' });
      expect(led.secrets.apiKey).toMatchObject({ configured: false, boundElsewhere: { origin: '' } });
      const bound = await connections.bind(await connections.staleKeys(id));
      expect(bound.secrets.apiKey).toMatchObject({ configured: true, boundElsewhere: null });
    });

    it('of a deleted profile go with it, also when they are locked or the power is cut', async () => {
      const connections = await openConnections();
      const [one, two] = [
        await connections.create(cloud),
        await connections.create({ ...cloud, name: 'Two' }),
      ];
      await connections.setSecret(one.id, 'apiKey', planted);
      await connections.setSecret(two.id, 'apiKey', 'second-planted-1');
      await connections.remove(one.id);
      const stored = async (): Promise<string[]> => {
        const keys = await KeyStore.open({
          folder: join(folder, 'keys'),
          openFile: openConfFile,
          system: null,
          passphrase,
          clock: () => 0,
          know: () => undefined,
        });
        return [...(await keys.readable()).keys()];
      };
      expect(await stored()).toEqual([two.id]);

      const locked = await openConnections({}, '');
      expect((await locked.list())[1]?.secrets.apiKey.configured).toBe(false);
      expect(await locked.keyStore()).toMatchObject({ locked: true, protection: 'passphrase' });
      await locked.remove(two.id);
      expect(await stored()).toEqual([two.id]);
      expect(warnings.join()).toContain('Keys of a deleted connection are still there');
      await locked.changeKeyStore((keys) => keys.unlock(passphrase));
      expect(await stored()).toEqual([]);
      expect(keyStates.at(-1)).toMatchObject({ locked: false });
    });

    it('are asked for, not guessed, when they are locked', async () => {
      const connections = await openConnections();
      const { id } = await connections.create(cloud);
      await connections.setSecret(id, 'apiKey', planted);
      const locked = await openConnections({}, '');
      await expect((await locked.resolve(id)).secret('apiKey')).rejects.toMatchObject({ code: 'locked' });
      await expect(locked.setSecret(id, 'apiKey', 'another-key-123')).rejects.toMatchObject({
        code: 'locked',
      });
      await expect(locked.changeKeyStore((keys) => keys.unlock('not this one'))).rejects.toMatchObject({
        code: 'locked',
      });
      // Duplicating still works, without the keys that can't be read.
      expect((await locked.duplicate(id)).secrets.apiKey.configured).toBe(false);
      await locked.changeKeyStore((keys) => keys.keepForThisRun());
      await locked.setSecret(id, 'apiKey', 'for-this-run-123');
      expect(await (await locked.resolve(id)).secret('apiKey')).toBe('for-this-run-123');
      expect(await (await connections.resolve(id)).secret('apiKey')).toBe(planted);
    });

    it('are looked up without reading the profiles again, until one of them is written', async () => {
      const connections = await openConnections({
        environment: { LIKENESS_CLOUD_API_KEY: 'from-the-environment-1' },
      });
      const { id } = await connections.create(cloud);
      await connections.setSecret(id, 'accessToken', planted);
      const resolved = await connections.resolve(id);
      const read = vi.spyOn(StatementSync.prototype, 'all');
      const validated = vi.spyOn(ProfileDraft, 'parse');
      try {
        for (let attempt = 0; attempt < 20; attempt += 1) {
          expect(await resolved.secret('accessToken')).toBe(planted);
          expect(await resolved.secret('apiKey')).toBe('from-the-environment-1');
        }
        expect(read).not.toHaveBeenCalled();
        expect(validated).not.toHaveBeenCalled();
        await connections.update(id, { pathWord: 'other' });
        expect(validated).toHaveBeenCalled();
        expect(connections.details(id).pathWord).toBe('other');
      } finally {
        vi.restoreAllMocks();
      }
    });

    it('and profiles that the command line changes beside a running studio are seen by it', async () => {
      const studio = await openConnections();
      const { id } = await studio.create(cloud);
      expect(studio.details(id).groupBUrl).toBe(cloud.groupBUrl);
      const beside = await openConnections();
      await beside.update(id, { groupBUrl: 'https://c.example.com' });
      await beside.setSecret(id, 'apiKey', planted);
      const made = await beside.create({ ...cloud, name: 'Made beside' });
      expect(studio.details(id).groupBUrl).toBe('https://c.example.com');
      expect(await (await studio.resolve(id)).secret('apiKey')).toBe(planted);
      expect(studio.details(made.id).name).toBe('Made beside');
      await beside.remove(made.id);
      expect((await studio.list()).map((profile) => profile.id)).not.toContain(made.id);
    });

    it('of the built-in engine are the engine’s of this run', async () => {
      const resolved = await (await openConnections()).resolve(builtInProfileId);
      expect(resolved).toMatchObject({ builtIn: true, groupAUrl: 'http://127.0.0.1:4001', pathWord: 'svc' });
      expect(await resolved.secret('apiKey')).toBe('engine-key-123456');
      expect(await resolved.secret('clientKey')).toBeUndefined();
      expect(scrub('engine-token-123456')).toBe('[secret]');
    });
  });

  describe('keys from the environment', () => {
    it('come before stored ones, can’t be changed, and never reach the built-in engine', async () => {
      const environment = {
        LIKENESS_API_KEY: 'generic-key-123',
        LIKENESS_ACCESS_TOKEN: ' generic-token-123 ',
        LIKENESS_ANN_S_CLOUD_API_KEY: 'own-key-1234567',
        LIKENESS_ID_2_ACCESS_TOKEN: 'by-id-token-123',
        LIKENESS_CLIENT_KEY: '',
      };
      const connections = await openConnections({ environment });
      const [ann, other] = [
        await connections.create({ ...cloud, name: 'Ann’s Cloud' }),
        await connections.create({ ...cloud, name: '云端' }),
      ];
      const secretOf = async (id: string, name: 'apiKey' | 'accessToken'): Promise<string | undefined> =>
        (await connections.resolve(id)).secret(name);
      expect(await secretOf(ann.id, 'apiKey')).toBe('own-key-1234567');
      expect(await secretOf(ann.id, 'accessToken')).toBeUndefined();
      expect(await secretOf(other.id, 'accessToken')).toBe('by-id-token-123');
      expect(await secretOf(builtInProfileId, 'apiKey')).toBe('engine-key-123456');

      await connections.setDefault(ann.id);
      expect(await secretOf(ann.id, 'accessToken')).toBe('generic-token-123');
      expect(await secretOf(ann.id, 'apiKey')).toBe('own-key-1234567');
      const [, listed] = await connections.list();
      expect(listed?.secrets.apiKey).toEqual({
        configured: true,
        lastFour: '4567',
        fromEnvironment: true,
        boundElsewhere: null,
      });
      await expect(connections.setSecret(ann.id, 'apiKey', planted)).rejects.toMatchObject({
        code: 'not_allowed',
        message: expect.stringContaining('LIKENESS_ANN_S_CLOUD_API_KEY'),
      });
      await expect(connections.clearSecret(ann.id, 'apiKey')).rejects.toMatchObject({ code: 'not_allowed' });
      for (const value of Object.values(environment).filter(Boolean)) {
        expect(scrub(`x ${value.trim()} y`)).toBe('x [secret] y');
      }
      // The command line names a connection; the general variables are for that one alone.
      const selected = await openConnections({ environment, selected: '云端' });
      expect(await (await selected.resolve(other.id)).secret('apiKey')).toBe('generic-key-123');
      expect(await (await selected.resolve(ann.id)).secret('accessToken')).toBeUndefined();
    });

    it('are given to nobody where the name fits two', async () => {
      const connections = await openConnections({
        environment: { LIKENESS_CLOUD_API_KEY: 'which-cloud-123' },
      });
      const one = await connections.create(cloud);
      expect(await (await connections.resolve(one.id)).secret('apiKey')).toBe('which-cloud-123');
      const two = await connections.create({ ...cloud, name: 'Cloud!' });
      for (const { id } of [one, two]) {
        expect(await (await connections.resolve(id)).secret('apiKey')).toBeUndefined();
      }
      expect(warnings).toContain('LIKENESS_CLOUD_API_KEY fits more than one connection: not used.');
    });
  });

  it('answer every call of the contract but `test`, with what the contract says', async () => {
    const connections = await openConnections();
    const rebinding = createRebinding({
      staleKeys: (id) => connections.staleKeys(id),
      bind: (behind) => connections.bind(behind),
      profile: (id) => connections.profile(id),
      confirm: async () => true,
      language: () => 'en',
      clock: () => 5000,
    });
    const calls = connectionsCalls(connections, rebinding);
    const names = Object.keys(contract.connections.calls).filter((name) => name !== 'test');
    expect(Object.keys(calls).sort()).toEqual(names.sort());
    const { id } = await calls.create(cloud);
    await calls.setSecret({ id, secret: 'accessToken', value: planted });
    await calls.update({ id, changes: { groupAUrl: 'https://moved.example.com' } });
    const inputs: Record<string, unknown> = {
      create: { ...cloud, name: 'Another' },
      update: { id, changes: { concurrency: 3 } },
      exportProfiles: { ids: [] },
      importProfiles: { text: '[]' },
      setSecret: { id, secret: 'apiKey', value: planted },
      clearSecret: { id, secret: 'apiKey' },
      unlock: { passphrase },
      protectWithPassphrase: { passphrase },
    };
    // Last: `unlock` needs keys, `startOver` puts them aside, `remove` ends what the rest works on.
    const last = ['unlock', 'startOver', 'remove'];
    const order = [...names.filter((name) => !last.includes(name)), ...last];
    for (const name of order) {
      const call = (calls as Record<string, (input: unknown) => unknown>)[name];
      const output = await call?.(inputs[name] ?? { id });
      const schema: z.ZodType =
        contract.connections.calls[name as keyof typeof contract.connections.calls].out;
      expect(schema.safeParse(output).error, name).toBeUndefined();
    }
  });

  it('leave no key in any file of the data folder', async () => {
    const layout = prepareDataFolder(folder);
    const log = createLog({ folder: layout.logsFolder, scrub });
    const journal = new Journal({
      folder: layout.journalFolder,
      clock: () => 5000,
      scrub,
      onAppended: (entry) => log.info({ entry }, 'appended'),
      processId: 1,
      run: 'run',
    });
    const fromEnvironment = 'environment-planted-1';
    const connections = await openConnections({ environment: { LIKENESS_CLOUD_API_KEY: fromEnvironment } });
    const { id } = await connections.create(cloud);
    const pem = privateKey();
    await connections.setSecret(id, 'accessToken', planted);
    await connections.setSecret(id, 'clientKey', pem);
    await connections.duplicate(id);
    await connections.changeKeyStore((keys) => keys.protectWithPassphrase('another passphrase'));
    const message = `401: token ${planted} / ${fromEnvironment} / ${pem} / another passphrase is not known`;
    log.error({ headers: { authorization: `Bearer ${planted}` }, accessToken: planted }, message);
    log.error(new Error(message));
    journal.appendEvent({ operation: 'probe', subject: planted, message, profileName: fromEnvironment });
    writeFileSync(join(folder, 'export.json'), connections.exportProfiles([]).text);
    journal.close();
    log.end();

    const pemLine = pem.split('\n')[1] ?? '';
    expect(pemLine.length).toBeGreaterThan(40);
    const secrets = [planted, fromEnvironment, pemLine, 'another passphrase', passphrase];
    const forms = secrets.flatMap((text) => [text, Buffer.from(text).toString('base64').replace(/=+$/, '')]);
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of paths) {
      const bytes = readFileSync(path);
      for (const form of forms) {
        expect(
          bytes.includes(form) || bytes.includes(Buffer.from(form, 'utf16le')),
          `${form} in ${path}`,
        ).toBe(false);
      }
    }
    for (const path of paths.filter((path) => basename(path) !== 'export.json')) {
      expect(statSync(path).mode & 0o077, path).toBe(0);
    }
    expect(paths.map((path) => basename(path))).toEqual(
      expect.arrayContaining(['keyring.json', 'studio.log', 'journal.db', 'connections.db']),
    );
  });
});
