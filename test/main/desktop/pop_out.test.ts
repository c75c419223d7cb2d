/** The live head's own window, as the built bundle opens it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BootedDesktop, bootDesktop } from '../../fixtures/electron/boot.ts';

let desktop: BootedDesktop;
beforeAll(async () => {
  desktop = await bootDesktop();
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
});
afterAll(() => desktop[Symbol.asyncDispose]());

const plain = { width: 720, height: 720, transparent: false, onTop: false };
const popOut = (options: object, from: 'top' | 'inner' | { origin: string } = 'top') =>
  desktop.evaluate(
    ({ page }, [input, sender]) => page!.invoke('studio:call', ['live.popOut', input], sender),
    [options, from] as const,
  ) as Promise<{ ok: boolean; error?: { code: string } }>;
const popOuts = () =>
  desktop.evaluate(({ electron }) =>
    electron.BrowserWindow.getAllWindows()
      .slice(1)
      .map((window) => ({
        options: window.options,
        url: window.webContents.mainFrame.url,
        bounds: window.getBounds(),
        onTop: window.onTop,
        visible: window.isVisible(),
      })),
  );

// Only the studio's window is left.
beforeEach(() =>
  desktop.evaluate(({ electron }) => {
    for (const window of electron.BrowserWindow.getAllWindows().slice(1)) window.destroy();
  }),
);

test('it is our own page, without a frame, held to what the main window is held to', async () => {
  expect(await popOut({ ...plain, onTop: true })).toMatchObject({ ok: true });
  await expect.poll(async () => (await popOuts())[0]?.visible).toBe(true);
  const [shown, ...more] = await popOuts();
  expect(more).toEqual([]);
  expect(shown).toMatchObject({
    url: 'likeness://app/#/pop-out',
    onTop: true,
    options: { frame: false, transparent: false, resizable: true, width: 720, height: 720 },
  });
  const main = await desktop.evaluate(
    ({ electron }) => electron.BrowserWindow.getAllWindows()[0]!.options.webPreferences,
  );
  expect(shown!.options.webPreferences).toEqual(main);
  const escapes = await desktop.evaluate(({ electron }) => {
    const contents = electron.BrowserWindow.getAllWindows()[1]!.webContents;
    return {
      went: contents.navigate('https://example.com/'),
      opened: contents.openWindow('https://example.com/'),
      webview: contents.attachWebview(),
    };
  });
  expect(escapes).toEqual({ went: false, opened: false, webview: false });
});

test('there is one: it is changed, and made anew in its place where it becomes transparent', async () => {
  await popOut(plain);
  await popOut({ ...plain, width: 1080, height: 1080, onTop: true });
  const [larger, ...more] = await popOuts();
  expect(more).toEqual([]);
  expect(larger).toMatchObject({ bounds: { width: 1080, height: 1080 }, onTop: true });
  await desktop.evaluate(({ electron }) =>
    electron.BrowserWindow.getAllWindows()[1]!.setBounds({ x: 40, y: 60, width: 1080, height: 1080 }),
  );
  await popOut({ ...plain, transparent: true });
  const [clear, ...others] = await popOuts();
  expect(others).toEqual([]);
  expect(clear!.options).toMatchObject({
    x: 40,
    y: 60,
    transparent: true,
    resizable: false,
    backgroundColor: '#00000000',
  });
});

test('nobody else opens it, and not of a size that covers all screens', async () => {
  for (const sender of ['inner', { origin: 'https://example.com' }] as const)
    expect(await popOut(plain, sender)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  for (const wrong of [{ ...plain, width: 100_000 }, { ...plain, height: 0 }, {}])
    expect(await popOut(wrong)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await popOuts()).toEqual([]);
});

// Last: it ends the desktop.
test('it goes with the studio’s window, and alone when its page crashes', async () => {
  await popOut(plain);
  await desktop.evaluate(({ electron }) => {
    const contents = electron.BrowserWindow.getAllWindows()[1]!.webContents;
    contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  });
  expect(await popOuts()).toEqual([]);
  await popOut(plain);
  await desktop.evaluate(({ electron }) => electron.BrowserWindow.getAllWindows()[0]!.destroy());
  expect(await desktop.ended).toBe(0);
});
