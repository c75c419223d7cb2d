import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { say } from '#sentences';
import { Failure } from '../failure.ts';
import { convertHead } from '../formats/convert.ts';
import { formats } from '../formats/formats.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './examples.ts';
import {
  builtInNames,
  type FileFormat,
  fileFormats,
  formatOption,
  namesOption,
  stillNote,
  writeHeadFiles,
} from './head_files.ts';

interface ConvertFlags {
  out?: string;
  format: FileFormat;
  names: string;
  overwrite: boolean;
}

/** `likeness convert <file.glb>`: a head of any maker in another form, without a studio. */
export function addConvertCommand(program: Command, { success }: CommandContext): void {
  withExamples(
    program
      .command('convert <file>')
      .description('turn a head (GLB), also of other makers, into another form'),
    'convert head.glb --format fbx',
    'convert head.glb --format gltf --names oculus -o folder',
  )
    .option('-o, --out <path>', 'file to write, a folder where it is several; default: beside where you are')
    .addOption(formatOption(fileFormats))
    .addOption(namesOption())
    .option('--overwrite', 'write over files of the same names', false)
    .action(async (file: string, { out, format, names, overwrite }: ConvertFlags) => {
      const { ending, severalFiles } = formats[format];
      const stem = basename(file, extname(file));
      const target = out ?? (severalFiles ? stem : `${stem}.${ending}`);
      if (resolve(target) === resolve(file))
        throw new Failure('conflict', say('cli.written_over', { file }), { hint: say('cli.give_out') });
      const glb = await readFile(file).catch((error: unknown) => {
        throw storageFailure(error, file);
      });
      const about = { name: stem };
      const { files, moving, still } = await convertHead(glb, {
        format,
        table: builtInNames(names),
        stem,
        about,
      });
      const written = await writeHeadFiles(files, target, { severalFiles, overwrite });
      const bytes = files.reduce((sum, { data }) => sum + data.byteLength, 0);
      success({ files: written, bytes, moving, still }, [
        say('cli.converted', { target, megabytes: (bytes / 1e6).toFixed(2), moving }),
        ...stillNote(still),
      ]);
    });
}
