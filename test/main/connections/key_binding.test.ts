/**
 * A hostile page, or a connections file from somebody else, tries to have keys sent to a server of its own: a
 * real proxy that leads everything to a real TLS server, with a certificate authority that vouches for it.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newProfile, type Profile, type ProfileDraft, type SecretName, secretNames } from '#contract';
import { createMeteredClients } from '../../../main/compose/metered_clients.ts';
import { Connections } from '../../../main/connections/connections.ts';
import { KeyStore } from '../../../main/connections/vault/key_store.ts';
import { openConfFile } from '../../../main/connections/vault/secret_file.ts';
import { makeCertificate } from '../../fixtures/service/certificate.ts';
import { startProxy } from '../../fixtures/service/proxy.ts';
import { startScriptedService } from '../../fixtures/service/scripted_service.ts';

const keys = {
  accessToken: 'planted-token-0123456789',
  apiKey: 'planted-api-key-0123456789',
  proxyPassword: 'planted-password-0123',
} as const;
const vendor = 'api.vendor.example';
const authority = makeCertificate({ name: 'Attacker CA', authority: true });
const attackerCertificate = makeCertificate({ name: vendor, issuer: authority, hosts: [vendor] });

const cloud: ProfileDraft = {
  ...newProfile,
  name: 'Cloud',
  groupAUrl: `https://${vendor}`,
  groupBUrl: `https://${vendor}`,
};

/** A studio's connections with what an attacker has set up around them. */
async function setStage() {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-binding-'));
  const closings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  onTestFinished(async () => {
    for (const close of closings.reverse()) await close();
  });
  prepareDataFolder(join(folder, 'data'));
  const tls = await startScriptedService({ ...keys, tls: { server: attackerCertificate } });
  const plain = await startScriptedService(keys);
  const proxy = await startProxy({ leadTo: tls.port });
  const plainProxy = await startProxy({ leadTo: plain.port });
  closings.push(...[tls, plain, proxy, plainProxy].map((server) => () => server.close()));
  let nextId = 0;
  let now = 5000;

  /** As `serve` opens them, or the command line. */
  const open = async (environment: Record<string, string> = {}, hasPage = true) => {
    const scrub = createScrub();
    const keyStore = await KeyStore.open({
      folder: join(folder, 'data', 'keys'),
      openFile: openConfFile,
      system: null,
      passphrase: 'correct horse battery',
      clock: () => now,
      know: scrub.know,
      scryptCost: { N: 2 ** 10, r: 8, p: 1 },
    });
    const connections = await Connections.open({
      database: join(folder, 'data', 'connections.db'),
      keys: keyStore,
      builtIn: async () => ({ groupAUrl: plain.url, groupBUrl: plain.url, accessToken: 'x', apiKey: 'y' }),
      clock: () => {
        now += 1;
        return now;
      },
      randomId: () => {
        nextId += 1;
        return `id-${Date.now()}-${nextId}`;
      },
      environment,
      hasPage,
      know: scrub.know,
      warn: () => undefined,
      onChanged: (profiles) => clients.keepOnly(profiles),
      onKeyStoreChanged: () => undefined,
    });
    const clients = createMeteredClients({
      resolve: (id) => connections.resolve(id),
      journal: { reserve: () => ({ settle: () => undefined }), append: () => undefined },
      pace: createPaces(systemClock),
      scrub,
      onTrouble: () => undefined,
    });
    clients.keepOnly(await connections.list());
    let closed = false;
    const close = async (): Promise<void> => {
      if (closed) return;
      closed = true;
      await clients.close();
      connections.close();
    };
    closings.push(close);
    return { connections, clients, keyStore, close };
  };

  /** Everything that reached the attacker, as one text. */
  const received = (): string =>
    JSON.stringify([
      ...[...tls.requests, ...plain.requests].map(({ headers, path }) => [path, headers]),
      ...[...proxy.authorizations, ...plainProxy.authorizations].map((text) =>
        Buffer.from(text.replace(/^Basic /, ''), 'base64').toString(),
      ),
    ]);

  /** Uses every connection, in all ways that send a key without cost. */
  const callAll = async ({ connections, clients }: Awaited<ReturnType<typeof open>>): Promise<void> => {
    for (const { id, builtIn } of await connections.list()) {
      if (builtIn) continue;
      const client = await clients.client(id);
      await client.probe();
      await client.getModel('m-1').catch(() => undefined);
    }
  };
  /** Takes the database of a closed studio back to what schema 1 was. */
  const backToSchema1 = (): void => {
    const db = new DatabaseSync(join(folder, 'data', 'connections.db'));
    db.exec(`DROP TABLE IF EXISTS ledAtUpdate; DROP TABLE IF EXISTS environmentBindings;
      DROP TABLE IF EXISTS environmentQuestions; PRAGMA user_version = 1;`);
    db.close();
  };
  return { open, callAll, received, backToSchema1, tls, plain, proxy, plainProxy };
}

