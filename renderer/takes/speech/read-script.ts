import type { Script } from '#contract';
import { studio } from '../../base/studio.ts';

/** Endings of files that hold what is said. */
export const scriptEndings = ['.txt', '.srt', '.vtt', '.lab', '.textgrid', '.TextGrid'];
export const scriptFiles = scriptEndings.join(',');

export const isScriptFile = ({ name }: File): boolean =>
  scriptEndings.some((ending) => name.toLowerCase().endsWith(ending));

/** @throws StudioFailure where it is too large, or holds no words */
export async function readScript(file: File): Promise<Script> {
  return studio.takes.readScript({ fileName: file.name.slice(-255), bytes: await base64Of(file) });
}

/** Says what is said in a take. @throws StudioFailure */
export async function setScriptOf(id: string, file: File): Promise<void> {
  await studio.takes.setScript({ id, script: await readScript(file) });
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
