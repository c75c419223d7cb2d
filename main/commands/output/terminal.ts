import type { SystemKeyStore } from '../../base/system_key_store.ts';
import type { Shell } from '../../shell/shell.ts';

/** A command's output and environment; tests provide their own. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
  /** A person is watching: a bar may be drawn over. */
  isTerminal?: boolean;
  /** Width, characters. */
  columns?: number;
  /** Aborted when nobody reads what is written any more (`| head`): a command comes to its end in order. */
  unread?: AbortSignal;
  /** Given by the desktop program (`Likeness --cli …`), whose Electron is no plain Node. */
  fork?: Shell['fork'];
  systemSecrets?: SystemKeyStore | null;
}
