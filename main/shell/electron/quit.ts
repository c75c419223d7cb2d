import { app, type BrowserWindow } from 'electron';

export interface QuitOptions<Work extends string> {
  /** The work that is running, in words for the person; null when there is none. */
  busy: () => Work | null;
  /** Asks whether to quit all the same. */
  ask: (work: Work) => Promise<boolean>;
  /** Ends everything cleanly: sockets, engine, database. */
  close: () => Promise<void>;
  /**
   * What is left to do once everything is closed (installing a new version). It is not done where closing
   * failed.
   */
  last?: () => Promise<void>;
  /**
   * Milliseconds that `close` may take. After that the app ends all the same; the journal survives a kill.
   */
  patience?: number;
}

/**
 * Quitting in order: ask where work runs, close the studio, then go. Electron's events are synchronous and
 * ours is not, so the first `before-quit` is stopped and quitting begins anew once everything is closed.
 *
 * Returns what a window calls when it is closed where that means quitting (everywhere but on macOS).
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
