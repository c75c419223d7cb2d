import { Failure } from '../../failure.ts';
import type { OpenPages, Shell, SystemSecrets } from '../shell.ts';
import { forkNode } from './child_process.ts';
import { askInTerminal } from './terminal_question.ts';

export interface TerminalShellOptions {
  kind: 'browser' | 'none';
  dataFolder: string;
  /** A line for the person at the terminal. */
  say: (line: string) => void;
  /** Where this runs within Electron, its own: plain Node has neither. */
  fork?: Shell['fork'];
  systemSecrets?: SystemSecrets | null;
  openPages?: OpenPages;
  /** Puts a question in the terminal; null where nobody sits at one. Default: standard input and output. */
  ask?: (text: string) => Promise<boolean | null>;
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
  ask = askInTerminal,
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
    async confirm({ message, detail, yes, no }) {
      const answer = await ask(`\n${message}\n${detail}\n${yes}: y   ${no}: n   [n] `);
      if (answer !== null) return answer;
      throw new Failure(
        'not_allowed',
        'The question needs a terminal, and the studio was started without one.',
        {
          hint: 'Type the key again, or run “likeness connections bind NAME” in a terminal, or with --yes.',
        },
      );
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
    async setHotkeys() {
      throw new Failure('unsupported', 'Keys that hold in other programs need the desktop app.', {
        hint: 'The page’s own keys work while it is in front.',
      });
    },
  };
}
