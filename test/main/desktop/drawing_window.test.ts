/** The window that nobody sees, which draws the film that a command asked for, as the built bundle opens it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BootedDesktop, bootDesktop } from '../../fixtures/electron/boot.ts';
import { openTakes, recordTake } from '../../support/recorded_takes.ts';

let home: string;
let desktop: BootedDesktop;
let command: ChildProcess | null = null;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-hidden-'));
});
afterEach(async () => {
  command?.kill('SIGKILL');
  command = null;
  await desktop[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** `likeness video` beside the open desktop app, which films the take. */
async function filmByCommand(): Promise<{ path: string; said: () => string; ended: Promise<number | null> }> {
  const takes = await openTakes(join(home, 'takes'));
  const id = await recordTake(takes);
  desktop = await bootDesktop({ dataFolder: home });
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
  const path = join(home, 'out', 'film.webm');
  const cli = join(import.meta.dirname, '../../../out/main/cli.js');
  const child = spawn(process.execPath, [cli, 'video', id, '-o', path], {
    env: { ...process.env, LIKENESS_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command = child;
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (text += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await expect.poll(hidden, { timeout: 60_000 }).toHaveLength(1);
  return { path, said: () => text, ended };
}

const hidden = () =>
  desktop.evaluate(({ electron }) =>
    electron.BrowserWindow.getAllWindows()
      .slice(1)
      .map((window) => ({
        options: window.options,
        url: window.webContents.mainFrame.url,
        visible: window.isVisible(),
      })),
  );

test('it is never shown, is our own page with its film, and is held to what the main window is held to', {
  timeout: 120_000,
}, async () => {
  await filmByCommand();
  await expect.poll(async () => (await hidden())[0]?.url).toMatch(/^likeness:\/\/app\/\?film=[\w-]+$/);
  const [window] = await hidden();
  expect(window).toMatchObject({ visible: false, options: { show: false } });
  const main = await desktop.evaluate(
    ({ electron }) => electron.BrowserWindow.getAllWindows()[0]!.options.webPreferences,
  );
  expect(window!.options.webPreferences).toEqual(main);
  const escapes = await desktop.evaluate(({ electron }) => {
    const contents = electron.BrowserWindow.getAllWindows()[1]!.webContents;
    contents.emit('stub:painted');
    return {
      went: contents.navigate('https://example.com/'),
      opened: contents.openWindow('https://example.com/'),
      webview: contents.attachWebview(),
    };
  });
  expect(escapes).toEqual({ went: false, opened: false, webview: false });
  expect((await hidden())[0]?.visible).toBe(false);
});

test('where it crashes the command says so, and nothing half is left of the film', {
  timeout: 120_000,
}, async () => {
  const { path, said, ended } = await filmByCommand();
  await desktop.evaluate(({ electron }) => {
    const contents = electron.BrowserWindow.getAllWindows()[1]!.webContents;
    contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  });
  expect(await ended).not.toBe(0);
  expect(said()).toContain('film');
  expect(await hidden()).toEqual([]);
  expect(existsSync(path)).toBe(false);
  expect(await readdir(join(home, 'out'))).toEqual([]);
});
