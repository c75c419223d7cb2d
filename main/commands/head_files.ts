import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { builtInNameTables, exportFormats } from '#contract';
import { type Said, say } from '#sentences';
import { Failure } from '../failure.ts';
import type { FormatFile, HeadFormat } from '../formats/formats.ts';
import { builtInTable } from '../formats/names/built_in_tables.ts';
import type { NameTable } from '../formats/names/name_table.ts';
import { makeFolderForThePerson, saveForThePerson } from '../storage/private_files.ts';

export type FileFormat = Exclude<HeadFormat, 'zip'>;
/** Every format that is made of a head alone. */
export const fileFormats = exportFormats.filter((format) => format !== 'zip');

/** What formats were called before: scripts may say so still. */
const earlierNames: Readonly<Record<string, HeadFormat>> = {
  'glb-plain': 'glb',
  'glb-small': 'glb-meshopt',
};

/** `--format`, of a library's heads (`zip`: each with its photo) or of one head. */
export const formatOption = <Format extends HeadFormat>(formats: readonly Format[]): Option =>
  new Option('--format <format>', `form of the file: ${formats.join(', ')}`)
    .default('glb')
    .argParser((text: string): Format => {
      const format = formats.find((one) => one === (earlierNames[text] ?? text));
      if (format) return format;
      throw new InvalidArgumentError(`There are ${formats.join(', ')}.`);
    });

/** `--names`: a vocabulary that comes with the studio, by its id. */
export const namesOption = (): Option =>
  new Option('--names <names>', 'names of the face shapes')
    .choices(['as-is', ...builtInNameTables])
    .default('as-is');

/** The table of a vocabulary that comes with the studio; null where the head's own names stay. */
export const builtInNames = (names: string): NameTable | null => builtInTable(names) ?? null;

/**
 * Writes a head's files: one where `out` says, several into a folder of that name.
 *
 * @returns Absolute paths. @throws Failure `not_found`, `conflict`, `storage`
 */
export async function writeHeadFiles(
  files: readonly FormatFile[],
  out: string,
  { severalFiles, overwrite = true }: { severalFiles: boolean; overwrite?: boolean },
): Promise<string[]> {
  const targets = files.map(({ name, data }) => ({
    path: resolve(severalFiles ? join(out, name) : out),
    data,
  }));
  const there = overwrite ? undefined : targets.find(({ path }) => existsSync(path));
  if (there)
    throw new Failure('conflict', say('cli.there_at', { path: there.path }), {
      hint: say('cli.give_place'),
    });
  if (severalFiles) makeFolderForThePerson(resolve(out));
  else if (!existsSync(dirname(resolve(out))))
    throw new Failure('not_found', say('cli.no_folder', { folder: dirname(out) }));
  for (const { path, data } of targets) await saveForThePerson(path, data);
  return targets.map(({ path }) => path);
}

/** Says which of the head's face shapes don't move in the file. */
export const stillNote = (still: readonly string[]): Said[] =>
  still.length === 0 ? [] : [say('cli.shapes_still', { names: still.join(', ') })];
