import { scriptEndings } from '@likeness/proto/takes/script_names.ts';
import i18next from 'i18next';
import type { Script } from '#contract';
import { notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { changeTake } from '../takes-history.ts';

/** Extensions of script files, for file choosers. */
export const scriptFiles = [...scriptEndings.map((ending) => `.${ending}`), '.TextGrid'].join(',');

/** Reads a script and reports what of its file was left out. @throws StudioFailure where it is too large, or holds no words */
export async function readScript(file: File): Promise<Script> {
  const bytes = await base64Of(file);
  const { leftOut, ...script } = await studio.takes.readScript({ fileName: file.name.slice(-255), bytes });
  if (leftOut) notify({ level: 'warning', title: i18next.t('takes:scriptLeftOut'), text: leftOut });
  return script;
}

/** Sets the transcript of a take from a file. @throws StudioFailure */
export const setScriptOf = async (id: string, file: File): Promise<void> =>
  setScript(id, await readScript(file));

/** @param script - null: the take has none. @throws StudioFailure */
export async function setScript(id: string, script: Script | null): Promise<void> {
  const before = await studio.takes.script({ id });
  await changeTake(id, 'script', before, script, (set) => studio.takes.setScript({ id, script: set }));
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
