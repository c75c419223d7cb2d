import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Take, type TakeSelection, takeSearchFields, takeSorts } from '#contract';
import type { Studio } from '../../studio.ts';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { mixed } from '../output/mixed_text.ts';
import { refuseSearchProblems, searchHelp } from '../output/search_help.ts';

interface ListFlags {
  trash: boolean;
  search?: string;
  sort?: (typeof takeSorts)[number];
  reverse: boolean;
}

/** `likeness take list | rate | tag`: finds takes, and rates or tags many at once. */
export function addTakeListCommands(take: Command, context: CommandContext): void {
  const { withStudio, result, success } = context;
  withExamples(
    take.command('list').description('list the takes, newest first'),
    'take list',
    "take list --search 'tag:film rating:>3' --sort length",
    "take list --json | jq -r '.[].id'",
    'take list --trash',
  )
    .addHelpText('after', searchHelp(takeSearchFields, ''))
    .option('--search <text>', 'list only takes that match: words, tag:film, rating:>3')
    .addOption(new Option('--sort <order>', 'sort by: created, name, rating, length').choices(takeSorts))
    .option('--reverse', 'reverse the order', false)
    .addOption(new Option('--trash', 'list the trash').default(false).conflicts(['search', 'sort']))
    .action((flags: ListFlags) =>
      withStudio(async (studio) => {
        const found = await listed(studio, flags);
        result(found, [
          ...found.map(takeLine),
          ...(context.isQuiet() ? [] : [t('cli.n_takes', { count: found.length })]),
        ]);
      }),
    );
  const change = async (
    studio: Studio,
    selection: TakeSelection,
    changes: { rating?: number; addTags?: string[]; removeTags?: string[] },
  ): Promise<void> => {
    const { changed } = await studio.handlers.takes.editMany({ selection, changes });
    success({ changed }, t('cli.takes_changed', { count: changed }));
  };
  withExamples(
    take
      .command('rate')
      .description('rate takes with 0 to 5 stars')
      .argument('<stars>', '', starsOf)
      .argument('[ids...]'),
    'take rate 4 <id> <id>',
    "take rate 0 --search 'made:<2026-11-01'",
  )
    .option('--search <text>', 'takes that this search finds; syntax as in take list')
    .action((rating: number, ids: string[], { search }: { search?: string }) =>
      withStudio(async (studio) => change(studio, await selected(studio, ids, search), { rating })),
    );
  withExamples(
    take.command('tag [ids...]').description('add and remove tags of takes'),
    'take tag <id> --add film,day-2',
    'take tag --search tag:draft --remove draft --add final',
  )
    .option('--search <text>', 'takes that this search finds; syntax as in take list')
    .option('--add <tags>', 'tags to add, separated by commas', tagsOf)
    .option('--remove <tags>', 'tags to remove, separated by commas', tagsOf)
    .action((ids: string[], flags: { search?: string; add?: string[]; remove?: string[] }) => {
      const { add = [], remove = [] } = flags;
      if (add.length + remove.length === 0) throw new Failure('invalid_input', t('cli.nothing_to_tag'));
      return withStudio(async (studio) =>
        change(studio, await selected(studio, ids, flags.search), { addTags: add, removeTags: remove }),
      );
    });
}

const pageSize = 500;

async function listed({ handlers: { takes } }: Studio, flags: ListFlags): Promise<Take[]> {
  if (flags.trash) return inOrder(await takes.trashed(undefined), flags.reverse);
  const query = {
    ...(flags.search !== undefined && { text: flags.search }),
    ...(flags.sort !== undefined && { sort: flags.sort, descending: flags.sort !== 'name' }),
  };
  const found: Take[] = [];
  for (;;) {
    const page = await takes.search({ query, offset: found.length, limit: pageSize });
    refuseSearchProblems(page.problems, takeSearchFields, t('cli.see_take_search_help'));
    found.push(...page.takes);
    if (page.takes.length === 0 || found.length >= page.total) return inOrder(found, flags.reverse);
  }
}

const inOrder = (takes: Take[], isReverse: boolean): Take[] => (isReverse ? takes.toReversed() : takes);

/** @throws Failure `invalid_input` unless exactly one is given, `not_found` for an id without a take */
async function selected(
  { handlers: { takes } }: Studio,
  ids: string[],
  search: string | undefined,
): Promise<TakeSelection> {
  if (ids.length > 0 === (search !== undefined)) {
    throw new Failure('invalid_input', t('cli.say_takes_or_search'), { hint: t('cli.list_takes') });
  }
  if (search === undefined) {
    const known = new Set((await takes.list(undefined)).map(({ id }) => id));
    const missing = ids.find((id) => !known.has(id));
    if (missing !== undefined) throw noTake(missing);
    return { ids };
  }
  const query = { text: search };
  const { problems } = await takes.search({ query, offset: 0, limit: 1 });
  refuseSearchProblems(problems, takeSearchFields, t('cli.see_take_search_help'));
  return { query };
}

export const noTake = (id: string): Failure =>
  new Failure('not_found', t('cli.no_take', { id }), { hint: t('cli.list_takes') });

function starsOf(text: string): number {
  if (!/^[0-5]$/.test(text)) throw new InvalidArgumentError('0, 1, 2, 3, 4 or 5');
  return Number(text);
}

function tagsOf(text: string): string[] {
  const tags = text
    .split(/[,，]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const long = tags.find((tag) => tag.length > 60);
  if (tags.length === 0 || long)
    throw new InvalidArgumentError('tags of 60 characters at most, with commas between');
  return tags;
}

const takeLine = ({ id, createdAt, seconds, name, rating, tags, damaged }: Take): Message =>
  mixed`${id}  ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}  ${t('cli.n_seconds', { seconds: seconds.toFixed(1) })}  ${damaged ? t('cli.damaged', { damaged }) : `${rating > 0 ? `${'★'.repeat(rating)}  ` : ''}${name}${tags.map((tag) => `  #${tag}`).join('')}`}`;
