import { resolve } from 'node:path';
import { joinMessages, type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Command } from 'commander';
import type { Library } from '#contract';
import type { Libraries } from '../../library/libraries.ts';
import type { Studio } from '../../studio.ts';
import { libraryAt } from '../batch.ts';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { exitCodes } from '../output/exit_code.ts';
import { mixed } from '../output/mixed_text.ts';
import { libraryOption } from './library_option.ts';
import { reportUnconnected } from './unconnected.ts';

/** `likeness library folders | add | move | verify | rebuild`. */
export function addFolderCommands(library: Command, context: CommandContext): void {
  const { withStudio, result, success, setExitCode, path } = context;
  withExamples(
    library.command('folders').description('list the libraries and their folders'),
    'library folders --json',
  ).action(() =>
    withStudio(async ({ heads }) => {
      const known = heads.libraries.list();
      result(known, known.map(libraryLine));
    }),
  );
  withExamples(
    library.command('add <folder>').description('open the library in a folder, or create one there'),
    'library add /mnt/heads --name Studio',
  )
    .option('--name <name>', 'name; default: the folder’s name')
    .action((folder: string, flags: { name?: string }) =>
      withStudio(async ({ heads }) => {
        const added = await heads.libraries.add(path(folder), flags.name);
        success(added, libraryLine(added));
      }),
    );
  withExamples(
    library.command('move <into>').description('move a library to another folder, on any disk'),
    'library move /mnt/heads',
  )
    .option('--library <folder>', 'library; default: the one for new heads')
    .action((into: string, flags: { library?: string }) =>
      withStudio(async ({ heads: { libraries } }) => {
        const id =
          flags.library === undefined ? libraries.defaultId() : knownAt(libraries, path(flags.library));
        const moved = await libraries.move(id, path(into));
        success(moved, libraryLine(moved));
      }),
    );
  withExamples(
    library.command('verify').description('check every file of a library'),
    'library verify',
    'library verify --library /mnt/heads --json',
  )
    .option(...libraryOption)
    .action((flags: { library?: string }) =>
      withStudio(async (studio) => {
        const { libraries } = studio.heads;
        reportUnconnected(libraries.list(), context);
        const { models, problems } = await studio.handlers.library.verify(
          await within(studio, flags.library && path(flags.library)),
        );
        const texts = problems.map(
          ({ folder, problem, hint }) => mixed`✗ ${folder}: ${joinMessages(problem, hint)}`,
        );
        const print = problems.length > 0 ? result : success;
        print({ models, problems }, [...texts, t('cli.heads_problems', { models, count: problems.length })]);
        const isAllRead = flags.library !== undefined || libraries.list().every(({ available }) => available);
        if (problems.length > 0 || !isAllRead) setExitCode(exitCodes.other);
      }),
    );
  withExamples(
    library.command('rebuild').description('rebuild the index from the folders'),
    'library rebuild',
  )
    .option(...libraryOption)
    .action((flags: { library?: string }) =>
      withStudio(async (studio) => {
        const { models } = await studio.handlers.library.rebuild(
          await within(studio, flags.library && path(flags.library)),
        );
        success({ models }, t('cli.n_heads', { count: models }));
      }),
    );
}

const within = async ({ heads }: Studio, folder: string | undefined): Promise<{ libraryId?: string }> =>
  folder === undefined ? {} : { libraryId: await libraryAt(heads.libraries, folder) };

/** Only a known library can be moved: a mistyped folder must not become one first. */
function knownAt(libraries: Libraries, folder: string): string {
  const known = libraries.list().find((library) => resolve(library.folder) === folder);
  if (known) return known.id;
  throw new Failure('not_found', t('cli.no_library_at', { folder }), {
    hint: t('cli.list_libraries'),
  });
}

const libraryLine = ({ name, folder, models, available, isDefault }: Library): Message =>
  t('cli.library_line', {
    folder,
    name,
    state: available ? 'connected' : 'missing',
    count: models,
    use: isDefault ? 'default' : 'other',
  });
