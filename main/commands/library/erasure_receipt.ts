import { type Message, t } from '@likeness/messages';
import type { ErasureReceipt } from '#contract';
import { mixed } from '../output/mixed_text.ts';

const removedKeys = {
  heads: 'receipt.heads',
  photos: 'receipt.photos',
  previews: 'receipt.previews',
  jobs: 'receipt.jobs',
  image_tasks: 'receipt.image_tasks',
  uploads: 'receipt.uploads',
  exports: 'receipt.exports',
  takes: 'receipt.takes',
  take_links: 'receipt.take_links',
  engine: 'receipt.engine',
  log_names: 'receipt.log_names',
  set_aside: 'receipt.set_aside',
} as const satisfies Readonly<Record<ErasureReceipt['removed'][number]['what'], string>>;

const keptKeys = {
  takes: 'receipt.kept_takes',
  open_jobs: 'receipt.open_jobs',
  same_photo: 'receipt.same_photo',
  originals: 'receipt.originals',
  servers: 'receipt.servers',
  shelves: 'receipt.shelves',
  journal: 'receipt.journal',
  saved_exports: 'receipt.saved_exports',
  backups: 'receipt.backups',
} as const satisfies Readonly<Record<ErasureReceipt['kept'][number]['what'], string>>;

/** Formats a receipt as lines of text. */
export function receiptLines({ ids, removed, kept, failed, problem, isFinished }: ErasureReceipt): Message[] {
  return [
    t('receipt.erased'),
    ...removed.map(({ what, count }) => mixed`  ${t(removedKeys[what], { count })}`),
    ...ids.map((id) => mixed`  ${t('receipt.head', { id })}`),
    t('receipt.not_erased'),
    ...kept.map(({ what, count, names }) => {
      const of = names.length > 0 ? ` (${names.join(', ')})` : '';
      return mixed`  ${t(keptKeys[what], { count })}${of}`;
    }),
    ...(failed > 0 ? [t('receipt.failed', { failed, problem })] : []),
    ...(isFinished ? [] : [t('receipt.in_use')]),
  ];
}
