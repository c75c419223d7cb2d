import { createReadStream, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  builtInNameTables,
  exportFormats,
  type Library,
  type ModelCard,
  type ModelQuery,
  searchFields,
} from '#contract';
import { oneAfterAnother, type Said, say } from '#sentences';
import { Failure } from '../failure.ts';
import type { ExportedModel, FailedModel } from '../library/export/model_export.ts';
import { searchProblemText } from '../library/index/search_terms.ts';
import type { Libraries } from '../library/libraries.ts';
import { makeFolderForThePerson, saveForThePerson } from '../storage/private_files.ts';
import type { Studio } from '../studio.ts';
import { libraryAt } from './batch.ts';
import type { CommandContext } from './command_context.ts';
import { receiptLines } from './erasure_receipt.ts';
import { formatOption, writeHeadFiles } from './head_files.ts';
import { withExamples } from './output/examples.ts';
import { exitCodeOfAll, exitCodes } from './output/exit_code.ts';
import { jsonText } from './output/json_text.ts';
import { mixed } from './output/mixed_text.ts';
import { outcomesOf } from './output/outcomes.ts';

interface ListFlags {
  library?: string;
  limit: number;
}

/**
 * `likeness library list | search | show | export | records | erase | verify | rebuild | folders | add |
 * move`.
 */
