import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isThere } from '@likeness/node-kit/storage/named_file.ts';
import { defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import type { NoiseTreatment } from '@likeness/proto/speech/noise_treatment.ts';
import { mergedFace } from '@likeness/proto/take_stream.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Script, scriptLimits, takeFormats } from '#contract';
import { speakSound } from '../live/speak_sound.ts';
import type { Studio } from '../studio.ts';
import { readSoundFile } from '../takes/sound/sound_file.ts';
import { type ScriptSource, spokenSounds } from '../takes/spoken_sounds.ts';
import { type TalkOptions, talk } from '../takes/talk.ts';
import type { CommandContext } from './command_context.ts';
import { profileNamed } from './connections.ts';
import { withExamples } from './output/examples.ts';
import { outcomesOf } from './output/outcomes.ts';
import { printable } from './output/printable.ts';
import type { ProgressLine } from './output/progress_line.ts';
import { wordLines, wordsInJson } from './output/word_lines.ts';

interface TalkFlags {
  head?: string;
  out: string;
  format: TalkOptions['formats'];
  profile?: string;
  /** False: `--no-words`. */
  words?: string | false;
  lang?: Script['language'];
  fullPass?: 'on' | 'off';
  /** The former name of `fullPass`. */
  secondHearing?: 'on' | 'off';
  noise?: NoiseTreatment;
  jaw?: number;
  lips?: number;
  dryRun: boolean;
  overwrite: boolean;
}

/** `likeness talk <audio…>`: makes faces from audio files, as files for other programs. */
export function addTalkCommand(program: Command, context: CommandContext): void {
  withExamples(
    program
      .command('talk <audio...>')
      .description(
        'make lip-sync from audio files or folders: animated GLB or FBX, VRMA, Live Link Face CSV, JSON lines, visemes, TextGrid, subtitles (audio other than WAV needs ffmpeg)',
      ),
    'talk voice.wav --out takes --format glb,livelink,jsonl',
    'talk voice.wav --words voice.txt --out takes --format glb,visemes,textgrid,srt',
    'talk recordings --out takes                # a folder: each sound with the words beside it',
    'talk *.wav --out takes --dry-run          # what would be written; sends nothing',
    'talk *.wav --out takes --overwrite --json # one object for each file',
  )
    .requiredOption('--out <folder>', 'folder to write to')
    .option(
      '--head <head>',
      'id of a head in the library, a GLB file, or a built-in head: default, man, stylised',
    )
    .option('--format <formats>', `formats, separated by commas: ${takeFormats.join(',')}`, formatsOf, [
      'glb',
    ])
    .option('--profile <name>', 'connection; default: the default connection')
    .option(
      '--words <path>',
      'transcript: .txt, .srt, .vtt, .lab or .TextGrid, or a folder of such files named like the audio files; default: the transcript beside the audio',
    )
    .option('--no-words', 'ignore transcripts beside the audio')
    .addOption(
      new Option(
        '--lang <language>',
        'language of the transcript; default: auto, detected for each word',
      ).choices(['auto', 'en', 'zh']),
    )
    .addOption(
      new Option(
        '--full-pass <choice>',
        'make the face from the whole audio and its transcript; default: on for the built-in engine',
      ).choices(['on', 'off']),
    )
    .addOption(new Option('--second-hearing <choice>').choices(['on', 'off']).hideHelp())
    .addOption(
      new Option(
        '--noise <choice>',
        'suppress noise before the analysis: auto, on or off; default: auto, only for noisy audio',
      ).choices(['auto', 'on', 'off']),
    )
    .option('--jaw <factor>', 'how far the jaw opens, 0.2 to 2; 1: as analysed', dialOf)
    .option('--lips <factor>', 'how much the lips move, 0.2 to 2; 1: as analysed', dialOf)
    .option('--dry-run', 'only read the audio and show what would be written', false)
    .option('--overwrite', 'overwrite files of the same names', false)
    .action((audio: string[], flags: TalkFlags) =>
      context.withStudio((studio) => talkInStudio(studio, context, audio, flags)),
    );
}

async function talkInStudio(
  studio: Studio,
  context: CommandContext,
  audio: readonly string[],
  flags: TalkFlags,
): Promise<void> {
  const { success, path, signal, terminal, words } = context;
  const { head, format, dryRun, overwrite } = flags;
  const out = path(flags.out);
  const profile = await profileNamed(flags.profile, studio.handlers);
  const isHeard = wantsFullPass(profile, flags);
  const sounds = await spokenSounds(audio.map(path), wordsPlaceOf(flags.words, isHeard, path));
  const warn = (message: Message): void => terminal.error(`${printable(words(message))}\n`);
  for (const { file, script, remark: warning } of sounds) {
    if (warning !== undefined) warn(warning);
    else if (script === null && typeof flags.words === 'string')
      warn(t('cli.no_script_in', { file: basename(file), folder: flags.words }));
  }
  const progress = context.progress();
  const outcomes = outcomesOf(context, 'file');
  await talk({
    sounds,
    overwrite,
    dryRun,
    signal,
    head: () => headBytes(studio, head, path),
    out,
    scratch: studio.scratch,
    formats: format,
    convertTake: studio.heads.convertTake,
    makeFace: isHeard
      ? facesHeardAgain(studio, context, progress, flags)
      : await facesAsLive(studio, profile.id, dryRun, signal),
    clock: Date.now,
    onDone: ({ file, written, seconds, words: alignment }) => {
      outcomes.done();
      progress.end();
      if (alignment && alignment.leftOut !== '') warn(alignment.leftOut);
      if (alignment && alignment.problem !== '') {
        warn(t('cli.words_not_used', { file: basename(alignment.script), problem: alignment.problem }));
      }
      success(
        {
          file,
          written: written.map((name) => join(out, name)),
          seconds,
          dryRun,
          ...(alignment && { words: wordsInJson(alignment) }),
        },
        [
          dryRun
            ? t('cli.would_write', { file: basename(file), names: written.join(', ') })
            : `✓ ${basename(file)}: ${written.join(', ')}`,
          ...(alignment ? wordLines(alignment) : []),
        ],
      );
    },
    onFault: (file, failure) => {
      progress.end();
      outcomes.fault(file, failure);
    },
  }).finally(() => progress.end());
  outcomes.end();
}

/** @throws Failure `invalid_input` if the flags contradict each other or the connection */
function wantsFullPass(
  { name, builtIn }: { name: string; builtIn: boolean },
  { secondHearing, fullPass = secondHearing, words, lang, noise, jaw, lips }: TalkFlags,
): boolean {
  const isWanted = fullPass === undefined ? builtIn : fullPass === 'on';
  if (isWanted && !builtIn) {
    throw new Failure('invalid_input', t('cli.full_pass_built_in', { profile: name }), {
      hint: t('cli.profile_built_in'),
    });
  }
  const options = {
    '--words': words || undefined,
    '--lang': lang,
    '--noise': noise,
    '--jaw': jaw,
    '--lips': lips,
  };
  const [option] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (!isWanted && option !== undefined) {
    throw new Failure('invalid_input', t('cli.needs_full_pass', { option }), {
      hint: t('cli.full_pass_on'),
    });
  }
  return isWanted;
}

function wordsPlaceOf(
  words: TalkFlags['words'],
  isHeard: boolean,
  path: CommandContext['path'],
): ScriptSource {
  if (typeof words === 'string') return { path: path(words) };
  return isHeard && words === undefined ? 'beside' : 'nowhere';
}

/** Messages during the work on an audio file. */
const stages = {
  analysing: (file: string) => t('cli.stage_analysing', { file }),
  aligning: (file: string) => t('cli.stage_aligning', { file }),
  making: (file: string) => t('cli.stage_making', { file }),
};

/** Makes faces from the whole audio and its transcript. */
function facesHeardAgain(
  { faceOfSound }: Studio,
  { asJson, isQuiet, words, signal }: CommandContext,
  progress: ProgressLine,
  { lang = 'auto', noise = 'auto', jaw = 1, lips = 1 }: TalkFlags,
): TalkOptions['makeFace'] {
  return (file, sound, script) =>
    faceOfSound(
      {
        sound: sound.path,
        noise,
        script: script === null ? null : { text: script, language: lang },
        frameRate: 60,
        jaw,
        lips,
      },
      {
        onProgress: (stage, share) => {
          if (asJson() || isQuiet()) return;
          progress.show(words(stages[stage](basename(file))), share);
        },
        signal,
      },
    );
}

/** Makes faces as a live session on the connection would. */
async function facesAsLive(
  studio: Studio,
  profileId: string,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<TalkOptions['makeFace']> {
  const { stream } = await studio.connection(profileId);
  const service = await studio.client(profileId);
  const announced = dryRun
    ? { streamWords: false, faceOptions: false }
    : await service.extensions({ signal });
  return async (_file, { path }) => {
    const face = await speakSound(await readSoundFile(path), {
      service,
      words: announced.streamWords ? stream.words : null,
      wholeWord: stream.words.first,
      faceOptions: announced.faceOptions ? { frameRate: 60, lookahead: 40 } : null,
    });
    return { alignment: null, problem: '', face: mergedFace([face]) };
  };
}

function dialOf(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const { least, most } = scriptLimits.dial;
  if (!(value >= least && value <= most)) throw new InvalidArgumentError(`a number, ${least} to ${most}`);
  return value;
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
  if (head !== undefined && isThere(path(head))) return readFile(path(head));
  const own = head === undefined ? 'default' : defaultHeads.find((name) => name === head);
  const file = await (own ? asset('default-head', own) : asset('model', head ?? ''));
  if (file) return readFile(file);
  throw new Failure('not_found', t('cli.no_head', { head: head ?? '' }), {
    hint: t('cli.name_glb'),
  });
}
