import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { exitCodeOfAll, exitCodes } from '../output/exit_code.ts';
import { receiptLines } from './erasure_receipt.ts';

/** `likeness library erase`. */
export function addEraseCommand(library: Command, { withStudio, result, setExitCode }: CommandContext): void {
  withExamples(
    library
      .command('erase <ids...>')
      .description('erase heads permanently, with all their data in the studio'),
    'library erase <id>                        # only says what would go',
    'library erase <id> --takes --yes --json',
  )
    .option('--takes', 'also erase the takes of these heads', false)
    .option('--yes', 'confirm; without it, only show what would be erased', false)
    .action((ids: string[], flags: { takes: boolean; yes: boolean }) =>
      withStudio(async ({ handlers }) => {
        const { heads, takes, trashedTakes } = await handlers.library.beforeErase({ selection: { ids } });
        if (heads === 0) throw new Failure('not_found', t('cli.no_such_head'));
        if (!flags.yes) {
          const gone = (flags.takes ? takes : 0) + trashedTakes;
          const kept = flags.takes ? 0 : takes;
          throw new Failure(
            'not_allowed',
            t('cli.would_be_erased', {
              heads,
              gone,
              kept,
            }),
            { hint: t('cli.repeat_yes_takes', { kept }) },
          );
        }
        const receipt = await handlers.library.erase({ selection: { ids }, takes: flags.takes });
        result(receipt, receiptLines(receipt));
        if (receipt.failed > 0) setExitCode(exitCodeOfAll(receipt.ids.length, [exitCodes.other]));
        else if (!receipt.isFinished) setExitCode(exitCodes.partly);
      }),
    );
}
