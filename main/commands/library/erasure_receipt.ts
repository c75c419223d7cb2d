import type { ErasureReceipt } from '#contract';
import { type Said, say } from '#sentences';
import { mixed } from '../output/mixed_text.ts';

const removedWords: Readonly<Record<ErasureReceipt['removed'][number]['what'], Said>> = {
  heads: say('receipt.heads'),
  photos: say('receipt.photos'),
  previews: say('receipt.previews'),
  jobs: say('receipt.jobs'),
  image_tasks: say('receipt.image_tasks'),
  uploads: say('receipt.uploads'),
  exports: say('receipt.exports'),
  takes: say('receipt.takes'),
  take_links: say('receipt.take_links'),
  engine: say('receipt.engine'),
  log_names: say('receipt.log_names'),
  set_aside: say('receipt.set_aside'),
};

const keptWords: Readonly<Record<ErasureReceipt['kept'][number]['what'], Said>> = {
  takes: say('receipt.kept_takes'),
  open_jobs: say('receipt.open_jobs'),
  same_photo: say('receipt.same_photo'),
  originals: say('receipt.originals'),
  servers: say('receipt.servers'),
  shelves: say('receipt.shelves'),
  journal: say('receipt.journal'),
  saved_exports: say('receipt.saved_exports'),
  backups: say('receipt.backups'),
};

/** A receipt as lines of text. */
export function receiptLines({ ids, removed, kept, failed, problem, isFinished }: ErasureReceipt): Said[] {
  return [
    say('receipt.erased'),
    ...removed.map(({ what, count }) => mixed`  ${count} ${removedWords[what]}`),
    ...ids.map((id) => say('receipt.head', { id })),
    say('receipt.not_erased'),
    ...kept.map(({ what, count, names }) => {
      const of = names.length > 0 ? ` (${names.join(', ')})` : '';
      return mixed`  ${count > 0 ? `${count} ` : ''}${keptWords[what]}${of}`;
    }),
    ...(failed > 0 ? [say('receipt.failed', { failed, problem })] : []),
    ...(isFinished ? [] : [say('receipt.in_use')]),
  ];
}
