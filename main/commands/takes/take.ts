import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { outcomesOf } from '../output/outcomes.ts';
import { addTakeEditCommands } from './take_edit.ts';
import { addTakeExportCommand } from './take_export.ts';
import { addTakeListCommands, noTake } from './take_list.ts';
import { addTakeScoreCommand } from './take_score.ts';

/** `likeness take …`: recordings of voice and face. */
export function addTakeCommands(program: Command, context: CommandContext): void {
  const { withStudio, success } = context;
  const take = withExamples(
    program.command('take').description('list, edit, export and erase takes'),
    'take list',
    'take export --all --out takes',
  );
  addTakeListCommands(take, context);
  addTakeScoreCommand(take, context);
  addTakeEditCommands(take, context);
  addTakeExportCommand(take, context);
  withExamples(
    take
      .command('trash <ids...>')
      .description('move takes to the trash; the studio’s window can restore them'),
    'take trash <id>',
  ).action((ids: string[]) =>
    withStudio(async ({ handlers: { takes } }) => {
      const outcomes = outcomesOf(context, 'id');
      for (const id of ids) {
        await outcomes.of(id, async () => {
          await takes.trash({ id });
          success({ id, trashed: true }, t('cli.take_in_trash', { id }));
        });
      }
      outcomes.end();
    }),
  );
  withExamples(
    take
      .command('erase <ids...>')
      .description('erase takes permanently, from the list or the trash: voice, face and data'),
    'take erase <id>                           # only says what would go',
    'take erase <id> --yes --json',
  )
    .option('--yes', 'confirm; without it, only show what would be erased', false)
    .action((ids: string[], { yes }: { yes: boolean }) =>
      withStudio(async ({ handlers: { takes } }) => {
        const known = [...(await takes.list(undefined)), ...(await takes.trashed(undefined))];
        const missing = ids.find((id) => !known.some((one) => one.id === id));
        if (missing !== undefined) throw noTake(missing);
        if (!yes) {
          throw new Failure('not_allowed', t('cli.takes_would_be_erased', { count: new Set(ids).size }), {
            hint: t('cli.repeat_with_yes'),
          });
        }
        const { erased } = await takes.erase({ ids });
        success({ ids, erased }, t('cli.takes_erased', { erased }));
      }),
    );
}
