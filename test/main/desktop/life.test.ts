/** Starting, staying and ending, in the built bundle. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BootedDesktop, type BootOptions, bootDesktop } from '../../fixtures/electron/boot.ts';

async function booted(options?: BootOptions): Promise<BootedDesktop> {
  const desktop = await bootDesktop(options);
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
  return desktop;
}

describe('while it is open', () => {
  let desktop: BootedDesktop;
  beforeAll(async () => {
    desktop = await booted();
  });
  afterAll(() => desktop[Symbol.asyncDispose]());

  test('the window appears once there is something to see', async () => {
    await desktop.until(({ electron }) => electron.BrowserWindow.getAllWindows()[0]!.isVisible());
  });

  test('a second start brings the first window forward, and ends', async () => {
    await using second = await bootDesktop({ env: { STUB_SECOND_INSTANCE: '1' } });
    expect(await second.ended).toBe(0);
    expect(existsSync(join(second.dataFolder, 'window.json'))).toBe(false);

    await desktop.evaluate(({ electron }) => {
      electron.BrowserWindow.getAllWindows()[0]!.minimize();
      electron.app.emit('second-instance', {}, [], '');
    });
    expect(await desktop.evaluate(({ record }) => record.order.slice(-2))).toEqual(['restore', 'focus']);
  });

  test('a data folder that another entry uses is left alone, with the reason', async () => {
    await using second = await bootDesktop({ dataFolder: desktop.dataFolder });
    expect(await second.ended).toBe(1);
    expect(await desktop.evaluate(({ record }) => record.exitCode)).toBe(undefined);
  });

  test('a page that crashes is loaded again; one that keeps crashing only when the person wants it', async () => {
    const crash = () =>
      desktop.evaluate(async ({ electron, page }) => {
        electron.app.emit('render-process-gone', {}, page, { reason: 'crashed', exitCode: 11 });
        await new Promise((resolve) => setImmediate(resolve));
        return page!.reloads;
      });
    expect(await crash()).toBe(1);
    expect(await crash()).toBe(2);
    expect(await crash()).toBe(3);
    await crash();
    await desktop.until(({ page }) => page!.reloads === 4);
    expect(await desktop.evaluate(({ record }) => record.messageBoxes.length)).toBe(1);
    await desktop.evaluate(({ electron, page }) =>
      electron.app.emit('render-process-gone', {}, page, { reason: 'clean-exit', exitCode: 0 }),
    );
    expect(await desktop.evaluate(({ page }) => page!.reloads)).toBe(4);
  });

  test('the menu speaks the person’s language and follows the setting', async () => {
    const labels = () =>
      desktop.evaluate(({ electron }) => electron.Menu.application!.all().map(({ label }) => label ?? ''));
    expect(await labels()).toContain('Portraits');
    const changed = await desktop.evaluate(({ page }) =>
      page!.invoke('studio:call', ['app.changeSettings', { language: 'zh-CN', theme: 'light' }]),
    );
    expect(changed).toMatchObject({ ok: true });
    expect(await labels()).toContain('肖像');
    expect(await desktop.evaluate(({ electron }) => electron.nativeTheme.themeSource)).toBe('light');
  });
});

test('quitting while heads are made asks first, in the person’s language', async () => {
  await using desktop = await booted({
    env: { STUB_UTILITY: fileURLToPath(new URL('./busy_engine.ts', import.meta.url)) },
  });
  const status = await desktop.evaluate(({ page }) => page!.invoke('studio:call', ['engine.restart']));
  expect(status).toMatchObject({ ok: true, value: { state: 'running' } });
  await desktop.until(async ({ page }) => {
    const answer = (await page!.invoke('studio:call', ['engine.status'])) as { value: { running: number } };
    return answer.value.running === 1;
  });

  await desktop.evaluate(({ electron }) => electron.app.quit());
  await desktop.until(({ record }) => record.messageBoxes.length === 1);
  const [asked] = await desktop.evaluate(({ record }) => record.messageBoxes);
  expect(asked).toMatchObject({ buttons: ['Keep working', 'Quit anyway'], defaultId: 0, cancelId: 0 });
  expect(asked!.detail).toContain('Heads are being made');
  const still = await desktop.evaluate(({ electron, record }) => ({
    windows: electron.BrowserWindow.getAllWindows().length,
    exitCode: record.exitCode,
  }));
  expect(still).toEqual({ windows: 1, exitCode: undefined });

  await desktop.evaluate(({ electron, record }) => {
    record.messageBoxAnswers.push(1);
    electron.BrowserWindow.getAllWindows()[0]!.close();
  });
  expect(await desktop.ended).toBe(0);
});

test('closing the window ends the app where that is the custom', async () => {
  await using desktop = await booted();
  await desktop.evaluate(({ electron }) => electron.BrowserWindow.getAllWindows()[0]!.close());
  expect(await desktop.ended).toBe(0);
});

// Three apps start, one after the other.
test('quitting ends it, and the window opens again where it was, or in sight where that screen is gone', {
  timeout: 180_000,
}, async () => {
  await using desktop = await booted();
  await desktop.evaluate(({ electron }) => {
    electron.BrowserWindow.getAllWindows()[0]!.setBounds({ x: 2000, y: 100, width: 1100, height: 700 });
    electron.app.quit();
  });
  expect(await desktop.ended).toBe(0);
  const kept = join(desktop.dataFolder, 'window.json');
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ x: 2000, y: 100, width: 1100, height: 700 });

  const bounds = async (folder: string) => {
    await using again = await booted({ dataFolder: folder });
    return await again.evaluate(({ electron }) => electron.BrowserWindow.getAllWindows()[0]!.options);
  };
  expect(await bounds(desktop.dataFolder)).toMatchObject({ x: 2000, y: 100, width: 1100, height: 700 });
  writeFileSync(kept, JSON.stringify({ x: 9000, y: 0, width: 1100, height: 700, maximized: false }));
  expect(await bounds(desktop.dataFolder)).not.toHaveProperty('x');
});

test('`--cli` runs the command line, and opens no window', async () => {
  await using desktop = await bootDesktop({
    parameters: ['--ozone-platform=headless', '--cli', '--', '--version'],
  });
  expect(await desktop.ended).toBe(0);
  expect(desktop.output()).toMatch(/^\d+\.\d+\.\d+$/m);
});

test('`--cli` tells of a mistake by its exit code', async () => {
  await using desktop = await bootDesktop({ parameters: ['--cli', 'no-such-command'] });
  expect(await desktop.ended).not.toBe(0);
});
