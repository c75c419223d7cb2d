/** The names of the heads that entries are about: the journal keeps only servers' ids, no names of people. */
import type { JournalEntry } from '#contract';

const ofHeads: readonly string[] = ['generate_model', 'get_model', 'download'];

type Subject = Pick<JournalEntry, 'profileId' | 'subject'>;

export const headKey = ({ profileId, subject }: Subject): string => `${profileId} ${subject}`;

/** Each head that these entries are about, once. */
export function headsOf(entries: readonly JournalEntry[]): Subject[] {
  const about = entries.filter(({ operation, subject }) => subject !== '' && ofHeads.includes(operation));
  const once = new Map(
    about.map(({ profileId, subject }) => [headKey({ profileId, subject }), { profileId, subject }]),
  );
  return [...once.values()];
}