type Stage = Awaited<ReturnType<typeof setStage>>;
type Opened = Awaited<ReturnType<Stage['open']>>;

const hostile = ({ proxy }: Stage) => ({ proxyUrl: proxy.url, customCa: authority.certificate });
const importFile = (draft: Partial<ProfileDraft>): string =>
  JSON.stringify({ format: 'likeness-connections', version: 1, profiles: [draft] });

/** What a page, or a file, does to a connection whose keys were entered for the vendor. */
const storedWays: Record<string, (stage: Stage, opened: Opened, id: string) => Promise<unknown>> = {
  'a proxy and a certificate authority of its own': (stage, { connections }, id) =>
    connections.update(id, hostile(stage)),
  'the proxy first, the authority later': async (stage, { connections }, id) => {
    await connections.update(id, { proxyUrl: stage.proxy.url });
    await connections.update(id, { customCa: authority.certificate });
  },
  'a proxy and an http:// address': (stage, { connections }, id) =>
    connections.update(id, {
      proxyUrl: stage.plainProxy.url,
      groupAUrl: `http://${vendor}`,
      groupBUrl: `http://${vendor}`,
    }),
  'another address': (stage, { connections }, id) =>
    connections.update(id, { groupAUrl: stage.plain.url, groupBUrl: stage.plain.url }),
  'no address, then another': async (stage, { connections }, id) => {
    await connections.update(id, { groupAUrl: '', groupBUrl: '' });
    await connections.update(id, { groupAUrl: stage.plain.url, groupBUrl: stage.plain.url });
  },
  'a duplicate that leads elsewhere': async (stage, { connections }, id) => {
    const copy = await connections.duplicate(id);
    await connections.update(copy.id, hostile(stage));
  },
  'one key typed by the page, so that the other would follow': async (stage, { connections }, id) => {
    await connections.update(id, hostile(stage));
    await connections.setSecret(id, 'accessToken', 'typed-by-the-page-1');
    await connections.setSecret(id, 'proxyPassword', 'typed-by-the-page-2');
  },
  'another proxy for the proxy’s password': (stage, { connections }, id) =>
    connections.update(id, { proxyUrl: stage.proxy.url, proxyUser: 'ann' }),
};

