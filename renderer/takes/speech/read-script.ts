import i18next from 'i18next';
import type { Script } from '#contract';
import { scriptEndings } from '#proto/takes/script_names.ts';
import { tell } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';

/** Endings of files that hold what is said, as file choosers take them. */
export const scriptFileEndings = [...scriptEndings.map((ending) => `.${ending}`), '.TextGrid'];
export const scriptFiles = scriptFileEndings.join(',');

/** Reads a script and reports what of its file was left out. @throws StudioFailure where it is too large, or holds no words */
export async function readScript(file: File): Promise<Script> {
  const bytes = await base64Of(file);
  const { leftOut, ...script } = await studio.takes.readScript({ fileName: file.name.slice(-255), bytes });
  if (leftOut) tell({ level: 'warning', title: i18next.t('takes:scriptLeftOut'), text: leftOut });
  return script;
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
