import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { mergedFace, type TakeFace } from '#proto/take_stream.ts';
import { Failure } from '../failure.ts';
import { exportTake, type TakeFormat } from './take_export.ts';
import { encodeWav, readWav, type Sound } from './wav_file.ts';

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
  for (const file of audio) {
    const sound = await readSound(file);
    const face = mergedFace([await speak(sound)]);
    const name = basename(file, extname(file));
    const written = await exportTake(
      { name, createdAt: clock(), face, audio: encodeWav(sound), head },
      formats,
      out,
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

async function readSound(file: string): Promise<Sound> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch {
    throw new Failure('not_found', `“${file}” can't be read.`, { hint: 'Check the name.' });
  }
  try {
    return readWav(bytes);
  } catch (error) {
    throw new Failure(
      'unsupported',
      `“${basename(file)}”: ${error instanceof Error ? error.message : error}`,
      {
        hint: 'The command line reads WAV. Drop MP3, FLAC, OGG and M4A on Takes in the window.',
      },
    );
  }
}
