import type { Shell, SystemSecrets } from '../shell/shell.ts';
import type { Studio } from '../studio.ts';

/** Where a command writes and what it may ask of its surroundings; tests give their own. */
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
  systemSecrets?: SystemSecrets | null;
}

/** What every command is given. */
export interface CommandContext {
  terminal: Terminal;
  /** Opens the studio for one command and closes it, whatever happens. */
  withStudio(action: (studio: Studio) => Promise<void>, options?: { jobsAtOnce?: number }): Promise<void>;
  /** A line on standard output, made harmless: whoever has several calls it for each. */
  line(text: string): void;
  /** Something that was asked for was not done: the exit code will be 1. */
  fell(): void;
  /** Cancelled when the person presses Ctrl-C. */
  signal: AbortSignal;
}
