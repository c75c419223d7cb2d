import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { convertHead } from '@likeness/gltf/formats/convert.ts';
import type { FormatFile } from '@likeness/gltf/formats/format_file.ts';
import { type FileFormat, formatFiles } from '@likeness/gltf/formats/format_names.ts';
import type { HeadFormat } from '@likeness/gltf/formats/formats.ts';
import { builtInTable } from '@likeness/gltf/formats/names/built_in_tables.ts';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import { makeFolderForThePerson, saveForThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { InvalidArgumentError, Option } from 'commander';
import { builtInNameTables, exportFormats } from '#contract';
import { mixed } from './output/mixed_text.ts';

/** Every format that needs only a head. */
export const fileFormats = exportFormats.filter((format) => format !== 'zip');

/** Former names of formats, which scripts may still use. */
const earlierNames: Readonly<Record<string, HeadFormat>> = {
  'glb-plain': 'glb',
  'glb-small': 'glb-meshopt',
};

/** `--format` for one head. */
export const formatOption = <Format extends HeadFormat>(formats: readonly Format[]): Option =>
  new Option(
    '--format <format>',
    `file format: ${formats.join(', ')}; default: by the extension of --out, otherwise glb`,
  ).argParser((text: string) => formatNamed(text, formats));

/** @throws InvalidArgumentError */
export function formatNamed<Format extends HeadFormat>(text: string, formats: readonly Format[]): Format {
  const format = formats.find((one) => one === (earlierNames[text] ?? text));
  if (format) return format;
  throw new InvalidArgumentError(`There are ${formats.join(', ')}.`);
}

/**
 * Returns the given format, or the format of the file's extension; an extension of several formats means the
 * first.
 */
export function formatFor<Format extends HeadFormat>(
  chosenFormat: Format | undefined,
  out: string | undefined,
  allowed: readonly Format[],
): Format | 'glb' {
  const ending = extname(out ?? '')
    .slice(1)
    .toLowerCase();
  const endingOf = (format: HeadFormat): string | false =>
    format === 'zip' ? format : !formatFiles[format].severalFiles && formatFiles[format].ending;
  return chosenFormat ?? allowed.find((format) => endingOf(format) === ending) ?? 'glb';
}

/** `--names`: one of the built-in vocabularies, by its id. */
export const namesOption = (): Option =>
  new Option('--names <names>', 'naming of the face shapes')
    .choices(['as-is', ...builtInNameTables])
    .default('as-is');

/**
 * Writes a head's files: one file at `out`, or several into a folder of that name.
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
    throw new Failure('conflict', t('cli.path_there_already', { path: there.path }), {
      hint: t('cli.give_place'),
    });
  if (severalFiles) makeFolderForThePerson(resolve(out));
  else if (!isThere(dirname(resolve(out))))
    throw new Failure('not_found', t('cli.no_folder', { folder: dirname(out) }));
  for (const { path, data } of targets) await saveForThePerson(path, data);
  return targets.map(({ path }) => path);
}

/** Returns the output path for a head of this file: a file, or a folder if the format has several files. */
export function destinationFor(source: string, out: string | undefined, format: FileFormat) {
  const { ending, severalFiles } = formatFiles[format];
  const stem = basename(source, extname(source));
  return { stem, target: out ?? (severalFiles ? stem : `${stem}.${ending}`) };
}

/**
 * Writes a head in a format, with a vocabulary's names.
 *
 * @returns Absolute paths, their total bytes, and the shapes that move. @throws Failure as `convertHead` and
 * `writeHeadFiles`
 */
export async function writeConverted(
  glb: Uint8Array,
  { stem, target }: ReturnType<typeof destinationFor>,
  { format, names, overwrite }: { format: FileFormat; names: string; overwrite?: boolean },
) {
  const table = builtInTable(names) ?? null;
  const { files, moving, still, leftOut } = await convertHead(glb, {
    format,
    table,
    stem,
    about: { name: stem },
  });
  const { severalFiles } = formatFiles[format];
  const written = await writeHeadFiles(files, target, {
    severalFiles,
    ...(overwrite !== undefined && { overwrite }),
  });
  const bytes = files.reduce((sum, { data }) => sum + data.byteLength, 0);
  return { written, bytes, moving, still, leftOut };
}

/** Reports which of the head's face shapes don't move in the file. */
export const stillNote = (still: readonly string[]): Message[] =>
  still.length === 0 ? [] : [mixed`  ${t('cli.shapes_still', { names: still.join(', ') })}`];