export function addLibraryCommands(program: Command, context: CommandContext): void {
  const { withStudio, result, success, setExitCode, path } = context;
  const library = withExamples(
    program.command('library').description('the heads that were made or imported'),
    'library list',
    "library search 'sex:female rating:>3'",
  );
  const place = ['--library <folder>', 'library; default: all that the studio knows'] as const;

  const list = (query: ModelQuery, flags: ListFlags): Promise<void> =>
    withStudio(async ({ heads }) => {
      const inLibrary =
        flags.library === undefined
          ? {}
          : { libraryId: await libraryAt(heads.libraries, path(flags.library)) };
      const { models, total } = found(heads.libraries, { ...query, ...inLibrary }, flags.limit);
      const counted =
        total > models.length
          ? say('cli.heads_of', { count: models.length, total })
          : say('cli.n_heads', { count: total });
      result({ total, models }, [...models.map(modelLine), ...(context.isQuiet() ? [] : [counted])]);
    });
  withExamples(
    library.command('list').description('list the heads, newest first'),
    'library list --limit 20',
    "library list --json | jq -r '.models[].id'",
  )
    .option(...place)
    .option('--limit <n>', 'most to list', positive, 1000)
    .action((flags: ListFlags) => list({ sort: 'created', descending: true }, flags));
  withExamples(
    library
      .command('search <words...>')
      .description('find heads by name, tag, note, file, date, connection or state'),
    "library search 'sex:female made:2026-11'",
    'library search --json -- male -draft',
  )
    .addHelpText('after', searchHelp)
    .option(...place)
    .option('--limit <n>', 'most to list', positive, 1000)
    .action((words: string[], flags: ListFlags) => list({ text: words.join(' ') }, flags));
  withExamples(
    library
      .command('show <id>')
      .description('all that is known of one head, and whether it is ready to be driven'),
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
  withExamples(
    library
      .command('export [ids...]')
      .description('write heads to a file: those of the ids, of a search, or all'),
    'library export <id> -o head.glb',
    'library export --all --format fbx --out heads/ --file-name "{name}-{date}"',
    "library export --query 'tag:film rating:>3' --format zip -o film.zip",
  )
    .requiredOption(
      '-o, --out <path>',
      'file to write, or a folder, where each head goes as a file of its own',
    )
    .option('--query <words>', 'those that this search finds, as library search takes it')
    .option('--all', 'all heads', false)
    .addOption(formatOption(exportFormats))
    .option(
      '--names <names>',
      `names of the face shapes: as-is, ${builtInNameTables.join(', ')}, or the id of a table of yours`,
      'as-is',
    )
    .option(
      '--file-name <pattern>',
      'names of the files: {name} {date} {today} {number:3} {sex} {id}',
      '{name}',
    )
    .option('--overwrite', 'write over files of the same names in the folder', false)
    .action((ids: string[], flags: ExportFlags) => {
      const selection = exportSelection(ids, flags);
      return withStudio(async ({ handlers, heads, asset }) => {
        // A search with a fault in it finds more than was meant.
        if ('query' in selection && found(heads.libraries, selection.query, 1).total === 0)
          throw new Failure('not_found', say('cli.no_head_found'));
        const order = { format: flags.format, names: flags.names, fileName: flags.fileName };
        const out = path(flags.out);
        // What ends as a folder is one, also where it is not there yet.
        if (/[\\/]$/.test(flags.out) || isFolder(out)) {
          const models = heads.exports.each(heads.libraries.selected(selection), order);
          return exportToFolder(models, { ...flags, out }, context);
        }
        const made = await handlers.library.exportModels({ selection, ...order });
        const from = await asset('export', made.exportId);
        if (from === null) throw new Failure('storage', say('cli.export_gone'));
        await saveForThePerson(out, createReadStream(from));
        for (const { name, problem } of made.problems)
          context.terminal.error(`✗ ${name}: ${context.words(problem)}\n`);
        if (made.problems.length > 0) context.setExitCode(exitCodes.partly);
        success(
          { file: flags.out, models: made.models, bytes: made.bytes, problems: made.problems },
          say('cli.heads_exported', {
            out: flags.out,
            models: made.models,
            megabytes: (made.bytes / 1e6).toFixed(2),
          }),
        );
      });
    });
  withExamples(
    library.command('records').description('write what is known of the heads as CSV or JSON'),
    'library records -o heads.csv',
    'library records --format json -o heads.json',
  )
    .requiredOption('-o, --out <file>', 'file to write')
    .addOption(new Option('--format <format>', 'of the file').choices(['csv', 'json']).default('csv'))
    .action((flags: { out: string; format: 'csv' | 'json' }) =>
      withStudio(async ({ handlers }) => {
        const { text } = await handlers.library.exportRecords({
          selection: { query: {} },
          format: flags.format,
        });
        await saveForThePerson(path(flags.out), text);
        success({ file: flags.out, format: flags.format }, flags.out);
      }),
    );
  withExamples(
    library
      .command('erase <ids...>')
      .description('erase heads for good, with all that the studio has of them'),
    'library erase <id>                        # only says what would go',
    'library erase <id> --takes --yes --json',
  )
    .option('--takes', 'the takes of these heads too', false)
    .option('--yes', 'do it; without, only say what would go', false)
    .action((ids: string[], flags: { takes: boolean; yes: boolean }) =>
      withStudio(async ({ handlers }) => {
        const { heads, takes, trashedTakes } = await handlers.library.beforeErase({ selection: { ids } });
        if (heads === 0) throw new Failure('not_found', say('cli.no_such_head'));
        if (!flags.yes) {
          const gone = (flags.takes ? takes : 0) + trashedTakes;
          const kept = flags.takes ? 0 : takes;
          throw new Failure(
            'not_allowed',
            say('cli.would_be_erased', {
              heads,
              gone,
              kept: kept > 0 ? say('cli.takes_stay', { kept }) : '',
            }),
            { hint: say('cli.repeat_yes_takes', { kept: kept > 0 ? say('cli.and_takes') : '' }) },
          );
        }
        const receipt = await handlers.library.erase({ selection: { ids }, takes: flags.takes });
        result(receipt, receiptLines(receipt));
        if (receipt.failed > 0) setExitCode(exitCodeOfAll(receipt.ids.length, [exitCodes.other]));
        else if (!receipt.isFinished) setExitCode(exitCodes.partly);
      }),
    );
  withExamples(
    library.command('folders').description('list the libraries and where they are'),
    'library folders --json',
  ).action(() =>
    withStudio(async ({ heads }) => {
      const known = heads.libraries.list();
      result(known, known.map(libraryLine));
    }),
  );
  withExamples(
    library.command('add <folder>').description('open the library in a folder, or make one there'),
    'library add /mnt/heads --name Studio',
  )
    .option('--name <name>', 'its name; default: that of the folder')
    .action((folder: string, flags: { name?: string }) =>
      withStudio(async ({ heads }) => {
        const added = await heads.libraries.add(path(folder), flags.name);
        success(added, libraryLine(added));
      }),
    );
  withExamples(
    library
      .command('move <into>')
      .description('move a library into another folder, on the same disk or another'),
    'library move /mnt/heads',
  )
    .option('--library <folder>', 'library; default: the one that new heads go into')
    .action((into: string, flags: { library?: string }) =>
      withStudio(async ({ heads: { libraries } }) => {
        const id =
          flags.library === undefined ? libraries.defaultId() : knownAt(libraries, path(flags.library));
        const moved = await libraries.move(id, path(into));
        success(moved, libraryLine(moved));
      }),
    );
  withExamples(
    library.command('verify').description('look at every file of a library'),
    'library verify',
    'library verify --library /mnt/heads --json',
  )
    .option(...place)
    .action((flags: { library?: string }) =>
      withStudio(async (studio) => {
        const { models, problems } = await studio.handlers.library.verify(
          await within(studio, flags.library && path(flags.library)),
        );
        const texts = problems.map(
          ({ folder, problem, hint }) => mixed`✗ ${folder}: ${oneAfterAnother(problem, hint)}`,
        );
        const tell = problems.length > 0 ? result : success;
        tell({ models, problems }, [...texts, say('cli.heads_problems', { models, count: problems.length })]);
        if (problems.length > 0) setExitCode(exitCodes.other);
      }),
    );
  withExamples(
    library.command('rebuild').description('make the index anew from the folders'),
    'library rebuild',
  )
    .option(...place)
    .action((flags: { library?: string }) =>
      withStudio(async (studio) => {
        const { models } = await studio.handlers.library.rebuild(
          await within(studio, flags.library && path(flags.library)),
        );
        success({ models }, `${models} heads`);
      }),
    );
}

interface ExportFlags {
  out: string;
  query?: string;
  all: boolean;
  format: (typeof exportFormats)[number];
  names: string;
  fileName: string;
  overwrite: boolean;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Each head as a file, or as a folder of files, in a folder; one that fails does not keep the next from being
 * written.
 */
async function exportToFolder(
  models: AsyncIterable<ExportedModel | FailedModel>,
  { out, overwrite }: ExportFlags,
  context: CommandContext,
): Promise<void> {
  makeFolderForThePerson(out);
  const outcomes = outcomesOf(context, 'id');
  for await (const model of models) {
    context.signal.throwIfAborted();
    const { id, name } = model;
    await outcomes.of(id, async () => {
      if ('problem' in model) throw model.problem;
      const { files, severalFiles } = model;
      const target = join(out, severalFiles ? name : files[0]!.name);
      const written = await writeHeadFiles(files, target, { severalFiles, overwrite });
      context.success({ id, name, written }, `✓ ${name}: ${target}`);
    });
  }
  outcomes.end();
}

/** @throws Failure `invalid_input` unless exactly one of the three says which heads */
function exportSelection(
  ids: string[],
  { query, all }: ExportFlags,
): { ids: string[] } | { query: ModelQuery } {
  if ([ids.length > 0, query !== undefined, all].filter(Boolean).length !== 1) {
    throw new Failure('invalid_input', say('cli.say_which_heads'), {
      hint: say('cli.see_export_help'),
    });
  }
  if (all) return { query: {} };
  return query === undefined ? { ids } : { query: { text: query } };
}

/**
 * What a search finds. A page shows what it passed over; here a list that is longer than what was asked for
 * would mislead.
 *
 * @throws Failure `invalid_input`
 */
function found(
  libraries: Libraries,
  query: ModelQuery,
  limit: number,
): { models: ModelCard[]; total: number } {
  const { problems, ...rest } = libraries.search(query, 0, limit);
  if (problems.length === 0) return rest;
  throw new Failure(
    'invalid_input',
    problems.map(searchProblemText).reduce((first, second) => mixed`${first}\n${second}`),
    {
      hint: say('cli.see_search_help'),
    },
  );
}

const within = async ({ heads }: Studio, folder: string | undefined): Promise<{ libraryId?: string }> =>
  folder === undefined ? {} : { libraryId: await libraryAt(heads.libraries, folder) };

/** Only a library that is known can be moved: a mistyped folder must not become one first. */
function knownAt(libraries: Libraries, folder: string): string {
  const known = libraries.list().find((library) => resolve(library.folder) === folder);
  if (known) return known.id;
  throw new Failure('not_found', say('cli.no_library_at', { folder }), {
    hint: say('cli.list_libraries'),
  });
}

const searchHelp = `
Words are found from their beginnings: male does not find female.
  '"ada lovelace"'           these words together
  -draft                     without this word
  ${Object.entries(searchFields)
    .map(([field, { values }]) => (values.length > 0 ? `${field}:${values.join('|')}` : `${field}:…`))
    .join('  ')}
  rating:4  'rating:>3'  'made:<2026-11-01'  made:2026-11  tag:"two words"
A word that begins with - goes after --, as in: likeness library search -- male -draft`;

const libraryLine = ({ name, folder, models, available, isDefault }: Library): Said =>
  mixed`${folder}  “${name}”, ${available ? say('cli.n_heads', { count: models }) : say('cli.not_connected')}${isDefault ? say('cli.new_heads_here') : ''}`;

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
