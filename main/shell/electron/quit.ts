import { app, type BrowserWindow } from 'electron';

export interface QuitOptions<Work extends string> {
  /** The running work, described for the user; null if there is none. */
  busy: () => Work | null;
  /** Asks whether to quit anyway. */
  ask: (work: Work) => Promise<boolean>;
  /** Ends everything cleanly: sockets, engine, database. */
  close: () => Promise<void>;
  /** Runs after everything is closed (installs a new version). Skipped if closing failed. */
  last?: () => Promise<void>;
  /** Maximum milliseconds for `close`. After that the app exits anyway; the journal survives a kill. */
  patience?: number;
}

/**
 * Quits in order: asks if work is running, closes the studio, then exits. Electron's events are synchronous
 * and ours are not, so the first `before-quit` is prevented and quitting starts again after everything is
 * closed.
 *
 * Returns the handler for closing a window when that means quitting (everywhere but on macOS).
 */
export function quitInOrder<Work extends string>({
  busy,
  ask,
  close,
  last,
  patience = 10_000,
}: QuitOptions<Work>): (window: BrowserWindow) => void {
  let state: 'running' | 'asking' | 'closing' | 'closed' = 'running';

  const begin = async (): Promise<void> => {
    state = 'asking';
    const work = busy();
    if (work !== null && !(await ask(work))) {
      state = 'running';
      return;
    }
    state = 'closing';
    const closed = await Promise.race([
      close().then(
        () => true,
        () => false,
      ),
      new Promise<false>((resolve) => setTimeout(resolve, patience, false).unref()),
    ]);
    state = 'closed';
    if (closed) await last?.().catch(() => {});
    app.quit();
  };

  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'running') void begin();
  });

  return (window) =>
    window.on('close', (event) => {
      if (state === 'closed') return;
      event.preventDefault();
      app.quit();
    });
}
