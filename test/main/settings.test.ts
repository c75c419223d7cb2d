import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSettings } from '../../main/settings/settings.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rm(folder, { recursive: true }));

/** What came in after the first versions. */
const later = {
  frameRate: 'display',
  drawQuality: 'auto',
  defaultHead: 'default',
  headExport: { format: 'glb', names: 'as-is' },
  takeExport: 'livelink',
  rememberExport: true,
  headPresets: [],
  takePresets: [],
  shortcuts: {},
};

const open = (systemLanguage = 'en-GB') =>
  openSettings({ path, clock: () => Date.UTC(2026, 10, 3), systemLanguage });

it('starts in the system’s language where it speaks it', async () => {
  expect((await open('zh-Hans-CN')).get().language).toBe('zh-CN');
  expect((await open('de')).get().language).toBe('en');
});

it('keeps what was changed over a restart', async () => {
  await (await open()).change({ theme: 'light', welcomed: true });
  expect((await open()).get()).toMatchObject({ theme: 'light', welcomed: true, language: 'en' });
});

it('migrates a file without version, keeps what makes sense and gives the rest its default', async () => {
  await writeFile(path, JSON.stringify({ theme: 'light', language: 'tlh', later: 1 }));
  const settings = await open();
  expect(settings.get()).toEqual({
    theme: 'light',
    language: 'en',
    reducedMotion: 'system',
    notifications: true,
    interfaceSize: 100,
    welcomed: false,
    lookForUpdates: 'unasked',
    installOnQuit: false,
    poses: [],
    pronunciations: [],
    ...later,
  });
  await settings.change({ notifications: false });
  expect(JSON.parse(await readFile(path, 'utf8')).schemaVersion).toBe(1);
});

it('takes an older studio’s file as it is, and no agreement that nobody gave', async () => {
  const older = {
    schemaVersion: 1,
    language: 'zh-CN',
    theme: 'system',
    reducedMotion: 'on',
    notifications: false,
    welcomed: true,
  };
  await writeFile(path, JSON.stringify(older));
  const { schemaVersion: _version, ...kept } = older;
  const settings = await open();
  expect(settings.get()).toEqual({
    ...kept,
    interfaceSize: 100,
    lookForUpdates: 'unasked',
    installOnQuit: false,
    poses: [],
    pronunciations: [],
    ...later,
  });
  await writeFile(path, JSON.stringify({ ...older, lookForUpdates: true, installOnQuit: 'yes' }));
  expect((await open()).get()).toMatchObject({ lookForUpdates: 'unasked', installOnQuit: false });
});

it('keeps changed keys, and the default keys where the file has no such list', async () => {
  await (await open()).change({ shortcuts: { 'studio.palette': ['Ctrl+P'], 'heads.pick': [] } });
  expect((await open()).get().shortcuts).toEqual({ 'studio.palette': ['Ctrl+P'], 'heads.pick': [] });
  await writeFile(
    path,
    JSON.stringify({ schemaVersion: 1, theme: 'light', shortcuts: { 'heads.pick': 'P' } }),
  );
  expect((await open()).get()).toMatchObject({ theme: 'light', shortcuts: {} });
});

it('keeps a damaged file aside and says so', async () => {
  await writeFile(path, '{"theme": "li');
  const settings = await open();
  expect(inEnglish(settings.problem ?? '')).toContain('damaged');
  expect(settings.get().theme).toBe('dark');
  expect(await readdir(folder)).toEqual([expect.stringContaining('damaged-20261103')]);
});

it('leaves a newer file alone', async () => {
  const newer = JSON.stringify({ schemaVersion: 99, theme: 'sepia' });
  await writeFile(path, newer);
  await expect(open()).rejects.toMatchObject({ code: 'storage', hint: expect.stringContaining('Update') });
  expect(await readFile(path, 'utf8')).toBe(newer);
});
