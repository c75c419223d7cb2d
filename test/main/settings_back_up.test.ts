import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { translate } from '@likeness/messages';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longestBackUp, newProfile, type PageSettings } from '#contract';
import { Connections } from '../../main/connections/connections.ts';
import { KeyStore } from '../../main/connections/vault/key_store.ts';
import { openConfFile } from '../../main/connections/vault/secret_file.ts';
import { openSettings, type SettingsStore } from '../../main/settings/settings.ts';
import { createSettingsBackUp, type SettingsBackUp } from '../../main/settings/settings_back_up.ts';

const planted = 'planted-secret-0123456789';
const page: PageSettings = {
  live: '{"sensitivity":6,"keys":{"speak":"q"}}',
  libraryView: '{"layout":"list"}',
};

/** A studio's settings and connections on disk, as `createStudio` puts them together. */
interface Machine {
  settings: SettingsStore;
  connections: Connections;
  backUp: SettingsBackUp;
}
let folder: string;
let machines: Machine[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-back-up-'));
  machines = [];
});
afterEach(() => {
  for (const { connections } of machines) connections.close();
  rmSync(folder, { recursive: true, force: true });
});

async function machine(name: string): Promise<Machine> {
  const home = join(folder, name);
  const layout = prepareDataFolder(home);
  const { know } = createScrub();
  const clock = () => Date.UTC(2026, 10, 3);
  const keys = await KeyStore.open({
    folder: layout.keysFolder,
    openFile: openConfFile,
    system: null,
    passphrase: 'correct horse battery',
    clock,
    know,
  });
  let made = 0;
  const connections = await Connections.open({
    database: layout.connectionsDatabase,
    keys,
    builtIn: () => Promise.reject(new Error('not asked for here')),
    clock,
    randomId: () => {
      made += 1;
      return `${name}-${made}`;
    },
    environment: {},
    hasPage: true,
    know,
    warn: () => undefined,
    onChanged: () => undefined,
    onKeyStoreChanged: () => undefined,
  });
  const settings = await openSettings({ path: layout.settingsFile, clock, systemLanguage: 'en' });
  const backUp = createSettingsBackUp({
    settings: settings.get,
    changeSettings: (changes) => settings.change(changes),
    connections,
    clock,
  });
  const one = { settings, connections, backUp };
  machines.push(one);
  return one;
}

async function lived(): Promise<Machine> {
  const old = await machine('old');
  await old.settings.change({
    theme: 'light',
    welcomed: true,
    frameRate: '30',
    headExport: { format: 'obj', names: 'vrm' },
    poses: [{ name: 'Grin', weights: { mouthSmileLeft: 0.6 } }],
  });
  const { id } = await old.connections.create({
    ...newProfile,
    name: 'Nord',
    groupAUrl: 'https://a.example',
    groupBUrl: 'https://b.example',
    monthlyCap: 40,
  });
  await old.connections.setSecret(id, 'accessToken', planted);
  await old.connections.setSecret(id, 'apiKey', `${planted}-b`);
  await old.connections.setDefault(id);
  return old;
}

it('takes all settings and connections to another machine, no key among them, and back by undo', async () => {
  const old = await lived();
  const file = await old.backUp.save(page);
  expect(file.fileName).toBe('likeness-settings-2026-11-03.json');
  expect(file.text).not.toContain('planted');
  expect(file.text).not.toMatch(/secret|lastFour|configured/);

  const young = await machine('young');
  const before = young.settings.get();
  const compared = await young.backUp.compare(file.text);
  expect(compared).toMatchObject({ problem: null, madeAt: Date.UTC(2026, 10, 3), leftOut: [] });
  expect(compared.changes).toEqual(
    expect.arrayContaining([
      { what: 'setting', name: 'theme', fields: [], from: '"dark"', to: '"light"' },
      { what: 'connection_added', name: 'Nord', fields: [], from: '', to: '' },
      expect.objectContaining({ what: 'default_connection', to: '"Nord"' }),
    ]),
  );
  // It only looked.
  expect(young.settings.get()).toEqual(before);
  expect(await young.connections.list()).toHaveLength(1);

  const read = await young.backUp.read(file.text);
  expect(
    Object.fromEntries(Object.entries(read.page).map(([name, text]) => [name, JSON.parse(text ?? '')])),
  ).toEqual({ live: { sensitivity: 6, keys: { speak: 'q' } }, libraryView: { layout: 'list' } });
  // Whether somebody was welcomed is no choice of theirs.
  expect(young.settings.get()).toEqual({ ...old.settings.get(), welcomed: false });
  const nord = (await young.connections.list()).find(({ name }) => name === 'Nord');
  expect(nord).toMatchObject({ isDefault: true, monthlyCap: 40, secrets: { apiKey: { configured: false } } });
  expect((await young.backUp.compare(file.text)).changes).toEqual([]);

  await young.backUp.undo();
  expect(young.settings.get()).toEqual(before);
  expect((await young.connections.list()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
    [expect.any(String), true],
  ]);
  await expect(young.backUp.undo()).rejects.toMatchObject({ code: 'not_found' });
});

