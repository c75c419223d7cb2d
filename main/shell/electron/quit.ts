import { app, type BrowserWindow } from 'electron';

export interface QuitOptions {
  /** The work that is running, in words for the person; null when there is none. */
  busy: () => string | null;
  /** Asks whether to quit all the same. */
  ask: (work: string) => Promise<boolean>;
  /** Ends everything cleanly: sockets, engine, database. */
  close: () => Promise<void>;
  /** Milliseconds that `close` may take. After that the app ends all the same; the journal survives a kill. */
  patience?: number;
}

/**
 * Quitting in order: ask where work runs, close the studio, then go. Electron's events are synchronous and ours
 * is not, so the first `before-quit` is stopped and quitting begins anew once everything is closed.
 *
 * Returns what a window calls when it is closed where that means quitting (everywhere but on macOS).
 */
export function quitInOrder({
  busy,
  ask,
  close,
  patience = 10_000,
}: QuitOptions): (window: BrowserWindow) => void {
  let state: 'running' | 'asking' | 'closing' | 'closed' = 'running';

  const begin = async (): Promise<void> => {
    state = 'asking';
    const work = busy();
    if (work !== null && !(await ask(work))) {
      state = 'running';
      return;
    }
    state = 'closing';
    await Promise.race([
      close().catch(() => {}),
      new Promise<void>((resolve) => setTimeout(resolve, patience).unref()),
    ]);
    state = 'closed';
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
