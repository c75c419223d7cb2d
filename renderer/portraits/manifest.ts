import i18next from 'i18next';
import type { CallOutput } from '#contract';
import { offerUndo } from '../app/notices.tsx';
import { studio } from '../app/studio.ts';
import { undo } from './tagging.ts';

export type Problems = CallOutput<'batch', 'importManifest'>['problems'];

/** Takes what a CSV says of the photos in the tray. What it could not take is returned; undefined: nothing. */
export async function readManifest(file: File): Promise<Problems | undefined> {
  const { applied, problems } = await studio.batch.importManifest({ text: await file.text() });
  if (applied > 0) offerUndo(i18next.t('portraits:manifest.applied', { count: applied }), undo);
  return problems.length > 0 ? problems : undefined;
}
