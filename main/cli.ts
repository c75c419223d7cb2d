/** Entry: the same studio without a window. `npm run likeness -- <arguments>`, packaged as `likeness`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { addBatchCommand } from './commands/batch.ts';
import type { CommandContext, Terminal } from './commands/command_context.ts';
import { addConnectionsCommands } from './commands/connections.ts';
import { addHeadCommand } from './commands/head.ts';
import { addImageCommands } from './commands/image.ts';
import { addJournalCommands } from './commands/journal.ts';
import { addLibraryCommands } from './commands/library.ts';
import { addModelCommands } from './commands/model.ts';
import { printable, printableText } from './commands/printable.ts';
import { addTalkCommand } from './commands/talk.ts';
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
 * @returns The exit code: 0 only where everything that was asked for was done; 128 and the signal's number where it
 *   was interrupted.
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
  const line = (text: string): void => terminal.out(`${printable(text)}\n`);
  const context: CommandContext = {
    terminal,
    line,
    fell: () => {
      exitCode ||= 1;
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
        say: line,
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
  const program = new Command('likeness')
    .description('Likeness Studio without a window: portraits to 3D heads, speech to face animation')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.error(printableText(text)) });
  const builtWorker = beside('./portrait-worker.js');
  addHeadCommand(program, context, existsSync(builtWorker) ? { workerUrl: builtWorker } : {});
  addBatchCommand(program, context);
  addLibraryCommands(program, context);
  addImageCommands(program, context);
  addModelCommands(program, context);
  addTalkCommand(program, context);
  addConnectionsCommands(program, context);
  addJournalCommands(program, context);
  program
    .command('serve')
    .description('serve the studio in a browser tab on this machine')
    .option('--port <port>', 'fixed port instead of any free one', portNumber, 0)
    .option('--open', 'open the browser', false)
    .action(async (flags: { port: number; open: boolean }) => {
      const { serve } = await import('./serve.ts');
      letGo();
      await serve(flags);
      await new Promise(() => {}); // until the process is told to stop
    });

  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof Failure)) throw error;
    for (const text of [error.message, error.hint]) if (text) terminal.error(`${printable(text)}\n`);
    return exitCode || 1;
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
