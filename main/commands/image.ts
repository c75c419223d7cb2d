import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import type { Command } from 'commander';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';
import { withExamples } from './output/examples.ts';
import { outcomesOf } from './output/outcomes.ts';

/** `likeness image submit` (A2). */
export function addImageCommands(program: Command, context: CommandContext): void {
  const { withStudio, result, path, signal } = context;
  const image = withExamples(
    program.command('image').description('submit image tasks'),
    'image submit one.png two.png',
  );
  withExamples(
    image
      .command('submit <files...>')
      .description('submit images and print the task ids; the interface has no status query for them'),
    'image submit one.png two.png --profile Cloud',
    'image submit *.png --json > ids.jsonl      # one object for each file',
  )
    .option('--profile <name>', 'connection; default: the default connection')
    .action((files: string[], flags: { profile?: string }) =>
      withStudio(async ({ handlers, client }) => {
        const profile = await profileNamed(flags.profile, handlers);
        const server = await client(profile.id);
        const outcomes = outcomesOf(context, 'file');
        for (const file of files) {
          await outcomes.of(file, async () => {
            if (!isThere(path(file))) throw new Failure('not_found', t('cli.no_such_file'));
            const { id } = await server.submitImage({ path: path(file) }, { signal });
            result({ file, id }, `${id}  ${file}`);
          });
        }
        outcomes.end();
      }),
    );
}
