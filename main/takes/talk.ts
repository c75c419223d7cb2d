import { basename, extname, resolve } from 'node:path';
import { mergedFace, type TakeFace } from '#proto/take_stream.ts';
import { Failure } from '../failure.ts';
import { readSoundFile } from './sound_file.ts';
import { exportTake, type TakeFormat } from './take_export.ts';
import { encodeWav, type Sound } from './wav_file.ts';

export interface TalkOptions {
  /** Sound files. */
  audio: readonly string[];
  /** The head that a GLB is made of. */
  head: () => Promise<Buffer>;
  /** Folder for what is made; made where it is missing. */
  out: string;
  formats: readonly TakeFormat[];
  /** Makes the face of a sound. */
  speak: (sound: Sound) => Promise<TakeFace>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Told after each file. */
  onDone: (file: string, written: readonly string[]) => void;
}

/** `likeness talk`: faces of sound files, in the formats wanted. @throws Failure with the file at fault */
export async function talk({ audio, head, out, formats, speak, clock, onDone }: TalkOptions): Promise<void> {
  // Whatever the disk makes of letters: a recording is written over by nothing that is made of it.
  const sources = new Set(audio.map((file) => resolve(file).toLowerCase()));
  const names = distinctNames(audio);
  for (const [index, file] of audio.entries()) {
    const sound = await readSoundFile(file);
    const face = mergedFace([await speak(sound)]);
    const written = await exportTake(
      { name: names[index]!, createdAt: clock(), face, audio: encodeWav(sound), head },
      formats,
      out,
      { isKept: (path) => sources.has(resolve(path).toLowerCase()) },
    ).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
      throw new Failure(
        'invalid_input',
        `${basename(file)}: ${error instanceof Error ? error.message : error}`,
        {
          hint: 'Choose another head with --head.',
        },
      );
    });
    onDone(file, written);
  }
}

/** Names of the files without their endings; of two that are alike, the second gets a number. */
function distinctNames(files: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return files.map((file) => {
    const name = basename(file, extname(file));
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name}-${count}`;
  });
}
