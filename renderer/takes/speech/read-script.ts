import type { Script } from '#contract';
import { studio } from '../../base/studio.ts';
import { changeTake } from '../takes-history.ts';

/** Endings of files that hold what is said. */
export const scriptEndings = ['.txt', '.srt', '.vtt', '.lab', '.textgrid', '.TextGrid'];
export const scriptFiles = scriptEndings.join(',');

export const isScriptFile = ({ name }: File): boolean =>
  scriptEndings.some((ending) => name.toLowerCase().endsWith(ending));

/** @throws StudioFailure where it is too large, or holds no words */
export async function readScript(file: File): Promise<Script> {
  return studio.takes.readScript({ fileName: file.name.slice(-255), bytes: await base64Of(file) });
}

/** Sets the transcript of a take from a file. @throws StudioFailure */
export const setScriptOf = async (id: string, file: File): Promise<void> =>
  setScript(id, await readScript(file));

/** @param script - null: the take has none. @throws StudioFailure */
export async function setScript(id: string, script: Script | null): Promise<void> {
  const before = await studio.takes.script({ id });
  await changeTake(id, before, script, (set) => studio.takes.setScript({ id, script: set }));
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
