import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { takeFormats } from '#contract';
import { say } from '#sentences';
import { Failure } from '../failure.ts';
import { speakSound } from '../live/speak_sound.ts';
import type { Studio } from '../studio.ts';
import { type TalkOptions, talk } from '../takes/talk.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';
import { withExamples } from './output/examples.ts';
import { mixed } from './output/mixed_text.ts';
import { outcomesOf } from './output/outcomes.ts';

interface TalkFlags {
  head?: string;
  out: string;
  format: TalkOptions['formats'];
  profile?: string;
  dryRun: boolean;
  overwrite: boolean;
}

/** `likeness talk <audio…>`: the faces of sound files, as files for other programs. */
export function addTalkCommand(program: Command, context: CommandContext): void {
  const { withStudio, success, path, signal } = context;
  withExamples(
    program
      .command('talk <audio...>')
      .description(
        'turn sound files into lip-sync: an animated GLB or FBX, VRMA, Live Link Face CSV, JSON lines (all but WAV need ffmpeg)',
      ),
    'talk voice.wav --out takes --format glb,livelink,jsonl',
    'talk *.wav --out takes --dry-run          # what would be written; sends nothing',
    'talk *.wav --out takes --overwrite --json # one object for each file',
  )
    .requiredOption('--out <folder>', 'where to write')
    .option('--head <head>', 'id of a head in the library, or a GLB file; default: the studio’s own head')
    .option('--format <formats>', `some of ${takeFormats.join(',')}`, formatsOf, ['glb'])
    .option('--profile <name>', 'connection; default: the default one')
    .option('--dry-run', 'only read the sounds and say what would be written', false)
    .option('--overwrite', 'write over files of the same names', false)
    .action((audio: string[], { head, out, format, profile, dryRun, overwrite }: TalkFlags) =>
      withStudio(async (studio) => {
        const outcomes = outcomesOf(context, 'file');
        const { id } = await profileNamed(profile, studio.handlers);
        const { stream } = await studio.connection(id);
        const service = await studio.client(id);
        const announced = dryRun
          ? { streamWords: false, faceOptions: false }
          : await service.extensions({ signal });
        await talk({
          overwrite,
          dryRun,
          signal,
          audio: audio.map(path),
          head: () => headBytes(studio, head, path),
          out: path(out),
          formats: format,
          convertTake: studio.heads.convertTake,
          speak: (sound) =>
            speakSound(
              { sampleRate: sound.sampleRate, samples: sound.samples },
              {
                service,
                words: announced.streamWords ? stream.words : null,
                wholeWord: stream.words.first,
                faceOptions: announced.faceOptions ? { frameRate: 60, lookahead: 40 } : null,
              },
            ),
          clock: Date.now,
          onDone: (file, written, seconds) => {
            outcomes.done();
            success(
              { file, written: written.map((name) => join(path(out), name)), seconds, dryRun },
              mixed`${dryRun ? say('cli.would_write') : '✓'} ${basename(file)}: ${written.join(', ')}`,
            );
          },
          onFault: outcomes.fault,
        });
        outcomes.end();
      }),
    );
}

export function formatsOf(text: string): TalkOptions['formats'] {
  return text.split(',').map((word) => {
    const found = takeFormats.find((format) => format === word.trim());
    if (!found) throw new InvalidArgumentError(`some of ${takeFormats.join(',')}`);
    return found;
  });
}

async function headBytes(
  { asset }: Studio,
  head: string | undefined,
  path: CommandContext['path'],
): Promise<Buffer> {
  if (head !== undefined && existsSync(path(head))) return readFile(path(head));
  const file = await (head === undefined ? asset('default-head', 'default') : asset('model', head));
  if (file) return readFile(file);
  throw new Failure('not_found', say('cli.no_head', { head: head ?? '' }), {
    hint: say('cli.name_glb'),
  });
}
