import { createReadStream, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { makeFolderForThePerson, saveForThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { type Command, Option } from 'commander';
import { builtInNameTables, type CallInput, exportFormats, type ModelQuery } from '#contract';
import type { ExportedModel, FailedModel } from '../../library/export/model_export.ts';
import type { Studio } from '../../studio.ts';
import type { CommandContext } from '../command_context.ts';
import { formatFor, formatNamed, writeHeadFiles } from '../head_files.ts';
import { withExamples } from '../output/examples.ts';
import { exitCodes } from '../output/exit_code.ts';
import { outcomesOf } from '../output/outcomes.ts';
import { headPresetNamed } from '../presets.ts';
import { found } from './search_commands.ts';
import { reportUnconnected } from './unconnected.ts';

interface ExportFlags {
  out: string;
  query?: string;
  all: boolean;
  format?: (typeof exportFormats)[number][];
  names: string;
  fileName: string;
  preset?: string;
  overwrite: boolean;
}

/** `likeness library export | records`. */
export function addExportCommands(library: Command, context: CommandContext): void {
  const { withStudio, success, path } = context;
  withExamples(
    library.command('export [ids...]').description('export heads to a file: by id, by search, or all'),
    'library export <id> -o head.glb',
    'library export --all --format fbx,glb --out heads/ --file-name "{name}-{date}"',
    'library export <id> --preset web -o web.zip',
    "library export --query 'tag:film rating:>3' -o film.zip",
  )
    .requiredOption('-o, --out <path>', 'file to write, or a folder with one file for each head')
    .option('--query <words>', 'heads that this search finds; syntax as in library search')
    .option('--all', 'all heads', false)
    .addOption(
      new Option(
        '--format <formats>',
        `file formats, separated by commas: ${exportFormats.join(',')}; default: by the extension of --out, otherwise glb`,
      ).argParser((text: string) => text.split(',').map((word) => formatNamed(word.trim(), exportFormats))),
    )
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
    .option(
      '--preset <preset>',
      'web, vtuber, vrchat, or a preset saved in the studio; other options override it',
    )
    .option('--overwrite', 'overwrite files of the same names in the folder', false)
    .action((ids: string[], flags: ExportFlags, command: Command) =>
      exportHeads(ids, flags, (name) => command.getOptionValueSource(name) === 'cli', context),
    );
  withExamples(
    library.command('records').description('export the heads’ metadata as CSV or JSON'),
    'library records -o heads.csv',
    'library records --format json -o heads.json',
  )
    .requiredOption('-o, --out <file>', 'file to write')
    .addOption(new Option('--format <format>', 'file format').choices(['csv', 'json']).default('csv'))
    .action((flags: { out: string; format: 'csv' | 'json' }) =>
      withStudio(async ({ handlers, heads }) => {
        reportUnconnected(heads.libraries.list(), context);
        const { text } = await handlers.library.exportRecords({
          selection: { query: {} },
          format: flags.format,
        });
        await saveForThePerson(path(flags.out), text);
        success({ file: flags.out, format: flags.format }, flags.out);
      }),
    );
}

function exportHeads(
  ids: string[],
  flags: ExportFlags,
  isGiven: (name: string) => boolean,
  context: CommandContext,
): Promise<void> {
  const selection = exportSelection(ids, flags);
  return context.withStudio(async (studio) => {
    const { libraries, exports } = studio.heads;
    reportUnconnected(libraries.list(), context);
    // A search with an error finds more than the user meant.
    if ('query' in selection && found(libraries, selection.query, 1).total === 0)
      throw new Failure('not_found', t('cli.no_head_found'));
    const preset = flags.preset === undefined ? null : headPresetNamed(flags.preset, studio.settings());
    const { formats, names, fileName } = preset ?? { ...flags, formats: undefined };
    const order = {
      formats: [...new Set(flags.format ?? formats ?? [formatFor(undefined, flags.out, exportFormats)])],
      names: isGiven('names') ? flags.names : names,
      fileName: isGiven('fileName') ? flags.fileName : fileName,
    };
    const out = context.path(flags.out);
    // Several formats of heads are a folder or a zip. A path that ends like a folder is one, even if it does not exist yet.
    const isOneFile = order.formats.length === 1 || extname(out).toLowerCase() === '.zip';
    if (isOneFile && !/[\\/]$/.test(flags.out) && !isFolder(out)) {
      return exportToFile(studio, { selection, ...order }, flags.out, context);
    }
    const models = exports.each(libraries.selected(selection), order);
    return exportToFolder(models, { ...flags, out }, context);
  });
}

/** Exports all heads to one file. @param given - Its path as typed. */
async function exportToFile(
  { handlers, asset }: Studio,
  order: CallInput<'library', 'exportModels'>,
  given: string,
  context: CommandContext,
): Promise<void> {
  const made = await handlers.library.exportModels(order);
  const from = await asset('export', made.exportId);
  if (from === null) throw new Failure('storage', t('cli.export_gone'));
  await saveForThePerson(context.path(given), createReadStream(from));
  for (const { name, problem } of made.problems)
    context.terminal.error(`✗ ${name}: ${context.words(problem)}\n`);
  if (made.problems.length > 0) context.setExitCode(exitCodes.partly);
  context.success(
    { file: given, models: made.models, bytes: made.bytes, problems: made.problems },
    t('cli.heads_exported', {
      out: given,
      models: made.models,
      megabytes: (made.bytes / 1e6).toFixed(2),
    }),
  );
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Exports each head as files, or as folders of files, into a folder; a failed one does not stop the next.
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
      const { files, severalFiles, folder } = model;
      const target = join(out, folder, severalFiles ? name : files[0]!.name);
      if (folder !== '') makeFolderForThePerson(join(out, folder));
      const written = await writeHeadFiles(files, target, { severalFiles, overwrite });
      context.success({ id, name, written }, `✓ ${name}: ${target}`);
    });
  }
  outcomes.end();
}

/** @throws Failure `invalid_input` unless exactly one of the three selects heads */
function exportSelection(
  ids: string[],
  { query, all }: ExportFlags,
): { ids: string[] } | { query: ModelQuery } {
  if ([ids.length > 0, query !== undefined, all].filter(Boolean).length !== 1) {
    throw new Failure('invalid_input', t('cli.say_which_heads'), {
      hint: t('cli.see_export_help'),
    });
  }
  if (all) return { query: {} };
  return query === undefined ? { ids } : { query: { text: query } };
}
