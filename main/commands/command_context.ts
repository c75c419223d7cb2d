import type { Message } from '@likeness/messages';
import type { Studio } from '../studio.ts';
import type { ExitCode } from './output/exit_code.ts';
import type { ProgressLine } from './output/progress_line.ts';
import type { Terminal } from './output/terminal.ts';

/** The requirements of a command besides a studio. */
export interface StudioNeeds {
  /** Maximum concurrent photos of a connection. */
  concurrentJobs?: number;
  /** Needs the queue, which only one studio can use at a time. */
  queue?: boolean;
  /** Needs a confirmation, so it runs here even while a studio is running. */
  here?: boolean;
}

/** The context that every command receives. */
export interface CommandContext {
  terminal: Terminal;
  /**
   * Opens the studio for one command and closes it, whatever happens. While a studio is running on the same
   * data folder, it forwards the whole command instead of calling the action. So it must be the command's
   * last step.
   */
  withStudio(action: (studio: Studio) => Promise<void>, needs?: StudioNeeds): Promise<void>;
  /** Makes a typed path absolute: the process may have been started in another folder than the command. */
  path(given: string): string;
  /** The command runs in a studio that stays open afterwards. */
  inOpenStudio: boolean;
  /** `--json`: standard output contains only JSON. Known when a command runs. */
  asJson(): boolean;
  /** `--quiet`: no progress, and no success messages. */
  isQuiet(): boolean;
  /**
   * Prints a result: with `--json` the value, as one line of JSON with times in ISO 8601; otherwise these
   * lines.
   */
  result(value: unknown, texts: Message | readonly Message[]): void;
  /** Prints a success that contains no data: `--quiet` omits its text. */
  success(value: unknown, texts: Message | readonly Message[]): void;
  /** Translates a message to the terminal's language. */
  words(message: Message): string;
  /** The command's progress, and messages during its run. */
  progress(): ProgressLine;
  /** Sets the exit code of a command that failed partly. The first call wins. */
  setExitCode(code: ExitCode): void;
  /** Aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
  /** From now on the command handles signals itself: it is a server, for which SIGHUP has another meaning. */
  takeSignals(): void;
}
