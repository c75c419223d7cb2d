import { type Said, say } from '@likeness/messages';
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

/** A receipt as lines of text. */
export function receiptLines({ ids, removed, kept, failed, problem, isFinished }: ErasureReceipt): Said[] {
  return [
    say('receipt.erased'),
    ...removed.map(({ what, count }) => mixed`  ${count} ${say(removedKeys[what], { count })}`),
    ...ids.map((id) => say('receipt.head', { id })),
    say('receipt.not_erased'),
    ...kept.map(({ what, count, names }) => {
      const of = names.length > 0 ? ` (${names.join(', ')})` : '';
      return mixed`  ${count > 0 ? `${count} ` : ''}${say(keptKeys[what], { count })}${of}`;
    }),
    ...(failed > 0 ? [say('receipt.failed', { failed, problem })] : []),
    ...(isFinished ? [] : [say('receipt.in_use')]),
  ];
}
