/** The desktop as the studio's host, on the stub. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BinaryPort, Dispatcher } from '../../../main/ipc/dispatcher.ts';
import { bindBorder } from '../../../main/shell/electron/border.ts';
import { createElectronShell } from '../../../main/shell/electron/shell.ts';
import { systemSecrets } from '../../../main/shell/electron/system_secrets.ts';
import { forkUtility } from '../../../main/shell/electron/utility.ts';
import { app, BrowserWindow } from '../../fixtures/electron/index.ts';
import { record } from '../../fixtures/electron/record.ts';

let window: BrowserWindow;
const shell = createElectronShell({
  window: () => window as never,
  popOut: () => {},
  unprotected: false,
  updater: 'not_installed',
});
const folder = mkdtempSync(join(tmpdir(), 'likeness-host-'));
beforeAll(() => {
  app.becomeReady();
  window = new BrowserWindow();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a question is the system’s own, and anything but the first button is a no', async () => {
  const question = { title: 'T', message: 'Sure?', detail: 'One.', yes: 'Do it', no: 'No' };
  expect(await shell.confirm(question)).toBe(false);
  record.messageBoxAnswers.push(0, 1);
  expect(await shell.confirm(question)).toBe(true);
  expect(await shell.confirm(question)).toBe(false);
  expect(record.messageBoxes.at(-1)).toMatchObject({
    message: 'Sure?',
    detail: 'One.',
    buttons: ['Do it', 'No'],
    defaultId: 1,
    cancelId: 1,
  });
});

test('files and folders are chosen in the system’s dialog', async () => {
  expect(await shell.choose({ title: 'Photos', kind: 'files', extensions: ['jpg', 'png'] })).toBeNull();
  record.openDialogAnswers.push(['/photos/a.jpg', '/photos/b.png']);
  expect(await shell.choose({ title: 'Photos', kind: 'files', extensions: ['jpg', 'png'] })).toEqual([
    '/photos/a.jpg',
    '/photos/b.png',
  ]);
  record.openDialogAnswers.push(['/photos']);
  expect(await shell.choose({ title: 'Folder', kind: 'folder' })).toEqual(['/photos']);
  expect(record.openDialogs.map(({ properties, filters }) => [properties, filters?.[0]?.extensions])).toEqual(
    [
      [
        ['openFile', 'multiSelections'],
        ['jpg', 'png'],
      ],
      [
        ['openFile', 'multiSelections'],
        ['jpg', 'png'],
      ],
      [['openDirectory', 'createDirectory'], undefined],
    ],
  );
});

test('progress is shown in the dock or taskbar and taken away again', () => {
  shell.setProgress(0.4);
  expect(window.progress).toBe(0.4);
  // Above 1 Electron shows an endless bar.
  shell.setProgress(1.2);
  expect(window.progress).toBe(1);
  shell.setProgress(null);
  expect(window.progress).toBe(-1);
});

test('the machine is kept awake as long as somebody wants it', () => {
  const first = shell.keepAwake('batch');
  const second = shell.keepAwake('live');
  expect([...record.powerSaveBlockers.values()]).toEqual([
    'prevent-app-suspension',
    'prevent-app-suspension',
  ]);
  first();
  first();
  expect(record.powerSaveBlockers.size).toBe(1);
  second();
  expect(record.powerSaveBlockers.size).toBe(0);
});

test('a secret is handed over through the clipboard', async () => {
  expect(await shell.revealSecret('Key', 'sk-planted')).toBe('clipboard');
  expect(record.clipboard).toBe('sk-planted');
});

test('a notification and a file manager are the system’s', async () => {
  shell.notify({ title: 'Done', body: '12 heads' });
  expect(record.notifications).toEqual([{ title: 'Done', body: '12 heads' }]);
  await shell.reveal('/heads/one.glb');
  expect(record.revealed).toEqual(['/heads/one.glb']);
});

test.skipIf(process.platform === 'darwin')('the microphone needs no asking but on macOS', async () => {
  expect(await shell.askForMicrophone()).toBe('granted');
});

describe('the system’s key store', () => {
  test('seals and opens', async () => {
    const secrets = systemSecrets('linux');
    const sealed = await secrets.encrypt('key of 32 bytes ✓');
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('key of');
    // As it comes back from a file: bytes, no Buffer.
    expect(await secrets.decrypt(new Uint8Array(sealed))).toBe('key of 32 bytes ✓');
    await expect(secrets.decrypt(new Uint8Array([1, 2, 3, 4]))).rejects.toThrow();
  });

  test('is named as it is, also where it protects nothing', async () => {
    expect(await systemSecrets('darwin').backend()).toBe('keychain');
    expect(await systemSecrets('win32').backend()).toBe('dpapi');
    expect(await systemSecrets('linux').backend()).toBe('gnome_libsecret');
    process.env.STUB_BACKEND = 'basic_text';
    expect(await systemSecrets('linux').backend()).toBe('basic_text');
    process.env.STUB_BACKEND = 'none';
    expect(await systemSecrets('darwin').backend()).toBe('unknown');
    delete process.env.STUB_BACKEND;
  });
});

describe('a process of ours', () => {
  const echo = join(folder, 'echo.mjs');
  beforeAll(() =>
    writeFileSync(
      echo,
      `process.parentPort.on('message', ({ data }) => {
         if (data === 'end') process.exit(7);
         process.parentPort.postMessage({ data, keys: Object.keys(process.env).filter((name) => name.startsWith('LIKENESS_')), path: Boolean(process.env.PATH) });
       });`,
    ),
  );

  test('speaks over parentPort, knows what it is told and not what is ours, and tells its end', async () => {
    process.env.LIKENESS_API_KEY = 'planted';
    const child = forkUtility(echo, { name: 'Engine', flags: [], env: { LIKENESS_ENGINE: '1' } });
    delete process.env.LIKENESS_API_KEY;
    const answers: unknown[] = [];
    const exit = new Promise<number | null>((resolve) => child.onExit(resolve));
    const answered = new Promise<void>((resolve) =>
      child.onMessage((message) => {
        answers.push(message);
        resolve();
      }),
    );
    expect(child.pid).toBeGreaterThan(0);
    child.postMessage({ bytes: new Uint8Array([1, 2]) });
    await answered;
    expect(answers).toEqual([
      { data: { bytes: new Uint8Array([1, 2]) }, keys: ['LIKENESS_ENGINE'], path: true },
    ]);
    child.postMessage('end');
    expect(await exit).toBe(7);
    expect(record.forked.at(-1)?.serviceName).toBe('Engine');
  });

  test('can be ended', async () => {
    const child = forkUtility(echo, { name: 'Engine', env: {}, flags: [] });
    const exit = new Promise<number | null>((resolve) => child.onExit(resolve));
    child.kill();
    expect(await exit).not.toBe(0);
  });
});

describe('a stream’s port', () => {
  const opened: { name: string; options: unknown; port: BinaryPort }[] = [];
  const dispatcher = {
    call: async () => ({ ok: true as const, value: undefined }),
    refusal: () => null,
    onEvent: () => () => {},
    openStream: (name: string, options: unknown, port: BinaryPort) =>
      void opened.push({ name, options, port }),
    emit: () => {},
  } satisfies Dispatcher;
  beforeAll(() =>
    bindBorder(
      dispatcher,
      () => null,
      () => 'id',
    ),
  );

  const open = () => {
    const page = window.webContents.openPort('studio:stream', {
      id: '1',
      name: 'live.open',
      options: { a: 1 },
    });
    const { name, options, port } = opened.at(-1)!;
    expect({ name, options }).toEqual({ name: 'live.open', options: { a: 1 } });
    return { page, port };
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  test('carries bytes and control both ways, and each end’s close', async () => {
    const { page, port } = open();
    const heard: unknown[] = [];
    let closed = 0;
    port.onMessage((message) => heard.push(message));
    port.onClose(() => closed++);
    page.post(new Uint8Array([1, 2, 3]));
    page.post(new Uint8Array([4]).buffer);
    page.post('{"close":true}');
    page.post({ not: 'bytes' });
    port.post(new Uint8Array([9]));
    port.post('{"open":true}');
    await settled();
    expect(heard).toEqual([new Uint8Array([1, 2, 3]), new Uint8Array([4]), '{"close":true}']);
    expect(page.received).toEqual([new Uint8Array([9]), '{"open":true}']);
    page.close();
    await settled();
    expect(closed).toBe(1);
  });

  test('sends a message’s bytes and nothing that lies beside them in memory', async () => {
    const { page, port } = open();
    const pool = Buffer.from('secret-secret-FRAME-secret');
    port.post(pool.subarray(14, 19));
    port.post(Buffer.from('frame'));
    await settled();
    for (const message of page.received as Uint8Array[]) {
      expect(message.buffer.byteLength).toBe(5);
    }
  });
});
