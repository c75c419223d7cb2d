/** Pairs audio files with transcripts among dropped files. */
import { isScriptName, scriptBeside } from '@likeness/proto/takes/script_names.ts';

export interface SoundWithScript {
  readonly file: File;
  /** The words beside it, by its name: `line.wav` and `line.txt`. */
  readonly script: File | null;
}

export const soundEndings: readonly string[] = ['.wav', '.mp3', '.flac', '.ogg', '.m4a'];
const isSound = ({ name, type }: File): boolean =>
  type.startsWith('audio/') || soundEndings.some((ending) => name.toLowerCase().endsWith(ending));

export interface PairedFiles {
  readonly sounds: readonly SoundWithScript[];
  /** Scripts that belong to none of the sounds. */
  readonly alone: readonly File[];
  /** Neither sounds nor scripts. */
  readonly refused: readonly File[];
}

export function pairedFiles(files: readonly File[]): PairedFiles {
  const scripts = files.filter(({ name }) => isScriptName(name));
  const names = scripts.map(({ name }) => name);
  const others = Object.groupBy(
    files.filter(({ name }) => !isScriptName(name)),
    (file) => (isSound(file) ? 'sounds' : 'refused'),
  );
  const sounds = (others.sounds ?? []).map((file) => {
    const { name } = scriptBeside(file.name, names);
    return { file, script: scripts.find((script) => script.name === name) ?? null };
  });
  const taken = new Set(sounds.map(({ script }) => script));
  return { sounds, alone: scripts.filter((script) => !taken.has(script)), refused: others.refused ?? [] };
}
