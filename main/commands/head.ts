import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FileFormat } from '@likeness/gltf/formats/format_names.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { PortraitEngineOptions } from '@likeness/portrait/engine.ts';
import { type Command, Option } from 'commander';
import { HeadCorrections } from '#contract';
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
import { readHeadOptions } from './head_options_file.ts';
import { withExamples } from './output/examples.ts';
import { mixed } from './output/mixed_text.ts';

interface HeadFlags {
  sex: 'female' | 'male';
  eyelid?: '1' | '2';
  corrections?: string;
  options?: string;
  out?: string;
  format?: FileFormat;
  names: string;
  anyway: boolean;
}

/** `likeness head <photo>`: makes one head, without a server and without a library. */
export function addHeadCommand(
  program: Command,
  { success, progress: startProgress, signal }: CommandContext,
  engineOptions: PortraitEngineOptions,
): void {
  withExamples(
    program.command('head <photo>').description('make a 3D head from one portrait photo'),
    'head photo.jpg --sex male -o head.glb',
    'head photo.jpg --sex female -o head.fbx --json',
  )
    .addOption(
      new Option('--sex <sex>', 'sex of the person').choices(['female', 'male']).makeOptionMandatory(),
    )
    .addOption(new Option('--eyelid <type>', '1 = single eyelid, 2 = double eyelid').choices(['1', '2']))
    .option('--corrections <file>', 'JSON file with strokes and crown, as in operation B1')
    .option('--options <file>', 'JSON file with options: smile, light, glasses, eye and hair colour, size')
    .option(
      '-o, --out <path>',
      'file to write, or a folder if there are several; default: here, named after the photo',
    )
    .option('--anyway', 'make the head even if the face is turned, small, blurred, dark or covered', false)
    .addOption(formatOption(fileFormats))
    .addOption(namesOption())
    // This option is now the default behaviour.
    .addOption(new Option('--plain').hideHelp())
    .action(
      async (
        photo: string,
        {
          sex,
          eyelid,
          corrections: file,
          options: choices,
          out,
          format: chosenFormat,
          names,
          anyway,
        }: HeadFlags,
      ) => {
        const format = formatFor(chosenFormat, out, fileFormats);
        // Loaded here: the vision runtime takes longer to load than most commands take to run.
        const { createPortraitEngine, PortraitError, portraitFailMessage } = await import(
          '@likeness/portrait'
        );
        if (!isThere(photo)) throw new Failure('not_found', t('cli.no_file', { file: photo }));
        const corrections = file === undefined ? undefined : await readCorrections(file);
        const options = choices === undefined ? undefined : await readHeadOptions(choices);
        const destination = destinationFor(photo, out, format);
        const { target } = destination;
        if (!isThere(dirname(resolve(target))))
          throw new Failure('not_found', t('cli.no_folder', { folder: dirname(target) }));
        const progress = startProgress();
        const engine = createPortraitEngine({ ...engineOptions, workers: 1 });
        try {
          const { glb, sha256, report } = await engine.head({
            photo,
            sex,
            ...(eyelid && { eyelidType: eyelid === '1' ? 'single' : 'double' }),
            ...(corrections && { corrections }),
            ...(options && { options }),
            anyway,
            signal,
            onStage: (stage, fraction) => progress.show(stage, fraction),
          });
          const { bytes, still } = await writeConverted(glb, destination, { format, names });
          progress.end();
          const milliseconds = Object.values(report.stageMs).reduce((sum, part) => sum + part, 0);
          success({ file: join(target), bytes, sha256, still, report }, [
            t('cli.head_made', {
              target,
              megabytes: (bytes / 1e6).toFixed(2),
              seconds: (milliseconds / 1000).toFixed(1),
            }),
            ...report.overridden.map(
              (code) => mixed`  ${t('cli.made_despite', { rule: code.replaceAll('_', ' ') })}`,
            ),
            ...stillNote(still),
            ...report.warnings.map(
              (warning) => mixed`  ${t('cli.note', { warning: warning.replaceAll('_', ' ') })}`,
            ),
          ]);
        } catch (error) {
          progress.end();
          if (!(error instanceof PortraitError)) throw error;
          throw new Failure(
            'unsupported',
            t('takes.file_problem', { file: photo, problem: portraitFailMessage(error) }),
          );
        } finally {
          await engine.close();
        }
      },
    );
}

/** The user's corrections of the outline, positions as fractions of the photo. */
async function readCorrections(file: string): Promise<HeadCorrections> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw storageFailure(error, file);
  });
  try {
    return HeadCorrections.parse({ strokes: [], crown: 0, ...JSON.parse(text) });
  } catch {
    throw new Failure('invalid_input', t('cli.no_corrections', { file }), {
      field: 'corrections',
      hint: t('cli.write_like', {
        example:
          '{"strokes": [{"kind": "hair", "radius": 0.02, "points": [0.5, 0.1, 0.6, 0.1]}], "crown": 0.05}',
      }),
    });
  }
}
