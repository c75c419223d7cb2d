import { createReadStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { makeFolderForThePerson, saveForThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { type ExportRate, exportRates } from '@likeness/proto/takes/frame_rates.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { type Take, takeFormats, type VideoOptions } from '#contract';
import type { Studio } from '../../studio.ts';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { outcomesOf } from '../output/outcomes.ts';
import { takePresetNamed } from '../presets.ts';
import { formatsOf } from '../talk.ts';
import { renderFilm } from './render_film.ts';
import { noTake } from './take_list.ts';

interface ExportFlags {
  out: string;
  all: boolean;
  format: (typeof takeFormats)[number][];
  rate: ExportRate;
  name: string;
  head?: string;
  preset?: string;
  overwrite: boolean;
}

/** An export of several takes. */
interface ExportRun extends Omit<ExportFlags, 'preset'> {
  /** Null: no film. */
  film: VideoOptions | null;
  /** All takes of the run, for unique names. */
  among: string[];
}

/** `likeness take export`: exports takes for other programs, all on one time base. */
export function addTakeExportCommand(take: Command, context: CommandContext): void {
  const { withStudio, success, path } = context;
  withExamples(
    take.command('export [ids...]').description('export takes to the formats of other programs'),
    'take export <id> --out takes --format glb,livelink',
    "take export --all --out takes --rate 29.97 --name '{name}_{take}_{rate}'",
    'take export <id> --out takes --preset short',
    'take export --all --out takes --overwrite --json',
  )
    .requiredOption('--out <folder>', 'folder to write to')
    .option('--all', 'all takes', false)
    .option('--format <formats>', `formats, separated by commas: ${takeFormats.join(',')}`, formatsOf, [
      'glb',
    ])
    .option('--rate <rate>', `frames a second: ${exportRates.join(', ')}`, rateOf, 'own' as const)
    .option(
      '--name <pattern>',
      'file names, from {name} {take} {rate} {number} {date} {today} {id}',
      '{name}',
    )
    .option('--head <id>', 'head in the library for films, GLB or FBX; default: the take’s own head')
    .option(
      '--preset <preset>',
      'short, 1080p, obs, or a preset saved in the studio; other options override it',
    )
    .option('--overwrite', 'overwrite files of the same names', false)
    .action((ids: string[], flags: ExportFlags, command: Command) => {
      if (ids.length > 0 === flags.all) {
        throw new Failure('invalid_input', t('cli.say_which_takes'), {
          hint: t('cli.list_takes'),
        });
      }
      return withStudio(async (studio) => {
        const known = await studio.handlers.takes.list(undefined);
        const outcomes = outcomesOf(context, 'id');
        const wanted = new Set(flags.all ? known.map((one) => one.id) : ids);
        const among = [...wanted].filter((id) => known.some((one) => one.id === id));
        const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
        const preset = flags.preset === undefined ? null : takePresetNamed(flags.preset, studio.settings());
        const run: ExportRun = {
          ...flags,
          ...(preset && {
            ...(!isGiven('format') && { format: preset.formats }),
            ...(!isGiven('rate') && { rate: preset.rate }),
            ...(!isGiven('name') && { name: preset.fileName }),
          }),
          out: path(flags.out),
          film: preset?.film ?? null,
          among,
        };
        const stop = (): void => void studio.handlers.takeExports.cancel(undefined);
        context.signal.addEventListener('abort', stop);
        for (const id of wanted) {
          await outcomes.of(id, async () => {
            const one = known.find((candidate) => candidate.id === id);
            if (!one) throw noTake(id);
            const files = run.format.length > 0 ? await exportOne(studio, one, run) : [];
            const films = run.film ? [await filmOne(studio, one, run, run.film, context)] : [];
            const written = [...files, ...films];
            success({ id, name: one.name, written }, `✓ ${one.name}: ${written.join(', ')}`);
          });
        }
        context.signal.removeEventListener('abort', stop);
        outcomes.end();
      });
    });
}

/** @throws InvalidArgumentError */
function rateOf(text: string): ExportRate {
  const found = exportRates.find((rate) => rate === text.trim());
  if (!found) throw new InvalidArgumentError(`one of ${exportRates.join(', ')}`);
  return found;
}

/**
 * @returns Absolute paths of the written files. @throws Failure `conflict` if a file exists, `not_found`,
 * `storage`
 */
async function exportOne(
  { handlers, asset }: Studio,
  { id }: Take,
  { out, format: formats, rate, name: fileName, head: modelId, overwrite, among }: ExportRun,
): Promise<string[]> {
  const { files } = await handlers.takeExports.make({
    ids: [id],
    formats,
    rate,
    fileName,
    firstNumber: 1,
    among,
    ...(modelId !== undefined && { modelId }),
    as: 'files',
  });
  const targets = files.map(({ fileName: name, exportId }) => ({ path: resolve(out, name), exportId }));
  const there = targets.find(({ path }) => !overwrite && existsSync(path));
  if (there) {
    throw new Failure('conflict', t('cli.path_there_already', { path: there.path }), {
      hint: t('cli.other_folder'),
    });
  }
  makeFolderForThePerson(resolve(out));
  for (const { path, exportId } of targets) {
    const from = await asset('take-export', exportId);
    if (from === null) throw new Failure('storage', t('cli.export_gone'));
    await saveForThePerson(path, createReadStream(from));
  }
  return targets.map(({ path }) => path);
}

/** @returns Absolute path of the film. @throws Failure as {@link renderFilm} */
async function filmOne(
  studio: Studio,
  { id, model }: Take,
  { out, name, head, overwrite, among }: ExportRun,
  options: VideoOptions,
  context: CommandContext,
): Promise<string> {
  const stem = studio.films.namesOf(among, name, options.rate).get(id) ?? id;
  const path = join(out, options.format === 'png' ? stem : `${stem}.${options.format}`);
  makeFolderForThePerson(out);
  const { at } = await renderFilm(
    studio,
    {
      takeId: id,
      head: { modelId: head ?? (model || null) },
      options,
      destination: { kind: 'path', path, overwrite },
    },
    context,
  );
  return at;
}
