import type { Command } from 'commander';
import type { Take } from '#contract';
import { type Said, say } from '#sentences';
import { Failure } from '../failure.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';
import { mixed } from './output/mixed_text.ts';
import { outcomesOf } from './output/outcomes.ts';
import { addTakeExportCommand, noTake } from './take_export.ts';

/** `likeness take list | export | trash | erase`: recordings of voice and face. */
export function addTakeCommands(program: Command, context: CommandContext): void {
  const { withStudio, result, success } = context;
  const take = withExamples(
    program.command('take').description('recordings of voice and face'),
    'take list',
    'take export --all --out takes',
  );
  withExamples(
    take.command('list').description('list the takes, newest first'),
    'take list',
    "take list --json | jq -r '.[].id'",
    'take list --trash',
  )
    .option('--trash', 'what is in the trash', false)
    .action(({ trash }: { trash: boolean }) =>
      withStudio(async ({ handlers: { takes } }) => {
        const found = await (trash ? takes.trashed(undefined) : takes.list(undefined));
        result(found, [
          ...found.map(takeLine),
          ...(context.isQuiet() ? [] : [say('cli.n_takes', { count: found.length })]),
        ]);
      }),
    );
  addTakeExportCommand(take, context);
  withExamples(
    take
      .command('trash <ids...>')
      .description('put takes into the trash, from where the window brings them back'),
    'take trash <id>',
  ).action((ids: string[]) =>
    withStudio(async ({ handlers: { takes } }) => {
      const outcomes = outcomesOf(context, 'id');
      for (const id of ids) {
        await outcomes.of(id, async () => {
          await takes.trash({ id });
          success({ id, trashed: true }, say('cli.take_in_trash', { id }));
        });
      }
      outcomes.end();
    }),
  );
  withExamples(
    take
      .command('erase <ids...>')
      .description('erase takes for good: voice, face and record, from the list or the trash'),
    'take erase <id>                           # only says what would go',
    'take erase <id> --yes --json',
  )
    .option('--yes', 'do it; without, only say what would go', false)
    .action((ids: string[], { yes }: { yes: boolean }) =>
      withStudio(async ({ handlers: { takes } }) => {
        const known = [...(await takes.list(undefined)), ...(await takes.trashed(undefined))];
        const missing = ids.find((id) => !known.some((one) => one.id === id));
        if (missing !== undefined) throw noTake(missing);
        if (!yes) {
          throw new Failure('not_allowed', say('cli.takes_would_be_erased', { count: ids.length }), {
            hint: say('cli.repeat_with_yes'),
          });
        }
        const { erased } = await takes.erase({ ids });
        success({ ids, erased }, say('cli.takes_erased', { erased }));
      }),
    );
}

const takeLine = ({ id, createdAt, seconds, name, damaged }: Take): Said =>
  mixed`${id}  ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}  ${say('cli.n_seconds', { seconds: seconds.toFixed(1) })}  ${damaged ? say('cli.damaged', { damaged }) : name}`;
