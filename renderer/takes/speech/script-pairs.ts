/** Pairs audio files with transcripts among dropped files. */
import { isScriptName, scriptBeside } from '@likeness/proto/takes/script_names.ts';

export interface SoundWithScript {
  readonly file: File;
  /** The words beside it, by its name: `line.wav` and `line.txt`. */
  readonly script: File | null;
}

/** @returns each sound with its words, and scripts that belong to none of them */
export function pairedFiles(files: readonly File[]): { sounds: SoundWithScript[]; alone: File[] } {
  const scripts = files.filter(({ name }) => isScriptName(name));
  const names = scripts.map(({ name }) => name);
  const sounds = files
    .filter(({ name }) => !isScriptName(name))
    .map((file) => {
      const { name } = scriptBeside(file.name, names);
      return { file, script: scripts.find((script) => script.name === name) ?? null };
    });
  const taken = new Set(sounds.map(({ script }) => script));
  return { sounds, alone: scripts.filter((script) => !taken.has(script)) };
}
