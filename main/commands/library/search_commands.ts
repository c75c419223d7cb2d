import { t } from '@likeness/messages';
import { type Command, InvalidArgumentError } from 'commander';
import { type ModelCard, type ModelQuery, searchFields } from '#contract';
import type { Libraries } from '../../library/libraries.ts';
import { libraryAt } from '../batch.ts';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { jsonText } from '../output/json_text.ts';
import { refuseSearchProblems, searchHelp } from '../output/search_help.ts';
import { libraryOption } from './library_option.ts';
import { reportUnconnected } from './unconnected.ts';

interface ListFlags {
  library?: string;
  limit: number;
}

/** `likeness library list | search | show`. */
export function addSearchCommands(library: Command, context: CommandContext): void {
  const { withStudio, result, path } = context;
  const list = (query: ModelQuery, flags: ListFlags): Promise<void> =>
    withStudio(async ({ heads }) => {
      const inLibrary =
        flags.library === undefined
          ? {}
          : { libraryId: await libraryAt(heads.libraries, path(flags.library)) };
      reportUnconnected(heads.libraries.list(), context);
      const { models, total } = found(heads.libraries, { ...query, ...inLibrary }, flags.limit);
      const counted =
        total > models.length
          ? t('cli.heads_of', { count: models.length, total })
          : t('cli.n_heads', { count: total });
      result({ total, models }, [...models.map(modelLine), ...(context.isQuiet() ? [] : [counted])]);
    });
  withExamples(
    library.command('list').description('list the heads, newest first'),
    'library list --limit 20',
    "library list --json | jq -r '.models[].id'",
  )
    .option(...libraryOption)
    .option('--limit <n>', 'maximum number to list', positive, 1000)
    .action((flags: ListFlags) => list({ sort: 'created', descending: true }, flags));
  withExamples(
    library
      .command('search <words...>')
      .description('find heads by name, tag, note, file, date, connection or state'),
    "library search 'sex:female made:2026-11'",
    'library search --json -- male -draft',
  )
    .addHelpText(
      'after',
      searchHelp(
        searchFields,
        'A word that begins with - goes after --, as in: likeness library search -- male -draft',
      ),
    )
    .option(...libraryOption)
    .option('--limit <n>', 'maximum number to list', positive, 1000)
    .action((words: string[], flags: ListFlags) => list({ text: words.join(' ') }, flags));
  withExamples(
    library.command('show <id>').description('show details of a head, and whether it can be animated'),
    'library show <id>',
    'library show <id> --json',
  ).action((id: string) =>
    withStudio(async ({ handlers }) => {
      const model = await handlers.library.model({ id });
      const readiness = await handlers.library.readiness({ id });
      const all = { ...model, readiness };
      result(all, jsonText(all, 2).split('\n'));
    }),
  );
}

/**
 * Runs a search. A page shows ignored terms; here a longer list than requested would mislead.
 *
 * @throws Failure `invalid_input`
 */
export function found(
  libraries: Libraries,
  query: ModelQuery,
  limit: number,
): { models: ModelCard[]; total: number } {
  const { problems, ...rest } = libraries.search(query, 0, limit);
  refuseSearchProblems(problems, searchFields, t('cli.see_search_help'));
  return rest;
}

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('a whole number above 0');
  return number;
}

const modelLine = ({ id, name, sex, profileName, createdAt, state }: ModelCard): string =>
  [
    id,
    new Date(createdAt).toISOString().slice(0, 16).replace('T', ' '),
    sex ?? '-',
    profileName || '-',
    state,
    name,
  ].join('  ');
