import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A fresh Electron and a fresh `quitInOrder` for each test: an app quits once. */
async function freshApp() {
  // Other files of this process load it anew too.
  const fresh = `?fresh=${process.hrtime.bigint()}`;
  const electron: typeof import('../../fixtures/electron/index.ts') = await import(
    `../../fixtures/electron/index.ts${fresh}`
  );
  const { record }: typeof import('../../fixtures/electron/record.ts') = await import(
    `../../fixtures/electron/record.ts${fresh}`
  );
  const { quitInOrder }: typeof import('../../../main/shell/electron/quit.ts') = await import(
    `../../../main/shell/electron/quit.ts${fresh}`
  );
  electron.app.becomeReady();
  return { electron, record, quitInOrder };
}
let fresh: Awaited<ReturnType<typeof freshApp>>;
beforeEach(async () => {
  fresh = await freshApp();
});
afterEach(() => vi.useRealTimers());

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('without work it closes the studio first, then ends', async () => {
  const { electron, record, quitInOrder } = fresh;
  const close = vi.fn(async () => expect(record.exitCode).toBeUndefined());
  quitInOrder({ busy: () => null, ask: async () => false, close });
  electron.app.quit();
  await settled();
  expect(close).toHaveBeenCalledOnce();
  expect(record.exitCode).toBe(0);
});

test('with work it asks, and goes on when the person wants to keep working', async () => {
  const { electron, record, quitInOrder } = fresh;
  const close = vi.fn(async () => {});
  const ask = vi.fn(async () => false);
  const quitWith = quitInOrder({ busy: () => '3 of 12 photos are running', ask, close });
  const window = new electron.BrowserWindow();
  quitWith(window as never);
  for (const way of [() => electron.app.quit(), () => window.close()]) {
    way();
    await settled();
    expect(ask).toHaveBeenLastCalledWith('3 of 12 photos are running');
    expect(window.isDestroyed()).toBe(false);
    expect(record.exitCode).toBeUndefined();
  }
  expect(ask).toHaveBeenCalledTimes(2);
  expect(close).not.toHaveBeenCalled();
});

test('with work it ends when the person says so', async () => {
  const { electron, record, quitInOrder } = fresh;
  const close = vi.fn(async () => {});
  const quitWith = quitInOrder({ busy: () => 'A take is being recorded', ask: async () => true, close });
  const window = new electron.BrowserWindow();
  quitWith(window as never);
  window.close();
  await settled();
  expect(close).toHaveBeenCalledOnce();
  expect(record.exitCode).toBe(0);
});

test('it asks once, however often quitting is tried meanwhile', async () => {
  const { electron, quitInOrder } = fresh;
  const ask = vi.fn(() => new Promise<boolean>(() => {}));
  quitInOrder({ busy: () => 'work', ask, close: async () => {} });
  electron.app.quit();
  electron.app.quit();
  await settled();
  electron.app.quit();
  expect(ask).toHaveBeenCalledOnce();
});

test('a studio that does not close, or fails to, keeps nobody from leaving', async () => {
  for (const close of [() => new Promise<void>(() => {}), () => Promise.reject(new Error('disk full'))]) {
    const { electron, record, quitInOrder } = await freshApp();
    quitInOrder({ busy: () => null, ask: async () => false, close, patience: 30 });
    electron.app.quit();
    await vi.waitFor(() => expect(record.exitCode).toBe(0));
  }
});
