import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { byNaturalOrder } from '@likeness/node-kit/natural_order.ts';
import { namedFileFailure } from '@likeness/node-kit/storage/named_file.ts';
import { scriptBeside } from '@likeness/proto/takes/script_names.ts';

/** An audio file, and the file with its transcript. */
export interface SpokenSound {
  file: string;
  /** Null: unknown. */
  script: string | null;
  /** The user named the transcript, so an unreadable one is an error. */
  isNamed: boolean;
  /** Reason why none of several matching transcripts is used. */
  remark?: Message;
}

/** Where transcripts are searched: beside each audio file, in a file or a folder, or nowhere. */
export type ScriptSource = 'beside' | 'nowhere' | { path: string };

/** Extensions of audio files in a folder. ffmpeg reads those that the studio's readers do not support. */
const soundEndings: ReadonlySet<string> = new Set([
  ...[
    '.wav',
    '.wave',
    '.w64',
    '.mp3',
    '.flac',
    '.ogg',
    '.oga',
    '.opus',
    '.m4a',
    '.m4b',
    '.aac',
    '.aif',
    '.aiff',
  ],
  ...['.aifc', '.caf', '.au', '.snd', '.wma', '.amr', '.ac3', '.mka', '.weba'],
  ...['.webm', '.mp4', '.m4v', '.mov', '.mkv', '.avi', '.3gp'],
]);

/**
 * Returns the audio files of files and folders, each with its transcript. A missing file stays in the list
 * and fails later.
 *
 * @throws Failure `not_found`, `invalid_input`
 */
export async function spokenSounds(paths: readonly string[], words: ScriptSource): Promise<SpokenSound[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...((await isFolder(path)) ? await soundsIn(path) : [path]));
  if (words === 'nowhere') return files.map((file) => ({ file, script: null, isNamed: false }));
  const folder = words === 'beside' ? null : await namedFolder(words.path, files.length);
  if (words !== 'beside' && folder === null)
    return files.map((file) => ({ file, script: words.path, isNamed: true }));
  const scripts = new ScriptsInFolders();
  return Promise.all(
    files.map(async (file) => ({
      file,
      isNamed: folder !== null,
      ...(await scripts.beside(folder === null ? file : join(folder, basename(file)))),
    })),
  );
}

/** Finds transcripts by the names of audio files; reads each folder once. */
class ScriptsInFolders {
  readonly #names = new Map<string, Promise<string[]>>();

  /** @param sound its path, or one in another folder that contains its transcript */
  async beside(sound: string): Promise<Pick<SpokenSound, 'script' | 'remark'>> {
    const folder = dirname(sound);
    const names = this.#names.get(folder) ?? filesIn(folder);
    this.#names.set(folder, names);
    const file = basename(sound);
    const { name, several } = scriptBeside(file, await names);
    if (name !== null) return { script: join(folder, name) };
    if (several.length === 0) return { script: null };
    return { script: null, remark: t('script.several_beside', { file, scripts: several.join(', ') }) };
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;

async function soundsIn(folder: string): Promise<string[]> {
  const all = await readdir(folder).catch((error: unknown) => {
    throw namedFileFailure(error, folder);
  });
  const names = all.filter((name) => soundEndings.has(extname(name).toLowerCase()));
  if (names.length === 0) {
    throw new Failure('not_found', t('takes.no_sounds_in', { folder }), {
      hint: t('takes.known_formats'),
    });
  }
  return names.sort(byNaturalOrder).map((name) => join(folder, name));
}

/** @returns the path of a folder; null for a file, which belongs to one audio file */
async function namedFolder(path: string, sounds: number): Promise<string | null> {
  const found = await stat(path).catch((error: unknown) => {
    throw namedFileFailure(error, path);
  });
  if (found.isDirectory()) return path;
  if (sounds > 1) {
    throw new Failure('invalid_input', t('takes.words_of_one', { file: basename(path), sounds }), {
      hint: t('takes.words_folder'),
    });
  }
  return null;
}
