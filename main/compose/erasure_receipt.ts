import { joinMessages, type Message } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { builtInProfileId, type ErasureReceipt } from '#contract';
import { listsNaming } from '../library/model/model_erasure.ts';
import type { ErasureOptions, ErasureOutcome } from './erasure_steps.ts';

type Part = ErasureReceipt['removed'][number]['what'];
type Remainder = ErasureReceipt['kept'][number];

/** Describes to the user what an erasure removed, kept, or could not reach. */
export function receiptOf(
  options: Pick<ErasureOptions, 'libraries' | 'takes' | 'clock'>,
  outcome: ErasureOutcome,
): ErasureReceipt {
  const { marks, removed, failures, isFinished } = outcome;
  return {
    at: options.clock(),
    ids: [...marks.ids],
    erased: marks.ids.length,
    removed: Object.entries(removed)
      .map(([what, count]) => ({ what: what as Part, count }))
      .filter(({ count }) => count > 0),
    kept: [
      ...foundKept(options, outcome),
      ...(['journal', 'saved_exports', 'backups'] as const).map((what) => ({ what, count: 0, names: [] })),
    ],
    failed: failures.length,
    problem: problemOf(failures),
    isFinished,
  };
}

/** Lists remaining data that names or belongs to the person. */
function foundKept(
  { libraries, takes }: Pick<ErasureOptions, 'libraries' | 'takes'>,
  { gone, marks, removed, openJobs }: ErasureOutcome,
): Remainder[] {
  const isNaming = (text: string): boolean =>
    marks.names.some((name) => text.toLowerCase().includes(name.toLowerCase()));
  const servers = gone.filter(({ profileId }) => profileId !== '' && profileId !== builtInProfileId);
  const samePhoto = marks.photos.reduce((sum, hash) => sum + libraries.index.ofPhoto(hash), 0);
  const shelves =
    listsNaming(libraries, marks.names) +
    takes.list().filter(({ name, notes }) => isNaming(`${name}\n${notes}`)).length;
  const found: Remainder[] = [
    { what: 'takes', count: removed.take_links, names: [] },
    { what: 'open_jobs', count: openJobs, names: [] },
    { what: 'same_photo', count: samePhoto, names: [] },
    { what: 'originals', count: marks.photos.length, names: [] },
    {
      what: 'servers',
      count: servers.length,
      names: [...new Set(servers.map(({ profileName }) => profileName))],
    },
    { what: 'shelves', count: shelves, names: [] },
  ];
  return found.filter(({ count }) => count > 0);
}

function problemOf([why]: readonly unknown[]): Message {
  if (why === undefined) return '';
  return why instanceof Failure ? joinMessages(why.userMessage, why.advice) : String(why);
}