describe('keys that were entered for a server', () => {
  for (const [way, attack] of Object.entries(storedWays)) {
    it(`are not sent elsewhere by ${way}, nor after the next start`, async () => {
      const stage = await setStage();
      const opened = await stage.open();
      const { id } = await opened.connections.create(cloud);
      for (const name of ['accessToken', 'apiKey', 'proxyPassword'] as const)
        await opened.connections.setSecret(id, name, keys[name]);
      await attack(stage, opened, id);
      await stage.callAll(opened);
      await opened.close();
      await stage.callAll(await stage.open());
      expect(stage.received()).not.toMatch(/planted/);
    });
  }

  it('are not sent through a proxy that was added to an http:// address', async () => {
    const stage = await setStage();
    const opened = await stage.open();
    const address = `http://${vendor}`;
    const { id } = await opened.connections.create({ ...cloud, groupAUrl: address, groupBUrl: address });
    await opened.connections.setSecret(id, 'apiKey', keys.apiKey);
    await opened.connections.update(id, { proxyUrl: stage.plainProxy.url });
    await stage.callAll(opened);
    expect(stage.plainProxy.asked.length + stage.plain.requests.length).toBe(0);
  });

  it('stay behind with a word of where they are for, and are back when the values are', async () => {
    const stage = await setStage();
    const { connections } = await stage.open();
    const { id } = await connections.create(cloud);
    await connections.setSecret(id, 'apiKey', keys.apiKey);
    for (const [changes, fault] of [
      [{ proxyUrl: stage.proxy.url }, /through http:\/\/127/],
      [{ customCa: authority.certificate }, /certificate authorities/],
      [{ groupBUrl: 'http://api.vendor.example' }, /now connects to http:\/\/api\.vendor\.example/],
    ] as const) {
      const moved = await connections.update(id, changes);
      expect(moved.secrets.apiKey).toEqual({
        configured: false,
        lastFour: '',
        fromEnvironment: false,
        boundElsewhere: { origin: `https://${vendor}`, proxy: '', ownCa: false, variable: '' },
      });
      await expect((await connections.resolve(id)).secret('apiKey')).rejects.toMatchObject({
        code: 'key_missing',
        message: expect.stringMatching(fault),
        hint: expect.stringContaining('likeness connections bind "Cloud"'),
      });
      const back = await connections.update(id, { proxyUrl: '', customCa: '', groupBUrl: cloud.groupBUrl });
      expect(back.secrets.apiKey).toMatchObject({ configured: true, boundElsewhere: null });
    }
    // Line ends and blanks at the end are no other certificate.
    await connections.update(id, { customCa: authority.certificate });
    await connections.setSecret(id, 'apiKey', keys.apiKey);
    const rewritten = authority.certificate.replaceAll('\n', '\r\n').concat('\n \n');
    expect((await connections.update(id, { customCa: rewritten })).secrets.apiKey.configured).toBe(true);
  });

  it('follow on a person’s word, to what was shown and nothing else', async () => {
    const stage = await setStage();
    const opened = await stage.open();
    const { connections } = opened;
    const { id } = await connections.create(cloud);
    await connections.setSecret(id, 'apiKey', keys.apiKey);
    await connections.update(id, hostile(stage));
    const shown = await connections.staleKeys(id);
    expect(shown.keys).toMatchObject([
      { name: 'apiKey', variable: '', to: { origin: `https://${vendor}`, proxy: stage.proxy.url } },
    ]);
    // While the question is open, the page leads the connection elsewhere.
    await connections.update(id, { groupBUrl: stage.plain.url, proxyUrl: '' });
    await connections.bind(shown);
    await stage.callAll(opened);
    expect(stage.received()).not.toContain(keys.apiKey);
    await connections.update(id, { ...hostile(stage), groupBUrl: cloud.groupBUrl });
    await stage.callAll(opened);
    // And so this stage is one on which a key could have been stolen.
    expect(stage.received()).toContain(keys.apiKey);
  });

  it('of schema 1 are bound to proxy and certificates of the first opening, also when they were locked then', async () => {
    const stage = await setStage();
    const first = await stage.open();
    const ids: Record<string, string> = {};
    for (const [name, changes] of Object.entries({
      Direct: {},
      Proxied: { proxyUrl: 'http://proxy.vendor.example:8080', customCa: authority.certificate },
    })) {
      ids[name] = (await first.connections.create({ ...cloud, name, ...changes })).id;
      for (const secret of ['apiKey', 'accessToken'] as const) {
        // As studios wrote them that bound keys to their origin alone.
        await first.keyStore.set(ids[name], secret, { value: keys[secret], origin: `https://${vendor}` });
      }
    }
    const clientKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const pem = clientKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await first.keyStore.set(ids.Direct ?? '', 'clientKey', { value: pem, origin: '' });
    await first.close();
    stage.backToSchema1();
    const updated = await stage.open();
    const stateOf = (profiles: Profile[], name: string, secret: SecretName): boolean | undefined =>
      profiles.find((profile) => profile.name === name)?.secrets[secret].configured;
    const listed = await updated.connections.list();
    for (const name of ['Direct', 'Proxied']) {
      expect([stateOf(listed, name, 'apiKey'), stateOf(listed, name, 'accessToken')]).toEqual([true, true]);
    }
    expect(stateOf(listed, 'Direct', 'clientKey')).toBe(true);
    await updated.connections.update(ids.Direct ?? '', hostile(stage));
    await updated.connections.update(ids.Proxied ?? '', { proxyUrl: stage.proxy.url });
    await stage.callAll(updated);
    await updated.close();
    const again = await stage.open();
    await stage.callAll(again);
    expect(stage.received()).not.toMatch(/planted/);
    const after = await again.connections.list();
    for (const secret of secretNames.filter((name) => name !== 'proxyPassword')) {
      expect(stateOf(after, 'Direct', secret), secret).toBe(false);
    }
  });
});

