/** The studio without a window. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { joinMessages, type Message, t, translate } from '@likeness/messages';
import { endSignalListener } from '@likeness/node-kit/end_signals.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { dataFolderPath, prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { makeFilesPrivate } from '@likeness/node-kit/storage/private_files.ts';
import { InvalidArgumentError } from 'commander';
import { type ForwardOptions, forwardCommand } from './cli_ipc/command_client.ts';
import type { StudioNeeds } from './commands/command_context.ts';
import { interruptible } from './commands/interruption.ts';
import { withExamples } from './commands/output/examples.ts';
import { printable } from './commands/output/printable.ts';
import type { Terminal } from './commands/output/terminal.ts';
import { terminalLanguage } from './commands/output/terminal_language.ts';
import { addCompletionCommand } from './commands/program.ts';
import { runCommand } from './commands/run_command.ts';
import { environmentSecrets } from './connections/environment_keys.ts';
import { openConfFile } from './connections/vault/secret_file.ts';
import { createTerminalShell } from './shell/none/shell.ts';
import { createStudio, type Studio } from './studio.ts';

const beside = (path: string): URL => new URL(path, import.meta.url);
/** Path of a file in the build; undefined when running from the sources. */
const besideBuilt = (path: string): URL | undefined =>
  existsSync(beside('./portrait-worker.js')) ? beside(path) : undefined;
const packageFile = fileURLToPath(beside('../../package.json'));

/** Signals that end a command cleanly, and the exit codes that shells assign to them. */
const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Runs one command. The first signal lets it finish cleanly (so that the state of a photo being sent is
 * known); the second ends it at once.
 *
 * @returns The exit code, as in `exit_code.ts`; 128 plus the signal's number if it was interrupted.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  makeFilesPrivate();
  let endedBy = 0;
  const interrupted = interruptible();
  const codeOf = (signal: NodeJS.Signals): number => endings[signal as keyof typeof endings];
  const interrupt = endSignalListener(
    (signal) => {
      endedBy = codeOf(signal);
      interrupted.interrupt('person');
    },
    (signal) => process.exit(codeOf(signal)),
  );
  const stopListening = (): void => {
    for (const signal of Object.keys(endings)) process.off(signal, interrupt);
  };
  for (const signal of Object.keys(endings)) process.on(signal, interrupt);
  // A reader that closes early (head, less) is not an error: the exit code stays as it is.
  terminal.unread?.addEventListener('abort', () => interrupted.interrupt('unread'));

  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const builtWorker = beside('./portrait-worker.js');
  try {
    const code = await runCommand(args, {
      terminal,
      version,
      engineOptions: existsSync(builtWorker) ? { workerUrl: builtWorker } : {},
      cwd: process.cwd(),
      signal: interrupted.signal,
      takeSignals: stopListening,
      engineFiles: {
        portraitWorker: besideBuilt('./portrait-worker.js'),
        speechWeights: besideBuilt('./speech-weights.bin'),
        recordingWorker: besideBuilt('./recording-worker.js'),
        fullPassWeights: besideBuilt('./second-hearing.bin'),
      },
      inOpenStudio: false,
      async withStudio(action, needs, isQuiet) {
        const { folder, temporaryFolder } = prepareDataFolder(
          dataFolderPath({ platform: process.platform, environment: terminal.environment, home: homedir() }),
        );
        const printError = (message: Message): void =>
          terminal.error(`${printable(translate(message, terminalLanguage(terminal.environment)))}\n`);
        if (!needs.here) {
          const forwarded = await forwardCommand({
            folder,
            version,
            ...commandHere(args, terminal),
            onForwarded: () => isQuiet || printError(t('cli.forwarded')),
            signal: interrupted.signal,
          });
          if (forwarded.forwarded) return forwarded.code;
          const { why, hint } = forwarded;
          // A command that needs no queue can run beside a running studio.
          if (why && needs.queue) throw new Failure('conflict', why, { hint, retryable: true });
          if (why && !isQuiet) printError(joinMessages(why, t('cli.runs_beside')));
        }
        await inStudioOfItsOwn(action, { folder, temporaryFolder, terminal, needs, printError });
        return null;
      },
      addMore(program) {
        withExamples(
          program.command('serve').description('serve the studio in a browser tab on this machine'),
          'serve --port 8080 --open',
        )
          .option('--port <port>', 'port to listen on; default: any free one', portNumber, 0)
          .option('--open', 'open the browser', false)
          .action(async (flags: { port: number; open: boolean }) => {
            const { serve } = await import('./serve.ts');
            stopListening();
            await serve(flags);
            await new Promise(() => {}); // Runs until the process is asked to stop.
          });
        addCompletionCommand(program);
      },
    });
    return endedBy || code;
  } finally {
    stopListening();
  }
}

/** Opens the studio for one command in this process. */
async function inStudioOfItsOwn(
  action: (studio: Studio) => Promise<void>,
  {
    folder,
    temporaryFolder,
    terminal: { fork, systemSecrets, environment },
    needs: { concurrentJobs },
    printError,
  }: {
    folder: string;
    temporaryFolder: string;
    terminal: Terminal;
    needs: StudioNeeds;
    printError: (text: string) => void;
  },
): Promise<void> {
  const shell = createTerminalShell({
    kind: 'none',
    dataFolder: folder,
    // Standard output contains only the requested data.
    writeLine: printError,
    ...(fork && { fork }),
    ...(systemSecrets && { systemSecrets }),
  });
  const studio = await createStudio(shell, {
    openSecretFile: openConfFile,
    pageOrigin: () => null,
    engineEntry: fileURLToPath(beside('./engine.js')),
    packageFile,
    environment,
    async drawFilm(filmId, studio) {
      // Loaded with the first film: most commands make none.
      const { drawInChromium } = await import('./serve.ts');
      return drawInChromium(temporaryFolder)(filmId, studio);
    },
    ...(concurrentJobs !== undefined && { concurrentJobs }),
  });
  try {
    await action(studio);
  } finally {
    await studio.close();
  }
}

/** Returns the command line for a running studio, without the keys in its environment. */
function commandHere(
  args: readonly string[],
  { environment, isTerminal = false, columns, unread, out, error }: Terminal,
): Pick<ForwardOptions, 'command' | 'hasKeys' | 'out' | 'error' | 'unread'> {
  const { LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = environment;
  return {
    command: {
      args: [...args],
      cwd: process.cwd(),
      isTerminal,
      columns: columns && columns > 0 ? columns : undefined,
      language: { LANGUAGE, LC_ALL, LC_MESSAGES, LANG },
    },
    // Except for the passphrase: it only unlocks the key store, which the running studio handles itself.
    hasKeys: environmentSecrets({ ...environment, LIKENESS_PASSPHRASE: undefined }).length > 0,
    out,
    error,
    ...(unread && { unread }),
  };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('a port, 0 to 65535');
  }
  return port;
}

/** Runs the command of this process, and exits with the command's exit code. */
export async function runProcess(): Promise<void> {
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
  // The vision runtime keeps the process alive, so exit explicitly, but flush the output first.
  process.stdout.write('', () => process.exit(exitCode));
}
