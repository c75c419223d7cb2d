/** Entry: the same studio without a window. `npm run likeness -- <arguments>`, packaged as `likeness`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CommanderError, InvalidArgumentError } from 'commander';
import type { CommandContext } from './commands/command_context.ts';
import { withExamples } from './commands/examples.ts';
import { exitCodeOfCommander, exitCodeOfFailure } from './commands/exit_code.ts';
import { jsonText } from './commands/json_text.ts';
import { printable } from './commands/printable.ts';
import { addCompletionCommand, createProgram } from './commands/program.ts';
import { createProgressLine } from './commands/progress_line.ts';
import type { Terminal } from './commands/terminal.ts';
import { openConfFile } from './connections/secret_file.ts';
import { Failure } from './failure.ts';
import { createTerminalShell } from './shell/none/shell.ts';
import { dataFolderPath, prepareDataFolder } from './storage/data_folder.ts';
import { makeFilesPrivate } from './storage/private_files.ts';
import { createStudio } from './studio.ts';

const beside = (path: string): URL => new URL(path, import.meta.url);
const packageFile = fileURLToPath(beside('../../package.json'));

/** Signals that end a command in order, and the exit codes that shells give them. */
const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Milliseconds in which a signal is the same one: npm passes on what the terminal sends to all. */
const sameSignalWithin = 500;

/**
 * Runs one command. A signal lets it come to its end in order (a photo under way is not left in doubt); the second one
 * ends it at once.
 *
 * @returns The exit code, as `exit_code.ts` has it; 128 and the signal's number where it was interrupted.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  makeFilesPrivate();
  let exitCode = 0;
  const interrupted = new AbortController();
  let interruptedAt = 0;
  const interrupt = (signal: NodeJS.Signals): void => {
    const code = endings[signal as keyof typeof endings];
    if (interrupted.signal.aborted) {
      if (performance.now() - interruptedAt > sameSignalWithin) process.exit(code);
      return;
    }
    interruptedAt = performance.now();
    exitCode = code;
    interrupted.abort(new Failure('cancelled', 'Interrupted.'));
  };
  const letGo = (): void => {
    for (const signal of Object.keys(endings)) process.off(signal, interrupt);
  };
  for (const signal of Object.keys(endings)) process.on(signal, interrupt);
  // A reader that closed its end early (head, less) is no failure of ours: the exit code stays what it is.
  terminal.unread?.addEventListener('abort', () =>
    interrupted.abort(new Failure('cancelled', 'Nobody reads the output any more.')),
  );
  let flags = { json: false, quiet: false };
  const line = (text: string): void => terminal.out(`${printable(text)}\n`);
  const result: CommandContext['result'] = (value, texts) => {
    if (flags.json) line(jsonText(value));
    else for (const text of [texts].flat()) line(text);
  };
  const context: CommandContext = {
    terminal,
    asJson: () => flags.json,
    isQuiet: () => flags.quiet,
    result,
    success: (value, texts) => result(value, flags.quiet ? [] : texts),
    progress: () => createProgressLine(flags.quiet ? { ...terminal, isTerminal: false } : terminal, Date.now),
    fell: (code) => {
      exitCode ||= code;
    },
    signal: interrupted.signal,
    async withStudio(action, { jobsAtOnce } = {}) {
      const { folder } = prepareDataFolder(
        dataFolderPath({ platform: process.platform, environment: terminal.environment, home: homedir() }),
      );
      const { fork, systemSecrets } = terminal;
      const shell = createTerminalShell({
        kind: 'none',
        dataFolder: folder,
        // Standard output is for what was asked for.
        say: (text) => terminal.error(`${printable(text)}\n`),
        ...(fork && { fork }),
        ...(systemSecrets && { systemSecrets }),
      });
      const studio = await createStudio(shell, {
        openSecretFile: openConfFile,
        pageOrigin: () => null,
        engineEntry: fileURLToPath(beside('./engine.js')),
        packageFile,
        environment: terminal.environment,
        ...(jobsAtOnce !== undefined && { jobsAtOnce }),
      });
      try {
        await action(studio);
      } finally {
        await studio.close();
      }
    },
  };

  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const builtWorker = beside('./portrait-worker.js');
  const program = createProgram(context, {
    version,
    engineOptions: existsSync(builtWorker) ? { workerUrl: builtWorker } : {},
  });
  program.hook('preAction', () => {
    flags = program.opts<typeof flags>();
  });
  withExamples(
    program.command('serve').description('serve the studio in a browser tab on this machine'),
    'serve --port 8080 --open',
  )
    .option('--port <port>', 'fixed port instead of any free one', portNumber, 0)
    .option('--open', 'open the browser', false)
    .action(async (flags: { port: number; open: boolean }) => {
      const { serve } = await import('./serve.ts');
      letGo();
      await serve(flags);
      await new Promise(() => {}); // until the process is told to stop
    });

  addCompletionCommand(program);

  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOfCommander(error);
    if (!(error instanceof Failure)) throw error;
    for (const text of [error.message, error.hint]) if (text) terminal.error(`${printable(text)}\n`);
    return exitCode || exitCodeOfFailure(error.code);
  } finally {
    letGo();
  }
  return exitCode;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('a port, 0 to 65535');
  }
  return port;
}

if (import.meta.main) {
  const unread = new AbortController();
  process.stdout.on('error', () => unread.abort());
  process.stderr.on('error', () => {});
  const exitCode = await runCommandLine(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    environment: process.env,
    isTerminal: Boolean(process.stderr.isTTY),
    columns: process.stderr.columns,
    unread: unread.signal,
  });
  // The vision runtime holds the process open; what was written must leave first.
  process.stdout.write('', () => process.exit(exitCode));
}
