import { existsSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { mergedFace, type TakeFace } from '#proto/take_stream.ts';
import { encodeWav, type Sound } from '#proto/wav.ts';
import { say } from '#sentences';
import { Failure, saidOf } from '../failure.ts';
import { readSoundFile } from './sound_file.ts';
import { type ConvertTake, exportTake, type TakeFormat, takeFileNames } from './take_export.ts';

export interface TalkOptions {
  /** Sound files. */
  audio: readonly string[];
  /** The head for a GLB or FBX. */
  head: () => Promise<Buffer>;
  /** Folder for what is made; made where it is missing. */
  out: string;
  formats: readonly TakeFormat[];
  /** Makes the face of a sound. */
  speak: (sound: Sound) => Promise<TakeFace>;
  convertTake: ConvertTake;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Overwrites existing files. Default: an existing file is an error, and nothing is sent. */
  overwrite?: boolean;
  /** Only reads the sounds and says what would be written; sends and writes nothing. */
  dryRun?: boolean;
  /**
   * Called after each file with the names that were (or would be) written and the length of the sound in
   * seconds.
   */
  onDone: (file: string, written: readonly string[], seconds: number) => void;
  /** Called for a file that failed; then the next one follows. Default: the error is thrown. */
  onFault?: (file: string, failure: Failure) => void;
  signal?: AbortSignal;
}

/** `likeness talk`: faces of sound files, in the formats wanted. @throws Failure with the file at fault */
export async function talk(options: TalkOptions): Promise<void> {
  const { audio, onFault, signal } = options;
  // Compared without case, as some disks do: no output may overwrite its own recording.
  const sources = new Set(audio.map((file) => resolve(file).toLowerCase()));
  const names = distinctNames(audio);
  const isSource = (path: string): boolean => sources.has(resolve(path).toLowerCase());
  for (const [index, file] of audio.entries()) {
    try {
      await talkOne(file, names[index]!, isSource, options);
    } catch (error) {
      if (!onFault || !(error instanceof Failure) || signal?.aborted) throw error;
      onFault(file, error);
    }
  }
}

async function talkOne(
  file: string,
  name: string,
  isSource: (path: string) => boolean,
  { head, out, formats, speak, convertTake, clock, overwrite = false, dryRun = false, onDone }: TalkOptions,
): Promise<void> {
  const planned = takeFileNames(name, formats).filter((made) => !isSource(join(out, made)));
  const there = overwrite ? [] : planned.filter((made) => existsSync(join(out, made)));
  // Before the sound is sent, which may cost something.
  if (there.length > 0) {
    throw new Failure(
      'conflict',
      say('takes.there_already', { files: there.join(', '), count: there.length }),
      {
        hint: say('takes.other_folder'),
      },
    );
  }
  const sound = await readSoundFile(file);
  const seconds = sound.samples.length / sound.sampleRate;
  if (dryRun) return onDone(file, planned, seconds);
  const face = mergedFace([await speak(sound)]);
  const written = await exportTake(
    { name, createdAt: clock(), face, audio: encodeWav(sound), head },
    formats,
    out,
    convertTake,
    { isKept: isSource },
  ).catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'invalid_input',
      say('takes.file_problem', { file: basename(file), problem: saidOf(error) }),
      {
        hint: say('takes.other_head_option'),
      },
    );
  });
  onDone(file, written, seconds);
}

/** File names without extensions; a duplicate gets a number. */
function distinctNames(files: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return files.map((file) => {
    const name = basename(file, extname(file));
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name}-${count}`;
  });
}
