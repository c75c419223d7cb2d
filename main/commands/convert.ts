import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FileFormat } from '@likeness/gltf/formats/format_names.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { Command } from 'commander';
import type { CommandContext } from './command_context.ts';
import {
  destinationFor,
  fileFormats,
  formatFor,
  formatOption,
  namesOption,
  stillNote,
  writeConverted,
} from './head_files.ts';
import { withExamples } from './output/examples.ts';

interface ConvertFlags {
  out?: string;
  format?: FileFormat;
  names: string;
  overwrite: boolean;
}

/** `likeness convert <file.glb>`: converts a head of any program to another format, without a studio. */
export function addConvertCommand(program: Command, { success, words }: CommandContext): void {
  withExamples(
    program
      .command('convert <file>')
      .description('convert a head (GLB, also from other tools) to another format'),
    'convert head.glb -o head.fbx',
    'convert head.glb --format gltf --names oculus -o folder',
  )
    .option(
      '-o, --out <path>',
      'file to write, or a folder if there are several; default: the current folder',
    )
    .addOption(formatOption(fileFormats))
    .addOption(namesOption())
    .option('--overwrite', 'overwrite files of the same names', false)
    .action(async (file: string, { out, format: chosenFormat, names, overwrite }: ConvertFlags) => {
      const format = formatFor(chosenFormat, out, fileFormats);
      const destination = destinationFor(file, out, format);
      const { target } = destination;
      if (resolve(target) === resolve(file))
        throw new Failure('conflict', t('cli.written_over', { file }), { hint: t('cli.give_out') });
      const glb = await readFile(file).catch((error: unknown) => {
        throw storageFailure(error, file);
      });
      const { written, bytes, moving, still, leftOut } = await writeConverted(glb, destination, {
        format,
        names,
        overwrite,
      });
      success({ files: written, bytes, moving, still, leftOut: leftOut.map(words) }, [
        t('cli.converted', { target, megabytes: (bytes / 1e6).toFixed(2), moving }),
        ...stillNote(still),
        ...leftOut,
      ]);
    });
}
