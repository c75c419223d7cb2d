import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SystemKeyStore } from '../../base/system_key_store.ts';
import type { OpenPages, Shell } from '../shell.ts';
import { forkNode } from './child_process.ts';
import { askInTerminal } from './terminal_question.ts';

export interface TerminalShellOptions {
  kind: 'browser' | 'none';
  dataFolder: string;
  /** A line for the person at the terminal. */
  writeLine: (line: string) => void;
  /** Where this runs within Electron, its own: plain Node has neither. */
  fork?: Shell['fork'];
  systemSecrets?: SystemKeyStore | null;
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
    async handOver(label, secret) {
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
