import { resolve } from 'node:path';
import type { MakersOptions } from '@likeness/engine/models/makers.ts';
import { type Message, translate } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { databaseFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { PortraitEngineOptions } from '@likeness/portrait/engine.ts';
import { type Command, CommanderError } from 'commander';
import type { Studio } from '../studio.ts';
import type { CommandContext, StudioNeeds } from './command_context.ts';
import { exitCodeOfCommander, exitCodeOfFailure } from './output/exit_code.ts';
import { helpIn } from './output/help_language.ts';
import { jsonText } from './output/json_text.ts';
import { printable } from './output/printable.ts';
import { createProgressLine } from './output/progress_line.ts';
import type { Terminal } from './output/terminal.ts';
import { terminalLanguage } from './output/terminal_language.ts';
import { createProgram } from './program.ts';

/** Where one command runs: in its own process, or in the running studio. */
export interface CommandRun {
  terminal: Terminal;
  version: string;
  engineOptions: PortraitEngineOptions;
  /** Absolute: relative paths are resolved from here. */
  cwd: string;
  /** Aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
  /** See `CommandContext`. Absent: the studio handles signals. */
  takeSignals?: () => void;
  /** Folder of the engine's built files; absent: this process does not run an engine as a service. */
  engineFiles?: MakersOptions;
  /** The command runs in a studio that stays open afterwards. */
  inOpenStudio: boolean;
  /**
   * Runs the action with a studio, or forwards the whole command to a running one.
   *
   * @returns The running studio's exit code; null if the action ran here
   */
  withStudio(
    action: (studio: Studio) => Promise<void>,
    needs: StudioNeeds,
    isQuiet: boolean,
  ): Promise<number | null>;
  /** Commands that need their own process. */
  addMore?(program: Command): void;
}

/** Runs one command line. @returns Its exit code, as in `exit_code.ts` */
export async function runCommand(args: readonly string[], run: CommandRun): Promise<number> {
  const { terminal, signal, cwd, inOpenStudio } = run;
  let exitCode = 0;
  let flags = { json: false, quiet: false };
  const language = terminalLanguage(terminal.environment);
  const words = (message: Message): string => translate(message, language);
  const line = (text: string): void => terminal.out(`${printable(text)}\n`);
  const result: CommandContext['result'] = (value, texts) => {
    if (flags.json) line(jsonText(value));
    else for (const text of [texts].flat()) line(words(text));
  };
  const context: CommandContext = {
    terminal,
    asJson: () => flags.json,
    isQuiet: () => flags.quiet,
    result,
    words,
    success: (value, texts) => result(value, flags.quiet ? [] : texts),
    progress: () => createProgressLine(flags.quiet ? { ...terminal, isTerminal: false } : terminal, Date.now),
    setExitCode: (code) => {
      exitCode ||= code;
    },
    path: (given) => resolve(cwd, given),
    signal,
    takeSignals: run.takeSignals ?? (() => {}),
    inOpenStudio,
    async withStudio(action, needs = {}) {
      const code = await run.withStudio(action, needs, flags.quiet);
      if (code !== null) exitCode ||= code;
    },
  };
  const program = createProgram(context, run);
  program.hook('preAction', () => {
    flags = program.opts<typeof flags>();
  });
  run.addMore?.(program);
  helpIn(language, program);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (thrown) {
    const error = databaseFailure(thrown);
    if (error instanceof CommanderError) {
      const code = exitCodeOfCommander(error);
      // Commander has already printed the error; it stopped before it parsed its options.
      if (code !== 0 && args.includes('--json'))
        line(jsonText({ error: { code: 'invalid_input', message: error.message, hint: '' } }));
      return code;
    }
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    for (const part of [error.userMessage, error.advice])
      if (part) terminal.error(`${printable(words(part))}\n`);
    if (flags.json) line(jsonText({ error: { code, message, hint } }));
    return exitCode || exitCodeOfFailure(code);
  }
  return exitCode;
}