it('sets a connection of the same name as the file says, and says which fields; its keys stay with their server', async () => {
  const old = await lived();
  const { text } = await old.backUp.save({});
  const nord = (await old.connections.list()).find(({ name }) => name === 'Nord')!;
  await old.connections.update(nord.id, { groupBUrl: 'https://other.example', monthlyCap: 9 });
  const lab = await old.connections.create({ ...newProfile, name: 'Lab' });
  expect((await old.backUp.compare(text)).changes).toEqual([
    {
      what: 'connection_changed',
      name: 'Nord',
      fields: ['groupBUrl', 'monthlyCap'],
      from: 'https://other.example',
      to: 'https://b.example',
    },
  ]);
  await old.backUp.read(text);
  const after = await old.connections.list();
  expect(after.find(({ id }) => id === nord.id)).toMatchObject({
    groupBUrl: 'https://b.example',
    secrets: { apiKey: { configured: true } },
  });
  // What the file does not name stays.
  expect(after.some(({ id }) => id === lab.id)).toBe(true);
  await old.backUp.undo();
  expect(await old.connections.details(nord.id)).toMatchObject({ groupBUrl: 'https://other.example' });
});

it.each([
  ['too_large', ' '.repeat(longestBackUp + 1)],
  ['empty', ' \n'],
  ['not_json', '{"format": "likeness-set'],
  ['not_json', '\u0000PNG'],
  ['not_settings', '[]'],
  ['not_settings', '{"format":"likeness-connections","version":1,"profiles":[]}'],
  ['newer', '{"format":"likeness-settings","version":2,"settings":{"theme":"light"}}'],
] as const)('a file that is %s changes nothing and is told so', async (problem, text) => {
  const { backUp, settings } = await machine('one');
  const before = settings.get();
  expect(await backUp.compare(text)).toMatchObject({ problem, changes: [] });
  expect(await backUp.read(text)).toMatchObject({ problem, changes: [] });
  expect(settings.get()).toEqual(before);
  await expect(backUp.undo()).rejects.toMatchObject({ code: 'not_found' });
});

it('takes what makes sense of a file that was written by hand, says what does not, and no key written into it', async () => {
  const { backUp, settings, connections } = await machine('one');
  const text = JSON.stringify({
    format: 'likeness-settings',
    version: 1,
    settings: { theme: 'sepia', interfaceSize: 125, later: 1, __proto__: { theme: 'light' } },
    connections: [
      { name: 'Hand', groupAUrl: 'https://a.example', apiKey: planted },
      { name: 'hand', groupAUrl: 'https://b.example' },
      7,
    ],
    defaultConnection: 'nobody',
    page: { live: { notes: 'x'.repeat(70_000) } },
  });
  const { leftOut, changes, page } = await backUp.read(text);
  expect(leftOut.map((said) => translate(said, 'en'))).toEqual(
    expect.arrayContaining([
      'theme',
      expect.stringContaining('apiKey'),
      expect.stringContaining('[2]'),
      'page',
    ]),
  );
  expect(
    leftOut.map((said) => translate(said, 'zh-CN')).filter((said) => /: .*\p{Script=Han}/u.test(said)),
  ).toHaveLength(2);
  expect(JSON.stringify([leftOut, changes])).not.toContain('planted');
  expect(page).toEqual({});
  expect(settings.get()).toMatchObject({ theme: 'dark', interfaceSize: 125 });
  expect((await connections.list()).map(({ name }) => name)).toContain('hand');
  expect(await readFile(join(folder, 'one', 'settings.json'), 'utf8')).not.toContain('later');
});

it('all or nothing: where a connection is refused, nothing is other than before', async () => {
  const old = await lived();
  const { text } = await old.backUp.save({});
  const young = await machine('young');
  const before = young.settings.get();
  const failing = createSettingsBackUp({
    settings: young.settings.get,
    changeSettings: (changes) => young.settings.change(changes),
    connections: Object.assign(Object.create(young.connections), {
      list: () => young.connections.list(),
      create: () => Promise.reject(new Error('disk full')),
      setDefault: (id: string) => young.connections.setDefault(id),
    }),
    clock: Date.now,
  });
  await expect(failing.read(text)).rejects.toThrow('disk full');
  expect(young.settings.get()).toEqual(before);
});
