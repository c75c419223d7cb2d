/** Settings that are changed at the same time: none is written over by another. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSettings } from '../../main/settings/settings.ts';
import { createSettingsBackUp } from '../../main/settings/settings_back_up.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-settings-'));
  folders.push(folder);
  const path = join(folder, 'settings.json');
  const settings = await openSettings({ path, clock: Date.now, systemLanguage: 'en' });
  return { settings, onDisk: () => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> };
}

test('two that are changed with no pause between are both kept, in memory and on disk', async () => {
  const { settings, onDisk } = await open();
  const answers = await Promise.all([
    settings.change({ theme: 'light' }),
    settings.change({ language: 'zh-CN' }),
    settings.change({ interfaceSize: 125 }),
  ]);
  const all = { theme: 'light', language: 'zh-CN', interfaceSize: 125 };
  expect(settings.get()).toMatchObject(all);
  expect(onDisk()).toMatchObject(all);
  // An answer has what was asked for before it, too.
  expect(answers.map(({ theme, language }) => [theme, language])).toEqual([
    ['light', 'en'],
    ['light', 'zh-CN'],
    ['light', 'zh-CN'],
  ]);
});

test('what was made of a list that has changed since is refused, and changes nothing', async () => {
  const { settings } = await open();
  const smile = { name: 'Smile', weights: { mouthSmileLeft: 1 } };
  const frown = { name: 'Frown', weights: { mouthFrownLeft: 1 } };
  const { revision } = settings;
  const both = await Promise.all([
    settings.changeFrom(revision, { poses: [smile] }),
    settings.changeFrom(revision, { poses: [frown] }),
  ]);
  expect(both).toEqual([true, false]);
  expect(settings.get().poses).toEqual([smile]);
  expect(await settings.changeFrom(settings.revision, { poses: [smile, frown] })).toBe(true);
  const before = settings.revision;
  await settings.change({ theme: 'light' });
  expect(await settings.changeFrom(before, { poses: [] })).toBe(false);
  expect(settings.get()).toMatchObject({ theme: 'light', poses: [smile, frown] });
});

test('undoing a back-up leaves what the file does not set', async () => {
  const { settings } = await open();
  await settings.change({ theme: 'light' });
  const nothing = { list: async () => [] };
  const backUp = createSettingsBackUp({
    settings: settings.get,
    changeSettings: settings.change as never,
    connections: nothing as never,
    clock: Date.now,
  });
  const { text } = await backUp.save({});
  const { settings: saved, ...file } = JSON.parse(text) as { settings: Record<string, unknown> };
  await settings.change({ theme: 'dark' });
  await backUp.read(JSON.stringify({ ...file, settings: { theme: saved.theme } }));
  expect(settings.get().theme).toBe('light');
  await settings.change({ interfaceSize: 125 });
  await backUp.undo();
  expect(settings.get()).toMatchObject({ theme: 'dark', interfaceSize: 125 });
});
