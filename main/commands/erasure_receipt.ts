import type { ErasureReceipt } from '#contract';

const removedWords: Readonly<Record<ErasureReceipt['removed'][number]['what'], string>> = {
  heads: 'heads, with photo, picture and record',
  photos: 'photos of the queue',
  previews: 'small pictures of photos',
  jobs: 'jobs of the queue',
  image_tasks: 'names of files in the list of image tasks',
  uploads: 'photos that were dropped and not taken in',
  exports: 'exported files in the temporary folder',
  takes: 'takes: voice, face and record',
  take_links: 'takes that no longer say which head it was',
  engine: 'files and entries of the built-in engine',
  log_names: 'names in the log',
  set_aside: 'damaged indexes that were kept aside',
};

const keptWords: Readonly<Record<ErasureReceipt['kept'][number]['what'], string>> = {
  takes: 'takes: the voice is the person’s too (erase them with --takes, or in the window)',
  open_jobs: 'jobs of the same photos that are not over: cancel them, then erase what is left',
  same_photo: 'other heads of the same photos',
  originals: 'photos in your own folders: the studio never touches them',
  servers: 'heads made by servers, which may keep photo and head: ask there',
  shelves: 'collections, saved searches and takes that you named so',
  journal: 'the journal: ids, times and prices of the calls; no names, no pictures',
  saved_exports: 'files that you exported and saved elsewhere',
  backups: 'backups, and copies that the disk itself keeps',
};

/** A receipt as lines of text. */
export function receiptLines({ ids, removed, kept, failed, problem, isFinished }: ErasureReceipt): string[] {
  return [
    'Erased:',
    ...removed.map(({ what, count }) => `  ${count} ${removedWords[what]}`),
    ...ids.map((id) => `  head ${id}`),
    'Not erased:',
    ...kept.map(({ what, count, names }) => {
      const of = names.length > 0 ? ` (${names.join(', ')})` : '';
      return `  ${count > 0 ? `${count} ` : ''}${keptWords[what]}${of}`;
    }),
    ...(failed > 0 ? [`✗ ${failed} heads could not be erased: ${problem}`] : []),
    ...(isFinished ? [] : ['Another program is using the databases: the next start finishes this.']),
  ];
}
