import { app, type BrowserWindow } from 'electron';
import { surviveFaults } from '../survive_faults.ts';

export interface CrashOptions {
  window: () => BrowserWindow | null;
  /** Writes to the log. */
  report: (where: string, error: unknown) => void;
  /** Asks, after repeated crashes of the page, whether to load it again. */
  ask: () => Promise<'reload' | 'quit'>;
  /** Milliseconds; for counting crashes. */
  now: () => number;
}

/** Maximum crashes of a page within a minute before reloading requires the user's consent. */
const reloads = 3;

/**
 * Reloads a crashed page: its work is in main and continues. There is no crash reporter: a memory image
 * contains keys and would be one more copy of them.
 */
export function surviveCrashes({ window, report, ask, now }: CrashOptions): void {
  let recent: number[] = [];

  app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    report('window', new Error(`the page's process ended: ${reason}, exit code ${exitCode}`));
    const crashed = window();
    if (!crashed || crashed.isDestroyed() || crashed.webContents.id !== contents.id) return;
    recent = [...recent.filter((at) => now() - at < 60_000), now()];
    if (recent.length <= reloads) {
      contents.reload();
      return;
    }
    void ask().then((answer) => {
      recent = [];
      if (answer === 'quit') app.quit();
      else if (!contents.isDestroyed()) contents.reload();
    });
  });

  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    report(name ?? type, new Error(`the process ended: ${reason}, exit code ${exitCode}`));
  });

  // Electron would show a dialog with a stack trace for each and continue; the log is better.
  surviveFaults(report);
}
