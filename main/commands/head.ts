import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { HeadCorrections } from '#contract';
import type { PortraitEngineOptions } from '../engine/portrait/engine.ts';
import { Failure } from '../failure.ts';
import { saveForThePerson } from '../storage/private_files.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './examples.ts';

interface HeadFlags {
  sex: 'female' | 'male';
  eyelid?: '1' | '2';
  corrections?: string;
  out?: string;
  plain: boolean;
}

/** `likeness head <photo>`: one head, without a server and without a library. */
export function addHeadCommand(
  program: Command,
  { terminal, success, progress: startProgress, signal }: CommandContext,
  engineOptions: PortraitEngineOptions,
): void {
  withExamples(
    program.command('head <photo>').description('make a 3D head (GLB) from one portrait photo'),
    'head photo.jpg --sex male -o head.glb',
    'head photo.jpg --sex female --plain --json',
  )
    .addOption(new Option('--sex <sex>', 'whose head').choices(['female', 'male']).makeOptionMandatory())
    .addOption(new Option('--eyelid <type>', '1 = single, 2 = double').choices(['1', '2']))
    .option('--corrections <file>', 'JSON with strokes and crown, as B1 takes them')
    .option('-o, --out <file>', 'the GLB to write; default: beside where you are, named after the photo')
    .option('--plain', 'without meshopt compression', false)
    .action(async (photo: string, { sex, eyelid, corrections: file, out, plain }: HeadFlags) => {
      // Loaded here: the vision runtime takes longer to load than most commands take to run.
      const { createPortraitEngine, PortraitError, portraitFailMessage } = await import(
        '../engine/portrait/index.ts'
      );
      if (!existsSync(photo)) throw new Failure('not_found', `There is no file ${photo}.`);
      const corrections = file === undefined ? undefined : await readCorrections(file);
      const target = out ?? `${basename(photo, extname(photo))}.glb`;
      if (!existsSync(dirname(target)))
        throw new Failure('not_found', `There is no folder ${dirname(target)}.`);
      const progress = startProgress();
      const engine = await createPortraitEngine({ ...engineOptions, workers: 1 });
      try {
        const { glb, sha256, report } = await engine.head({
          photo,
          sex,
          ...(eyelid && { eyelidType: eyelid === '1' ? 'single' : 'double' }),
          ...(corrections && { corrections }),
          meshopt: !plain,
          signal,
          onStage: (stage, fraction) => progress.show(stage, fraction),
        });
        await saveForThePerson(target, glb);
        progress.end();
        const milliseconds = Object.values(report.stageMs).reduce((sum, part) => sum + part, 0);
        success({ file: join(target), bytes: glb.length, sha256, report }, [
          `${target}: ${(glb.length / 1e6).toFixed(2)} MB in ${(milliseconds / 1000).toFixed(1)} s`,
          ...report.warnings.map((warning) => `  note: ${warning.replaceAll('_', ' ')}`),
        ]);
      } catch (error) {
        progress.end();
        if (!(error instanceof PortraitError)) throw error;
        const language = (terminal.environment.LANG ?? '').startsWith('zh') ? 'zh' : 'en';
        throw new Failure('unsupported', `${photo}: ${portraitFailMessage(error, language)}`);
      } finally {
        await engine.close();
      }
    });
}

/** What a person set right in the outline, places as fractions of the photo. */
async function readCorrections(file: string): Promise<HeadCorrections> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw storageFailure(error, file);
  });
  try {
    return HeadCorrections.parse({ strokes: [], crown: 0, ...JSON.parse(text) });
  } catch {
    throw new Failure('invalid_input', `${file} holds no corrections.`, {
      field: 'corrections',
      hint: 'Write {"strokes": [{"kind": "hair", "radius": 0.02, "points": [0.5, 0.1, 0.6, 0.1]}], "crown": 0.05}.',
    });
  }
}
