import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { diskKey, distinctNames } from '@likeness/node-kit/storage/safe_name.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import {
  type ConvertTake,
  exportTake,
  needsWords,
  stemOf,
  type TakeFormat,
  takeFileNames,
} from './export/take_export.ts';
import { readScriptFile } from './script_file.ts';
import { type SoundFile, secondsOf } from './sound/mono_sound.ts';
import { monoSoundFile, soundSeconds } from './sound/sound_file.ts';
import { type HeardScript, usedAlignment, type WholeSoundFace, whyUnused } from './speech_analyser.ts';
import type { SpokenSound } from './spoken_sounds.ts';

/** The result for one audio file. */
export interface Talked {
  /** The audio file, and the files that were (or would be) written for it. */
  file: string;
  written: readonly string[];
  /** Duration of the audio. */
  seconds: number;
  /** Result of using its transcript; null if there is none, or nothing was made. */
  words: TalkedWords | null;
}

export interface TalkedWords extends HeardScript {
  /** Path of the transcript. */
  script: string;
  /** Describes skipped parts of the transcript's file; empty: none. */
  leftOut: Message;
}

export interface TalkOptions {
  sounds: readonly SpokenSound[];
  /** The head of a GLB or FBX. */
  head: () => Promise<Buffer>;
  /** Output folder; created if it is missing. */
  out: string;
  formats: readonly TakeFormat[];
  /** Folder for temporary audio: three hours have two gigabytes. */
  scratch: string;
  /** Makes the face of audio. @param script its transcript; null: unknown */
  makeFace: (file: string, sound: SoundFile, script: string | null) => Promise<WholeSoundFace>;
  convertTake: ConvertTake;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Overwrites existing files. Default: an existing file is an error, and nothing is sent. */
  overwrite?: boolean;
  /** Only reads the audio files and lists the output files; sends and writes nothing. */
  dryRun?: boolean;
  /** Called after each file. */
  onDone: (talked: Talked) => void;
  /** Called for a failed file, before the next one. Default: the error is thrown. */
  onFault?: (file: string, failure: Failure) => void;
  signal?: AbortSignal;
}

/**
 * Implements `likeness talk`: makes faces of audio files in the given formats. @throws Failure naming the
 * file
 */
export async function talk(options: TalkOptions): Promise<void> {
  const { sounds, onFault, signal } = options;
  // Compares names as the disk does, so that no output overwrites a recording or a transcript.
  const sources = new Set(
    sounds.flatMap(({ file, script }) => [file, ...(script === null ? [] : [script])].map(pathKey)),
  );
  const stems = distinctNames(
    sounds.map(({ file }) => stemOf(titleOf(file))),
    (stem, number) => `${stem}-${number}`,
  );
  const isSource = (path: string): boolean => sources.has(pathKey(path));
  for (const [index, sound] of sounds.entries()) {
    try {
      await talkOne(sound, stems[index]!, isSource, options);
    } catch (error) {
      if (!onFault || !(error instanceof Failure) || signal?.aborted) throw error;
      onFault(sound.file, error);
    }
  }
}

const pathKey = (path: string): string => diskKey(resolve(path));
const titleOf = (file: string): string => basename(file, extname(file));

async function talkOne(
  spoken: SpokenSound,
  stem: string,
  isSource: (path: string) => boolean,
  options: TalkOptions,
): Promise<void> {
  const { formats, scratch, dryRun = false, onDone } = options;
  const { file } = spoken;
  const planned = plannedFiles(stem, isSource, options);
  const script = await scriptOf(spoken, formats);
  if (dryRun) return onDone({ file, written: planned, seconds: await soundSeconds(file), words: null });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const path = join(scratch, `${randomUUID()}.wav`);
  try {
    const sound = await monoSoundFile(file, path);
    onDone(await madeOf(spoken, { stem, sound, script }, isSource, options));
  } finally {
    await rm(path, { force: true });
  }
}

/** A recording's transcript, or why there is none, and the skipped parts of its file. */
interface TalkScript {
  text: string | null;
  problem: Message;
  leftOut: Message;
}

/** Makes and writes the face of an audio file. */
async function madeOf(
  { file, script: path }: SpokenSound,
  { stem, sound, script }: { stem: string; sound: SoundFile; script: TalkScript },
  isSource: (path: string) => boolean,
  { head, out, formats, makeFace, convertTake, clock }: TalkOptions,
): Promise<Talked> {
  const seconds = secondsOf(sound);
  const { face, ...heard } = await makeFace(file, sound, script.text);
  const alignment = usedAlignment(heard);
  const words = alignment && script.text !== null ? { alignment, script: script.text } : null;
  if (!words && heard.problem !== '' && formats.some(needsWords)) {
    const problem = whyUnused(heard.alignment) ?? heard.problem;
    throw new Failure('unsupported', t('takes.of_file', { file: basename(file), problem }), {
      hint: t('takes.no_words_file'),
    });
  }
  const take = {
    name: titleOf(file),
    createdAt: clock(),
    face,
    seconds,
    words,
    audio: { path: sound.path },
    head,
  };
  const written = await exportTake(take, formats, out, convertTake, {
    stem,
    isKept: isSource,
  }).catch((error: unknown) => {
    const failure = storageFailure(error, out);
    if (failure instanceof Failure) throw failure;
    throw new Failure(
      'invalid_input',
      t('takes.file_problem', { file: basename(file), problem: messageOf(error) }),
      { hint: t('takes.other_head_option') },
    );
  });
  const transcript =
    path === null
      ? null
      : {
          script: path,
          alignment: heard.alignment,
          problem: script.problem || heard.problem,
          leftOut: script.leftOut,
        };
  return { file, written, seconds, words: transcript };
}

/**
 * Plans the output files before the audio is sent, which may cost money.
 *
 * @throws Failure `conflict` if a file exists, or is an input
 */
function plannedFiles(
  stem: string,
  isSource: (path: string) => boolean,
  { formats, out, overwrite = false }: TalkOptions,
): string[] {
  const all = takeFileNames(stem, formats);
  const scripts = all.filter((made) => isSource(join(out, made)) && !made.endsWith('.wav'));
  const planned = all.filter((made) => !isSource(join(out, made)));
  const there = overwrite ? [] : planned.filter((made) => existsSync(join(out, made)));
  if (scripts.length > 0) {
    throw new Failure('conflict', t('takes.is_the_script', { file: scripts.join(', ') }), {
      hint: t('takes.give_other_folder'),
    });
  }
  if (there.length > 0) {
    throw new Failure(
      'conflict',
      t('takes.there_already', { files: there.join(', '), count: there.length }),
      { hint: t('takes.other_folder') },
    );
  }
  return planned;
}

/**
 * Reads the transcript of an audio file. An unreadable one that was only found beside it is reported without
 * an error.
 *
 * @throws Failure if a named transcript can't be read, or a format requires one
 */
async function scriptOf(
  { file, script, isNamed }: SpokenSound,
  formats: readonly TakeFormat[],
): Promise<TalkScript> {
  const isNeeded = formats.some(needsWords);
  if (script === null) {
    if (!isNeeded) return { text: null, problem: '', leftOut: '' };
    throw new Failure('unsupported', t('takes.no_words_of', { file: basename(file) }), {
      hint: t('takes.words_option'),
    });
  }
  try {
    const { text, leftOut } = await readScriptFile(script);
    return { text, problem: '', leftOut };
  } catch (error) {
    if (isNamed || isNeeded || !(error instanceof Failure)) throw error;
    return { text: null, problem: error.userMessage, leftOut: '' };
  }
}
