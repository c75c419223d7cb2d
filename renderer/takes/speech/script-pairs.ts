/** Sounds and what is said in them, among files that came together. */
import { isScriptFile } from './read-script.ts';

export interface SoundWithScript {
  readonly file: File;
  /** The words beside it, by its name: `line.wav` and `line.txt`. */
  readonly script: File | null;
}

const stem = ({ name }: File): string => name.replace(/\.[^.]+$/, '').toLowerCase();

/** @returns each sound with its words, and scripts that belong to none of them */
export function pairedFiles(files: readonly File[]): { sounds: SoundWithScript[]; alone: File[] } {
  const scripts = files.filter(isScriptFile);
  const sounds = files
    .filter((file) => !isScriptFile(file))
    .map((file) => ({ file, script: scripts.find((script) => stem(script) === stem(file)) ?? null }));
  const taken = new Set(sounds.map(({ script }) => script));
  return { sounds, alone: scripts.filter((script) => !taken.has(script)) };
}
