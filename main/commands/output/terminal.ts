import type { SystemKeyStore } from '../../base/system_key_store.ts';
import type { Shell } from '../../shell/shell.ts';

/** A command's output and environment; tests provide their own. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
  /** An interactive terminal: a bar may be redrawn. */
  isTerminal?: boolean;
  /** Width, characters. */
  columns?: number;
  /** Aborted when nobody reads the output any more (`| head`): the command then ends cleanly. */
  unread?: AbortSignal;
  /** Set by the desktop program (`Likeness --cli …`), whose Electron differs from plain Node. */
  fork?: Shell['fork'];
  systemSecrets?: SystemKeyStore | null;
}
