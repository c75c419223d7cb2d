import type { Script } from '#contract';
import { studio } from '../../base/studio.ts';

/** Endings of files that hold what is said. */
const endings = ['.txt', '.srt', '.vtt', '.lab', '.textgrid'];
export const scriptFiles = endings.join(',');

export const isScriptFile = ({ name }: File): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** @throws StudioFailure where it is too large, or holds no words */
export async function readScript(file: File): Promise<Script> {
  return studio.takes.readScript({ fileName: file.name.slice(-255), bytes: await base64Of(file) });
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
