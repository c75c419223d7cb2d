/**
 * A start without Chromium's sandbox, as an AppImage's launcher makes one where user namespaces are
 * forbidden.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxIsOff } from '../../../main/shell/electron/sandbox.ts';
import { bootDesktop } from '../../fixtures/electron/boot.ts';

test.each([
  [{ parameters: ['--no-sandbox'] }],
  // Electron goes by its being there, not by its value.
  [{ env: { ELECTRON_DISABLE_SANDBOX: '' } }],
])('%j asks before there is a page or a studio, and quits unless told otherwise', async (options) => {
  await using desktop = await bootDesktop(options);
  expect(await desktop.ended).toBe(0);
  // The studio makes these before it can send anything: there was none.
  for (const name of ['connections.db', 'batch', 'window.json']) {
    expect(existsSync(join(desktop.dataFolder, name)), name).toBe(false);
  }
});

test('what is asked says what to do, in the person’s language, and quitting is what Enter and Escape do', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'likeness-desktop-'));
  writeFileSync(join(dataFolder, 'settings.json'), JSON.stringify({ schemaVersion: 1, language: 'zh-CN' }));
  await using desktop = await bootDesktop({
    parameters: ['--no-sandbox'],
    dataFolder,
    env: { STUB_MESSAGE_BOX: 'held' },
  });
  await desktop.until(({ record }) => record.messageBoxes.length === 1);
  const seen = await desktop.evaluate(({ record, electron }) => ({
    asked: record.messageBoxes[0],
    windows: electron.BrowserWindow.getAllWindows().length,
    forked: record.forked.length,
    channels: electron.ipcMain.channels(),
  }));
  expect(seen.asked).toMatchObject({
    type: 'warning',
    buttons: ['退出', '在没有沙箱的情况下继续'],
    defaultId: 0,
    cancelId: 0,
  });
  expect(seen.asked?.detail).toMatch(/\.deb[\s\S]*AppArmor[\s\S]*chrome-sandbox/);
  expect(seen).toMatchObject({ windows: 0, forked: 0, channels: [] });
});

test('who goes on all the same has it said in the window the whole run, and can quit there', async () => {
  await using desktop = await bootDesktop({
    parameters: ['--no-sandbox'],
    env: { STUB_MESSAGE_BOX: '1' },
  });
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
  expect(await desktop.evaluate(({ page }) => page!.invoke('studio:call', ['app.info']))).toMatchObject({
    ok: true,
    value: { unprotected: true },
  });
  await desktop.evaluate(({ page }) => page!.invoke('studio:call', ['app.quit']));
  expect(await desktop.ended).toBe(0);
});

test('with its sandbox the app asks nothing', async () => {
  await using desktop = await bootDesktop();
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
  const seen = await desktop.evaluate(async ({ page, record }) => ({
    asked: record.messageBoxes.length,
    info: await page!.invoke('studio:call', ['app.info']),
  }));
  expect(seen).toMatchObject({ asked: 0, info: { value: { unprotected: false } } });
});

describe('signs of a missing sandbox', () => {
  const kernel = (files: Record<string, string>) => (path: string) => files[path] ?? null;
  const off = (switches: string[], files: Record<string, string> = {}, platform: NodeJS.Platform = 'linux') =>
    sandboxIsOff({
      hasSwitch: (name) => switches.includes(name),
      environment: {},
      platform,
      read: kernel(files),
    });
  const restricted = { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' };

  test.each([['no-sandbox'], ['disable-seccomp-filter-sandbox'], ['single-process']])('--%s', (name) => {
    expect(off([name])).toBe(true);
    expect(off([name], {}, 'win32')).toBe(true);
  });

  test('--disable-setuid-sandbox, where nothing else makes one', () => {
    expect(off(['disable-setuid-sandbox'])).toBe(false);
    expect(off(['disable-setuid-sandbox', 'disable-namespace-sandbox'])).toBe(true);
    expect(off(['disable-setuid-sandbox'], { '/proc/sys/user/max_user_namespaces': '0\n' })).toBe(true);
    expect(off(['disable-setuid-sandbox'], { '/proc/sys/kernel/unprivileged_userns_clone': '0\n' })).toBe(
      true,
    );
    expect(
      off(['disable-setuid-sandbox'], { ...restricted, '/proc/self/attr/current': 'unconfined\n' }),
    ).toBe(true);
    // With the profile that the .deb brings.
    expect(
      off(['disable-setuid-sandbox'], {
        ...restricted,
        '/proc/self/attr/current': 'likeness-studio (unconfined)\n',
      }),
    ).toBe(false);
  });

  test('none of these alone', () => {
    expect(off([])).toBe(false);
    expect(off([], { ...restricted, '/proc/self/attr/current': 'unconfined' })).toBe(false);
    expect(off(['ozone-platform', 'disable-gpu'])).toBe(false);
  });
});