describe('keys from the environment', () => {
  const generic = { LIKENESS_API_KEY: keys.apiKey, LIKENESS_ACCESS_TOKEN: keys.accessToken };
  const named = { LIKENESS_CLOUD_API_KEY: keys.apiKey, LIKENESS_CLOUD_ACCESS_TOKEN: keys.accessToken };
  const toAttacker = ({ plain }: Stage) => ({ groupAUrl: plain.url, groupBUrl: plain.url });

  /** A studio in which the connection was there before the variables were. */
  const withCloud = async (environment: Record<string, string>) => {
    const stage = await setStage();
    const before = await stage.open();
    const { id } = await before.connections.create(cloud);
    await before.connections.setDefault(id);
    await before.close();
    return { stage, id, opened: await stage.open(environment) };
  };

  for (const [variables, environment] of Object.entries({ generic, named })) {
    it(`(${variables}) go where their connection led when the studio opened, and nowhere else`, async () => {
      const { stage, id, opened } = await withCloud(environment);
      expect(await (await opened.connections.resolve(id)).secret('apiKey')).toBe(keys.apiKey);
      for (const changes of [toAttacker(stage), { ...cloud, ...hostile(stage) }]) {
        await opened.connections.update(id, changes);
        await stage.callAll(opened);
      }
      expect((await opened.connections.profile(id)).secrets.apiKey).toMatchObject({
        configured: false,
        fromEnvironment: false,
        boundElsewhere: {
          origin: `https://${vendor}`,
          variable: expect.stringMatching(/^LIKENESS_.*API_KEY$/),
        },
      });
      await opened.close();
      // Neither does the next start, nor the command line.
      for (const hasPage of [true, false]) {
        const next = await stage.open(environment, hasPage);
        await stage.callAll(next);
        await next.close();
      }
      expect(stage.received()).not.toMatch(/planted/);
    });
  }

  it('never go to a connection that a page made or a file brought, not after the next start either', async () => {
    const stage = await setStage();
    const opened = await stage.open({ ...generic, ...named });
    await opened.connections.importProfiles(importFile({ ...cloud, ...toAttacker(stage) }));
    const made = await opened.connections.create({ ...cloud, name: 'Made', ...toAttacker(stage) });
    await opened.connections.setDefault(made.id);
    await stage.callAll(opened);
    await opened.close();
    await stage.callAll(await stage.open({ ...generic, ...named }));
    expect(stage.received()).not.toMatch(/planted/);
  });

  it('are not had by a new default, nor by a name that was given away', async () => {
    const { stage, id, opened } = await withCloud({ ...generic, ...named });
    const other = await opened.connections.create({ ...cloud, name: 'Other', ...toAttacker(stage) });
    await opened.connections.setDefault(other.id);
    await stage.callAll(opened);
    await opened.connections.update(id, { name: 'Was Cloud' });
    await opened.connections.update(other.id, { name: 'Cloud' });
    await stage.callAll(opened);
    await opened.connections.remove(id);
    await stage.callAll(opened);
    expect(stage.received()).not.toMatch(/planted/);
  });

  it('go where a person says, in the terminal or by the address beside them', async () => {
    const { stage, id, opened } = await withCloud(named);
    await opened.connections.update(id, toAttacker(stage));
    await opened.connections.bind(await opened.connections.staleKeys(id));
    await stage.callAll(opened);
    expect(stage.received()).toContain(keys.apiKey);
    await opened.close();

    const stated = await setStage();
    const environment = { ...named, LIKENESS_CLOUD_URL: `${stated.plain.url}/base` };
    const page = await stated.open(environment);
    const { id: madeByPage } = await page.connections.create({ ...cloud, ...toAttacker(stated) });
    expect(await (await page.connections.resolve(madeByPage)).secret('apiKey')).toBe(keys.apiKey);
    // The address says nothing of a proxy that a page put in between, and no other address is it.
    for (const changes of [{ proxyUrl: stated.plainProxy.url }, { ...cloud, groupAUrl: stated.tls.url }]) {
      await page.connections.update(madeByPage, changes);
      await expect((await page.connections.resolve(madeByPage)).secret('apiKey')).rejects.toMatchObject({
        code: 'key_missing',
      });
    }
  });

  it('are bound by their first use on the command line', async () => {
    const stage = await setStage();
    const page = await stage.open();
    const { id } = await page.connections.create({ ...cloud, ...toAttacker(stage) });
    await page.connections.setDefault(id);
    await page.close();
    const line = await stage.open(generic, false);
    await stage.callAll(line);
    expect(stage.received()).toContain(keys.apiKey);
    await line.close();
    const later = await stage.open(generic);
    await later.connections.update(id, cloud);
    await expect((await later.connections.resolve(id)).secret('apiKey')).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('LIKENESS_API_KEY was entered for http://127.0.0.1'),
    });
  });
});
