import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import i18next from 'i18next';
import type { CallOutput, PhotoImport } from '#contract';
import { notify, offerUndo } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { listedInWords } from '../../base/text/sentence-text.ts';
import { undo } from './tagging.ts';

type Taken = CallOutput<'batch', 'importManifest'>;
/** A manifest that was read, and its name. */
export type Manifest = Taken & { fileName: string };

/** Applies a CSV to the photos in the tray. */
export async function readManifest(file: File): Promise<Manifest> {
  const text = decodeText(new Uint8Array(await file.arrayBuffer()));
  const manifest = { fileName: file.name, ...(await studio.batch.importManifest({ text })) };
  notifyManifests([manifest]);
  return manifest;
}

/** Reports what manifests have set for how many photos, with undo: all of an intake are one step. */
function notifyManifests(manifests: readonly Manifest[]): void {
  const applied = manifests.filter((one) => one.applied > 0);
  if (applied.length === 0) return;
  const t = i18next.getFixedT(null, 'portraits');
  const sum = (count: (one: Manifest) => number): number =>
    applied.reduce((total, one) => total + count(one), 0);
  const fields = (['sex', 'eyelidType', 'name', 'tags', 'options', 'person'] as const)
    .map((field) => ({ field, count: sum(({ set }) => set[field]) }))
    .filter(({ count }) => count > 0)
    .map(({ field, count }) => t(`manifest.set.${field}`, { count }));
  const names = applied.map(({ fileName }) => fileName).join(', ');
  const title = t('manifest.applied', { count: sum((one) => one.applied), names });
  // Where nothing was set there is nothing to undo: the step before would be undone.
  if (fields.length === 0) notify({ level: 'info', title, text: t('manifest.setNothing') });
  else offerUndo('portraits', title, undo, t('manifest.setText', { fields: listedInWords(fields) }));
}

/** Reports whom an intake has put together by the names of their photos, once it has ended, with undo. */
export function notifyPeople({ state, people }: PhotoImport): void {
  if (state !== 'done' || people === 0) return;
  offerUndo('portraits', i18next.getFixedT(null, 'portraits')('people.byViews', { count: people }), undo);
}

/** Reports what the manifests of an intake have set, once it has ended. */
export function notifyImport({ state, manifests }: PhotoImport): void {
  if (state === 'done') notifyManifests(manifests);
}

/** Problems to show: lines that could not be used, and a manifest that matched no photo. */
export const troubled = (manifests: readonly Manifest[]): Manifest[] =>
  manifests.filter(({ applied, problems }) => applied === 0 || problems.length > 0);
