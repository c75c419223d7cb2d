import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { interruptible } from '../commands/interruption.ts';
import type { Studio } from '../studio.ts';
import { acceptCommands, type CommandEnds, type CommandServer } from './command_server.ts';
import type { HandedCommand } from './messages.ts';

/**
 * Lets a running studio run commands that the user's command lines forward. The caller holds the data
 * folder's instance lock.
 */
export async function openToCommands(studio: Studio): Promise<CommandServer> {
  const { version, dataFolder } = await studio.handlers.app.info(undefined);
  return acceptCommands({
    folder: dataFolder,
    version,
    processId: process.pid,
    run: (command, ends) => runInStudio(studio, version, command, ends),
    report: (error) => studio.report('commands', error),
  });
}

async function runInStudio(
  studio: Studio,
  version: string,
  { args, cwd, isTerminal, columns, language }: HandedCommand,
  { out, error, onInterruption }: CommandEnds,
): Promise<number> {
  // Loaded with the first command, because most studios receive none.
  const { signal, interrupt } = interruptible();
  onInterruption(interrupt);
  const { runCommand } = await import('../commands/run_command.ts');
  return runCommand(args, {
    terminal: {
      out,
      error,
      environment: language,
      isTerminal,
      ...(columns !== undefined && { columns }),
    },
    version,
    // Making a head needs no studio, so it is never forwarded.
    engineOptions: {},
    cwd,
    signal,
    inOpenStudio: true,
    async withStudio(action, { here }) {
      if (here) throw new Failure('not_allowed', t('cli.asks_its_person'));
      await action(studio);
      return null;
    },
  });
}
