import { app, type BrowserWindow } from 'electron';
import { surviveFaults } from '../survive_faults.ts';

export interface CrashOptions {
  window: () => BrowserWindow | null;
  /** Writes to the log. */
  report: (where: string, error: unknown) => void;
  /** Asks, after the page crashed again and again, whether to load it once more. */
  ask: () => Promise<'reload' | 'quit'>;
  /** Milliseconds; for counting crashes. */
  now: () => number;
}

/** A page that crashes oftener than this within a minute is not reloaded without asking. */
const reloads = 3;

/**
 * A page that crashed is loaded again: its work is in main and goes on. There is no crash reporter: a memory
 * image holds keys, and it would be one more place where they lie.
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

  // Electron would show a dialog with a stack trace for each and go on; the log is the better place for it.
  surviveFaults(report);
}
