/**
 * The stub is worth as much as it refuses: what Electron throws at, and what it grants when nobody says no.
 */
import { beforeEach, expect, test } from 'vitest';

const fresh = (): Promise<typeof import('../../fixtures/electron/index.ts')> =>
  import(`../../fixtures/electron/index.ts?fresh=${process.hrtime.bigint()}`);
let electron: Awaited<ReturnType<typeof fresh>>;
beforeEach(async () => {
  electron = await fresh();
});

test('before ready there is no window, session, screen, menu, process or key store', async () => {
  expect(() => new electron.BrowserWindow()).toThrow(/before app is ready/);
  expect(() => electron.session.defaultSession).toThrow(/before app is ready/);
  expect(() => electron.protocol.handle('likeness', () => new Response())).toThrow(/before app is ready/);
  expect(() => electron.screen.getAllDisplays()).toThrow(/before app|ready/);
  expect(() => electron.Menu.buildFromTemplate([])).toThrow(/ready/);
  expect(() => electron.utilityProcess.fork(import.meta.filename)).toThrow(/before app is ready/);
  expect(electron.safeStorage.getSelectedStorageBackend()).toBe('unknown');
  await expect(electron.safeStorage.encryptStringAsync('key')).rejects.toThrow(/ready/);
});

test('after ready it is too late for sandbox, schemes and paths', () => {
  electron.app.becomeReady();
  expect(() => electron.app.enableSandbox()).toThrow(/only be called before app is ready/);
  expect(() => electron.protocol.registerSchemesAsPrivileged([])).toThrow(
    /only be called before app is ready/,
  );
  expect(() => electron.app.setPath('userData', '/tmp')).toThrow(/only be called before app is ready/);
});

test('what nobody denies is granted', async () => {
  electron.app.becomeReady();
  const window = new electron.BrowserWindow();
  const { defaultSession } = electron.session;
  expect(await defaultSession.askPermission(window.webContents, 'geolocation', {})).toBe(true);
  expect(
    defaultSession.checkPermission(window.webContents, 'usb', 'https://example.com', { isMainFrame: true }),
  ).toBe(true);
  expect(await defaultSession.requestAllowed('https://example.com')).toBe(true);
  expect(window.webContents.navigate('https://example.com')).toBe(true);
  expect(window.webContents.openWindow('https://example.com')).toBe(true);
  expect(window.webContents.attachWebview()).toBe(true);
  expect(defaultSession.download(window.webContents, 'https://example.com/x.exe', 'x.exe')).not.toBeNull();
});

test('handlers are registered once, errors lose their fields, what can’t be cloned is refused', async () => {
  electron.app.becomeReady();
  const { webContents } = new electron.BrowserWindow();
  electron.ipcMain.handle('fails', () => {
    throw Object.assign(new Error('no'), { code: 'not_found' });
  });
  expect(() => electron.ipcMain.handle('fails', () => {})).toThrow(/second handler/);
  const error = await webContents.invoke('fails', []).catch((reason: unknown) => reason);
  expect(String(error)).toContain("Error invoking remote method 'fails'");
  expect(error).not.toHaveProperty('code');
  electron.ipcMain.handle('function', () => () => {});
  await expect(webContents.invoke('function', [])).rejects.toThrow(/clone/);
});

test('a page of a scheme that was not made standard has no origin, and without a handler no answer', async () => {
  electron.protocol.registerSchemesAsPrivileged([{ scheme: 'likeness', privileges: { standard: true } }]);
  electron.app.becomeReady();
  const window = new electron.BrowserWindow();
  await expect(window.loadURL('other://app/')).rejects.toThrow(/no standard scheme/);
  await expect(window.loadURL('likeness://app/')).rejects.toThrow(/ERR_UNKNOWN_URL_SCHEME/);
});

test('ports hold messages until they are started, and carry no buffer by transfer', async () => {
  const { port1, port2 } = new electron.MessageChannelMain();
  const heard: unknown[] = [];
  port2.on('message', ({ data }: { data: unknown }) => heard.push(data));
  port1.postMessage('early');
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(heard).toEqual([]);
  port2.start();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(heard).toEqual(['early']);
  expect(() => port1.postMessage('x', [new ArrayBuffer(1)])).toThrow(/transfer/);
});
