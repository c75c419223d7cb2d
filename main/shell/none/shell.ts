import { Failure } from '../../failure.ts';
import type { OpenPages, Shell, SystemSecrets } from '../shell.ts';
import { forkNode } from './child_process.ts';

export interface TerminalShellOptions {
  kind: 'browser' | 'none';
  dataFolder: string;
  /** A line for the person at the terminal. */
  say: (line: string) => void;
  /** Where this runs within Electron, its own: plain Node has neither. */
  fork?: Shell['fork'];
  systemSecrets?: SystemSecrets | null;
  openPages?: OpenPages;
}

/**
 * The host without a window of its own: the command line, and the browser shell's terminal. No dialogs, no
 * system key store (keys open with a passphrase or come from the environment); what must reach the person
 * without passing through a page is said in the terminal.
 */
export function createTerminalShell({
  kind,
  dataFolder,
  say,
  fork = forkNode,
  systemSecrets = null,
  openPages,
}: TerminalShellOptions): Shell {
  const noDialog = (what: string): Failure =>
    new Failure('unsupported', `${what} needs the desktop app.`, {
      hint: 'Drop files on the window, or name them on the command line.',
    });
  return {
    kind,
    runtime: `Node ${process.versions.node}`,
    dataFolder,
    systemSecrets,
    fork,
    openPages: openPages ?? null,
    async reveal(path) {
      throw new Failure('unsupported', 'There is no file manager to show it in.', {
        hint: `It is at ${path}.`,
      });
    },
    async choose() {
      throw noDialog('Choosing files in a dialog');
    },
    notify: () => {},
    setProgress: () => {},
    keepAwake: () => () => {},
    async handOver(label, secret) {
      say(`${label}: ${secret}`);
      return 'terminal';
    },
    askForMicrophone: async () => 'granted',
    async popOut() {
      throw new Failure('unsupported', 'A window of the studio’s own needs the desktop app.', {
        hint: 'In a browser, open it from the page.',
      });
    },
  };
}
