import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { say } from '#sentences';
import { byNaturalOrder } from '../base/natural_order.ts';
import { Failure } from '../failure.ts';
import { findScriptBeside } from './script_file.ts';

/** A sound file, and the file with what is said in it. */
export interface SpokenSound {
  file: string;
  /** Null: not known. */
  script: string | null;
  /** The script was named, and not only found beside the sound: one that can't be read is a fault. */
  isNamed: boolean;
}

/** Where words are looked for: beside each sound, in a file or a folder, or not at all. */
export type WordsPlace = 'beside' | 'nowhere' | { path: string };

/** Of a folder these are taken for sounds. */
const soundEndings: ReadonlySet<string> = new Set([
  '.wav',
  '.mp3',
  '.flac',
  '.ogg',
  '.opus',
  '.m4a',
  '.aac',
  '.aif',
  '.aiff',
]);

/**
 * The sounds of files and folders, each with its script. A file that isn't there is kept: it fails in its turn.
 *
 * @throws Failure `not_found`, `invalid_input`
 */
export async function spokenSounds(paths: readonly string[], words: WordsPlace): Promise<SpokenSound[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...((await isFolder(path)) ? await soundsIn(path) : [path]));
  if (words === 'nowhere') return files.map((file) => ({ file, script: null, isNamed: false }));
  const scriptOf = words === 'beside' ? findScriptBeside : await scriptsAt(words.path, files.length);
  return Promise.all(
    files.map(async (file) => ({ file, script: await scriptOf(file), isNamed: words !== 'beside' })),
  );
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;

async function soundsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => soundEndings.has(extname(name).toLowerCase()));
  if (names.length === 0) {
    throw new Failure('not_found', say('takes.no_sounds_in', { folder }), {
      hint: say('takes.known_formats'),
    });
  }
  return names.sort(byNaturalOrder).map((name) => join(folder, name));
}

/** By name from a folder, or one file for one sound. */
async function scriptsAt(path: string, sounds: number): Promise<(file: string) => Promise<string | null>> {
  const found = await stat(path).catch(() => null);
  if (!found)
    throw new Failure('not_found', say('takes.cannot_read', { path }), { hint: say('takes.check_name') });
  if (found.isDirectory()) return (file) => findScriptBeside(join(path, basename(file)));
  if (sounds > 1) {
    throw new Failure('invalid_input', say('takes.words_of_one', { file: basename(path), sounds }), {
      hint: say('takes.words_folder'),
    });
  }
  return async () => path;
}
