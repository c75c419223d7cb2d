import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SystemKeyStore } from '../../base/system_key_store.ts';
import type { OpenPages, Shell } from '../shell.ts';
import { forkNode } from './child_process.ts';
import { askInTerminal } from './terminal_question.ts';

export interface TerminalShellOptions {
  kind: 'browser' | 'none';
  dataFolder: string;
  /** Prints a line for the user of the terminal. */
  writeLine: (line: string) => void;
  /** Electron's process functions if this runs within Electron, where plain Node is missing. */
  fork?: Shell['fork'];
  systemSecrets?: SystemKeyStore | null;
  openPages?: OpenPages;
  /** Asks a question in the terminal; null without an interactive one. Default: standard input and output. */
  ask?: (text: string) => Promise<boolean | null>;
}

/**
 * The host without a window: the command line, and the terminal of the browser shell. It has no dialogs and
 * no system key store (a passphrase or the environment provides keys). The terminal shows messages that must
 * not pass through a page.
 */
export function createTerminalShell({
  kind,
  dataFolder,
  writeLine,
  fork = forkNode,
  systemSecrets = null,
  openPages,
  ask = askInTerminal,
}: TerminalShellOptions): Shell {
  const noDialog = (what: Message): Failure =>
    new Failure('unsupported', t('shell.needs_desktop', { what }), {
      hint: t('shell.drop_files'),
    });
  return {
    kind,
    runtime: `Node ${process.versions.node}`,
    dataFolder,
    systemSecrets,
    fork,
    openPages: openPages ?? null,
    async reveal(path) {
      throw new Failure('unsupported', t('shell.no_file_manager'), {
        hint: t('shell.it_is_at', { path }),
      });
    },
    async choose() {
      throw noDialog(t('shell.choosing_files'));
    },
    async confirm({ message, detail, yes, no }) {
      const answer = await ask(`\n${message}\n${detail}\n${yes}: y   ${no}: n   [n] `);
      if (answer !== null) return answer;
      throw new Failure('not_allowed', t('shell.needs_terminal'), {
        hint: t('shell.type_again'),
      });
    },
    notify: () => {},
    setProgress: () => {},
    keepAwake: () => () => {},
    async revealSecret(label, secret) {
      writeLine(`${label}: ${secret}`);
      return 'terminal';
    },
    askForMicrophone: async () => 'granted',
    async popOut() {
      throw new Failure('unsupported', t('shell.own_window'), {
        hint: t('shell.open_from_page'),
      });
    },
    async setHotkeys() {
      throw new Failure('unsupported', t('shell.global_keys'), {
        hint: t('shell.page_keys'),
      });
    },
  };
}
