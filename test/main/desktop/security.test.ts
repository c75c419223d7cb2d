/** What a security review of the desktop app would look at, in the built bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BootedDesktop, bootDesktop } from '../../fixtures/electron/boot.ts';

let desktop: BootedDesktop;
beforeAll(async () => {
  desktop = await bootDesktop();
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
});
afterAll(() => desktop[Symbol.asyncDispose]());

const elsewhere = [
  'https://example.com/',
  'http://127.0.0.1:8080/',
  'file:///etc/passwd',
  'data:text/html,<h1>no</h1>',
  'javascript:alert(1)',
  'likeness://other/',
  'likeness://app.example.com/',
];

describe('before anything is shown', () => {
  test('sandbox, scheme and instance lock come before ready, the window after', async () => {
    const order = await desktop.evaluate(({ record }) => record.order);
    const ready = order.indexOf('ready');
    for (const early of ['enableSandbox', 'registerSchemesAsPrivileged', 'requestSingleInstanceLock']) {
      expect(order.indexOf(early), early).toBeGreaterThanOrEqual(0);
      expect(order.indexOf(early), early).toBeLessThan(ready);
    }
    expect(order.indexOf('BrowserWindow')).toBeGreaterThan(ready);
    expect(order.at(-1)).toBe('loaded likeness://app/');
  });

  test('the scheme is standard and secure, and neither passes by a CSP nor runs service workers', async () => {
    expect(await desktop.evaluate(({ record }) => record.privilegedSchemes)).toEqual([
      {
        scheme: 'likeness',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
      },
    ]);
  });

  test('everything lies in the data folder, Chromium’s own in a folder within', async () => {
    const paths = await desktop.evaluate(({ record }) => record.paths);
    expect(paths.userData).toBe(desktop.dataFolder);
    expect(paths.sessionData?.startsWith(desktop.dataFolder)).toBe(true);
  });
});

test('the window is sandboxed, isolated and without Node', async () => {
  const options = await desktop.evaluate(({ electron }) =>
    electron.BrowserWindow.getAllWindows().map((window) => window.options),
  );
  expect(options).toHaveLength(1);
  const { webPreferences, show } = options[0]!;
  expect(webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  });
  expect(webPreferences).not.toHaveProperty('enableBlinkFeatures');
  expect(webPreferences).not.toHaveProperty('additionalArguments');
  expect(isAbsolute(webPreferences!.preload!)).toBe(true);
  expect(webPreferences!.preload).toMatch(/out[\\/]preload[\\/]index\.cjs$/);
  expect(show).toBe(false);
});

test('only a clone has developer tools', async () => {
  expect(
    await desktop.evaluate(
      ({ electron }) => electron.BrowserWindow.getAllWindows()[0]?.options.webPreferences?.devTools,
    ),
  ).toBe(true);
  await using packaged = await bootDesktop({
    env: { STUB_PACKAGED: '1' },
    parameters: ['--remote-debugging-port=9222', '--remote-debugging-pipe'],
  });
  await packaged.until(({ page }) => page !== undefined);
  const seen = await packaged.evaluate(async ({ electron }) => ({
    devTools: electron.BrowserWindow.getAllWindows()[0]?.options.webPreferences?.devTools,
    roles: electron.Menu.application?.all().map(({ role }) => role ?? ''),
    debuggers: ['remote-debugging-port', 'remote-debugging-pipe'].filter((name) =>
      electron.app.commandLine.hasSwitch(name),
    ),
    devtoolsReached: await electron.session.defaultSession.requestAllowed(
      'devtools://devtools/bundled/x.html',
    ),
  }));
  expect(seen.devTools).toBe(false);
  expect(seen.roles).not.toContain('toggleDevTools');
  expect(seen.roles).not.toContain('reload');
  expect(seen.debuggers).toEqual([]);
  expect(seen.devtoolsReached).toBe(false);
});

describe('pages', () => {
  const fetched = (url: string, init?: { method?: string; headers?: Record<string, string> }) =>
    desktop.evaluate(
      async ({ electron }, [address, options]) => {
        const response = await electron.session.defaultSession.fetch(address, options);
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        };
      },
      [url, init] as const,
    );

  test('come with a CSP of our own origin only and the other headers', async () => {
    const { status, headers } = await fetched('likeness://app/');
    expect(status).toBe(200);
    const policy = Object.fromEntries(
      headers['content-security-policy']!.split(';').map((part) => {
        const [name, ...sources] = part.trim().split(/\s+/);
        return [name, sources];
      }),
    );
    expect(policy['default-src']).toEqual(["'none'"]);
    expect(policy['script-src']).not.toContain("'unsafe-inline'");
    expect(policy['script-src']).not.toContain("'unsafe-eval'");
    for (const name of ['object-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(policy[name], name).toEqual(["'none'"]);
    }
    expect(JSON.stringify(policy)).not.toMatch(/https?:|wss?:|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['permissions-policy']).toContain('camera=()');
  });

  test.each([
    'likeness://app/../../package.json',
    'likeness://app/..%2f..%2fpackage.json',
    'likeness://app/%2e%2e/%2e%2e/package.json',
    'likeness://app/..%5c..%5cpackage.json',
    'likeness://app/....//....//package.json',
    'likeness://app//etc/passwd',
    'likeness://app/%2fetc%2fpasswd',
    'likeness://app/assets/..%2f..%2f..%2fpackage.json',
    'likeness://app/index.html%00.png',
    'likeness://app/asset/model/..%2f..%2fsettings',
    'likeness://app/asset/model/%2e%2e',
    'likeness://app/asset/settings.json/x',
    'likeness://app/main/desktop.js',
    'likeness://app/preload/index.cjs',
  ])('%s leads nowhere', async (address) => {
    const { status, text } = await fetched(address);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('likeness-studio');
    expect(text).not.toContain('root:');
  });

  test('are not there on another host of the scheme', async () => {
    for (const address of ['likeness://evil/', 'likeness://app.evil/', 'likeness://app:81/']) {
      expect((await fetched(address).catch(() => ({ status: 0 }))).status, address).not.toBe(200);
    }
  });

  test('are read and not written', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await fetched('likeness://app/', { method })).status).toBe(405);
    }
  });

  test('reach no server', async () => {
    const allowed = await desktop.evaluate(
      ({ electron }, addresses) =>
        Promise.all(addresses.map((url) => electron.session.defaultSession.requestAllowed(url))),
      [
        ...elsewhere.filter((url) => !url.startsWith('data:')),
        'wss://example.com/',
        'blob:https://example.com/x',
        'blob:likeness://evil/x',
      ],
    );
    expect(allowed).not.toContain(true);
    const ours = await desktop.evaluate(
      ({ electron }, addresses) =>
        Promise.all(addresses.map((url) => electron.session.defaultSession.requestAllowed(url))),
      ['likeness://app/assets/index.js', 'blob:likeness://app/0-1-2', 'data:image/png;base64,AAAA'],
    );
    expect(ours).toEqual([true, true, true]);
  });
});

test('a session that nobody meant to make reaches nothing and grants nothing', async () => {
  const allowed = await desktop.evaluate(async ({ electron }) => {
    const stray = electron.session.fromPartition('persist:stray');
    return {
      requests: await Promise.all(
        ['https://example.com/', 'likeness://app/', 'file:///etc/passwd'].map((url) =>
          stray.requestAllowed(url),
        ),
      ),
      permission: await stray.askPermission(null, 'media', {}),
      check: stray.checkPermission(null, 'media', 'likeness://app', { isMainFrame: true }),
      device: stray.deviceAllowed({ deviceType: 'hid', origin: 'likeness://app', device: {} as never }),
    };
  });
  expect(allowed).toEqual({
    requests: [false, false, false],
    permission: false,
    check: false,
    device: false,
  });
});

test('no server is shown a certificate of the person’s', async () => {
  const given = await desktop.evaluate(({ electron }) => {
    // Electron takes the first where nobody stops it.
    let shown: unknown = 'the first';
    const event = { preventDefault: () => (shown = 'none yet') };
    electron.app.emit(
      'select-client-certificate',
      event,
      null,
      'https://example.com',
      [{}],
      (chosen?: unknown) => {
        shown = chosen ?? 'none';
      },
    );
    return shown;
  });
  expect(given).toBe('none');
});

describe('permissions', () => {
  const top = { isMainFrame: true, requestingUrl: 'likeness://app/' };
  const ask = (permission: string, details: object) =>
    desktop.evaluate(
      ({ electron, page }, [name, more]) =>
        electron.session.defaultSession.askPermission(page, name as 'media', more),
      [permission, details] as const,
    );
  const check = (permission: string, origin: string, details: object) =>
    desktop.evaluate(
      ({ electron, page }, [name, from, more]) =>
        electron.session.defaultSession.checkPermission(
          page,
          name as 'media',
          from,
          more as { isMainFrame: boolean },
        ),
      [permission, origin, details] as const,
    );

  test('the microphone is granted to our own page', async () => {
    expect(await ask('media', { ...top, mediaTypes: ['audio'] })).toBe(true);
    expect(await check('media', 'likeness://app/', { ...top, mediaType: 'audio' })).toBe(true);
    // Chromium writes an origin with and without the slash.
    expect(await check('media', 'likeness://app', { ...top, mediaType: 'audio' })).toBe(true);
  });

  test('the camera is not, alone or with the microphone', async () => {
    expect(await ask('media', { ...top, mediaTypes: ['video'] })).toBe(false);
    expect(await ask('media', { ...top, mediaTypes: ['audio', 'video'] })).toBe(false);
    expect(await ask('media', { ...top, mediaTypes: [] })).toBe(false);
    expect(await ask('media', top)).toBe(false);
    expect(await check('media', 'likeness://app', { ...top, mediaType: 'video' })).toBe(false);
    expect(await check('media', 'likeness://app', { ...top, mediaType: 'unknown' })).toBe(false);
  });

  test('another origin, a frame within the page, and nobody get no microphone', async () => {
    for (const url of elsewhere) {
      expect(await ask('media', { isMainFrame: true, requestingUrl: url, mediaTypes: ['audio'] }), url).toBe(
        false,
      );
      expect(await check('media', url, { isMainFrame: true, mediaType: 'audio' }), url).toBe(false);
    }
    expect(await ask('media', { ...top, isMainFrame: false, mediaTypes: ['audio'] })).toBe(false);
    expect(await check('media', 'likeness://app', { isMainFrame: false, mediaType: 'audio' })).toBe(false);
    const toNobody = await desktop.evaluate(({ electron }) =>
      electron.session.defaultSession.checkPermission(null, 'media', 'likeness://app', {
        isMainFrame: true,
        mediaType: 'audio',
      }),
    );
    expect(toNobody).toBe(false);
  });

  test.each([
    'clipboard-read',
    'display-capture',
    'fileSystem',
    'geolocation',
    'hid',
    'local-fonts',
    'local-network-access',
    'midi',
    'notifications',
    'openExternal',
    'pointerLock',
    'serial',
    'storage-access',
    'usb',
    'unknown',
  ])('%s is denied', async (permission) => {
    expect(await ask(permission, { ...top, mediaTypes: ['audio'] })).toBe(false);
    expect(await check(permission, 'likeness://app', { ...top, mediaType: 'audio' })).toBe(false);
  });

  test('devices and the screen are denied', async () => {
    const allowed = await desktop.evaluate(async ({ electron }) => ({
      device: electron.session.defaultSession.deviceAllowed({
        deviceType: 'hid',
        origin: 'likeness://app',
        device: {} as never,
      }),
      screen: await electron.session.defaultSession.screenAllowed(),
    }));
    expect(allowed).toEqual({ device: false, screen: false });
  });
});

describe('navigation', () => {
  test('no link, redirect, frame or dropped file leads away, not even within our own pages', async () => {
    const went = await desktop.evaluate(
      ({ page }, addresses) =>
        addresses.flatMap((url) =>
          (['will-navigate', 'will-frame-navigate', 'will-redirect'] as const).filter((kind) =>
            page?.navigate(url, kind),
          ),
        ),
      [...elsewhere, 'likeness://app/?other'],
    );
    expect(went).toEqual([]);
  });

  test('no window is opened, in the app or outside', async () => {
    const opened = await desktop.evaluate(
      ({ page, record }, addresses) => ({
        windows: addresses.filter((url) => page?.openWindow(url)),
        outside: record.openedOutside,
      }),
      elsewhere,
    );
    expect(opened).toEqual({ windows: [], outside: [] });
  });

  test('no webview is attached', async () => {
    expect(await desktop.evaluate(({ page }) => page?.attachWebview())).toBe(false);
  });

  test('a WebContents that nobody meant to make is held to the same', async () => {
    const went = await desktop.evaluate(({ electron }) => {
      const stray = new electron.BrowserWindow({ show: false });
      const gone = {
        navigated: stray.webContents.navigate('https://example.com/'),
        opened: stray.webContents.openWindow('https://example.com/'),
      };
      stray.destroy();
      return gone;
    });
    expect(went).toEqual({ navigated: false, opened: false });
  });
});

describe('downloads', () => {
  test('what the page made goes where the person says', async () => {
    const item = await desktop.evaluate(
      ({ electron, page }) =>
        electron.session.defaultSession.download(page, 'blob:likeness://app/1-2-3', 'journal.csv')
          ?.saveDialog,
    );
    expect(item?.defaultPath).toMatch(/journal\.csv$/);
  });

  test('what comes from elsewhere is refused', async () => {
    const refused = await desktop.evaluate(
      ({ electron, page }, addresses) =>
        addresses.map((url) => electron.session.defaultSession.download(page, url, 'x.exe')),
      [...elsewhere, 'blob:https://example.com/1'],
    );
    expect(refused.every((item) => item === null)).toBe(true);
  });
});

describe('the border', () => {
  const call = (args: unknown[], from: 'top' | 'inner' | 'gone' | { origin: string } = 'top') =>
    desktop.evaluate(({ page }, [parameters, sender]) => page?.invoke('studio:call', parameters, sender), [
      args,
      from,
    ] as const) as Promise<{ ok: boolean; error?: { code: string }; value?: unknown }>;

  test('has four channels, and a page speaks on three', async () => {
    expect(await desktop.evaluate(({ electron }) => electron.ipcMain.channels())).toEqual([
      'studio:call',
      'studio:files',
      'studio:stream',
    ]);
  });

  test('gives dropped files ids, to its own page only, and never a path back', async () => {
    const drop = (paths: unknown, from: 'top' | 'inner' | 'gone' | { origin: string } = 'top') =>
      desktop.evaluate(({ page }, [list, sender]) => page?.invoke('studio:files', [list], sender), [
        paths,
        from,
      ] as const) as Promise<{ ok: boolean; error?: { code: string }; value?: string[] }>;
    const file = join(desktop.dataFolder, 'photo.jpg');
    const taken = await drop([file, file]);
    expect(taken.value).toHaveLength(2);
    expect(new Set(taken.value).size).toBe(2);
    expect(JSON.stringify(taken)).not.toContain('photo');
    for (const sender of ['inner', 'gone', { origin: 'https://example.com' }] as const) {
      expect((await drop([file], sender)).error?.code).toBe('forbidden');
    }
    const devices = ['//./PhysicalDrive0', '//?/C:/x.jpg', '/tmp/a\0.jpg', `/${'x'.repeat(40_000)}`];
    for (const device of devices)
      expect((await drop([file, device])).error?.code, device).toBe('invalid_input');
    expect((await drop(Array.from({ length: 50_001 }, () => file))).error?.code).toBe('invalid_input');
    for (const nonsense of ['/etc/passwd', [7], ['relative.jpg'], null, undefined]) {
      expect((await drop(nonsense)).error?.code).toBe('invalid_input');
    }
  });

  test('opens no fifth one with the first key, and tells no key', async () => {
    const key = 'planted-key-0123456789';
    const set = await desktop.evaluate(async ({ page }, value) => {
      const made = (await page!.invoke('studio:call', ['connections.list'])) as { value: object[] };
      const draft = { ...made.value[0], name: 'Planted' };
      const known = Object.entries(draft).filter(
        ([name]) => !['id', 'builtIn', 'isDefault', 'createdAt', 'changedAt', 'secrets'].includes(name),
      );
      const created = (await page!.invoke('studio:call', [
        'connections.create',
        { ...Object.fromEntries(known), groupBUrl: 'https://api.example.com' },
      ])) as { value: { id: string } };
      return page!.invoke('studio:call', [
        'connections.setSecret',
        { id: created.value.id, secret: 'apiKey', value },
      ]);
    }, key);
    expect(set).toMatchObject({
      ok: true,
      value: { secrets: { apiKey: { configured: true, lastFour: '6789' } } },
    });
    const told = await desktop.evaluate(({ electron, page }) => ({
      channels: electron.ipcMain.channels(),
      traffic: JSON.stringify(page!.received),
    }));
    expect(told.channels).toEqual(['studio:call', 'studio:files', 'studio:stream']);
    expect(told.traffic).not.toContain(key);
    expect(JSON.stringify(set)).not.toContain(key);
    expect(desktop.output()).not.toContain(key);
    const written = readdirSync(desktop.dataFolder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    expect(written.length).toBeGreaterThan(2);
    for (const { parentPath, name } of written) {
      const bytes = readFileSync(join(parentPath, name));
      expect(bytes.includes(key), name).toBe(false);
    }
    const state = await call(['connections.keyStore']);
    expect(state).toMatchObject({ ok: true, value: { protection: 'system', backend: 'gnome_libsecret' } });
  });

  test('answers the top frame of our own page', async () => {
    expect(await call(['app.info'])).toMatchObject({ ok: true, value: { shell: 'electron' } });
  });

  test('answers nobody else', async () => {
    const strangers = [
      'inner' as const,
      'gone' as const,
      ...['null', 'https://example.com', 'file://', 'likeness://evil', 'likeness://app.evil', ''].map(
        (origin) => ({
          origin,
        }),
      ),
    ];
    for (const from of strangers) {
      expect(await call(['app.info'], from), JSON.stringify(from)).toMatchObject({
        ok: false,
        error: { code: 'forbidden' },
      });
    }
  });

  test.each([[[]], [[null]], [[{ toString: 'app.info' }]], [['__proto__.constructor']], [['app.nothing']]])(
    'refuses the call %j as a value',
    async (args) => {
      expect(await call(args)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    },
  );

  test('opens a stream to our own page only', async () => {
    const said = await desktop.evaluate(async ({ page }) => {
      const open = async (message: unknown, from: 'top' | 'inner' | 'gone' | { origin: string }) => {
        const port = page!.openPort('studio:stream', message, from);
        await new Promise((resolve) => setTimeout(resolve, 50));
        const [first] = port.received;
        return { first: JSON.parse(String(first)) as { error?: { code: string } }, closed: port.closed };
      };
      const live = { id: '1', name: 'live.open', options: {} };
      return {
        malformed: await open(live, 'top'),
        inner: await open(live, 'inner'),
        gone: await open(live, 'gone'),
        stranger: await open(live, { origin: 'https://example.com' }),
        nothing: await open(null, 'top'),
      };
    });
    expect(said.malformed).toMatchObject({ first: { error: { code: 'invalid_input' } }, closed: true });
    for (const refused of [said.inner, said.gone, said.stranger]) {
      expect(refused).toMatchObject({ first: { error: { code: 'forbidden' } }, closed: true });
    }
    expect(said.nothing).toMatchObject({ first: { error: { code: 'not_found' } }, closed: true });
  });

  test('tells events to our own page and to no other', async () => {
    const received = await desktop.evaluate(async ({ electron, page }) => {
      const menu = electron.Menu.application!;
      menu.click('Library');
      const before = page!.received.length;
      const own = page!.mainFrame;
      page!.mainFrame = { origin: 'https://example.com', url: 'https://example.com/', parent: null };
      menu.click('Live');
      const after = page!.received.length;
      page!.mainFrame = own;
      return { last: page!.received.at(-1), before, after };
    });
    expect(received.last).toEqual({ channel: 'studio:event', args: ['app.navigate', { to: 'library' }] });
    expect(received.after).toBe(received.before);
  });
});
