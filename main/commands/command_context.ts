import type { Message } from '@likeness/messages';
import type { Studio } from '../studio.ts';
import type { ExitCode } from './output/exit_code.ts';
import type { ProgressLine } from './output/progress_line.ts';
import type { Terminal } from './output/terminal.ts';

/** What a command needs of the studio beside its being there. */
export interface StudioNeeds {
  /** Photos of a connection under way at once. */
  concurrentJobs?: number;
  /** Works on the queue, which only one studio can at a time. */
  queue?: boolean;
  /** Needs a confirmation, so it runs here even while a studio is open. */
  here?: boolean;
}

/** What every command is given. */
export interface CommandContext {
  terminal: Terminal;
  /**
   * Opens the studio for one command and closes it, whatever happens. While a studio is open on the same data
   * folder the whole command is handed to it instead, and the action is not called here: it must be the
   * command's last step.
   */
  withStudio(action: (studio: Studio) => Promise<void>, needs?: StudioNeeds): Promise<void>;
  /** A path as it was typed, made absolute: the process may have been started elsewhere than the command. */
  path(given: string): string;
  /** It runs in a studio that goes on afterwards. */
  inOpenStudio: boolean;
  /** `--json`: nothing but JSON goes to standard output. Known when a command runs. */
  asJson(): boolean;
  /** `--quiet`: no progress, and no words of success. */
  isQuiet(): boolean;
  /**
   * What was asked for: with `--json` the value, as one line of JSON with times in ISO 8601; else these
   * lines.
   */
  result(value: unknown, texts: Message | readonly Message[]): void;
  /** The same of something that went well and has nothing to read in it: `--quiet` leaves its words out. */
  success(value: unknown, texts: Message | readonly Message[]): void;
  /** What is said, in the terminal's language. */
  words(message: Message): string;
  /** How far a command is, and what it says on the way. */
  progress(): ProgressLine;
  /** Not everything that was asked for was done: the exit code is this. The first that is said stays. */
  setExitCode(code: ExitCode): void;
  /** Cancelled when the person presses Ctrl-C. */
  signal: AbortSignal;
  /** From now on the command answers signals itself: it is a server, whose SIGHUP means something else. */
  takeSignals(): void;
}
