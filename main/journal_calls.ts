import type { Journal } from '@likeness/journal/journal.ts';
import { exportJournal, exportMediaType } from '@likeness/journal/journal_export.ts';
import { latencySince } from '@likeness/journal/latency.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Handlers } from '#contract';

/** The current fields of a profile that the meter needs. */
export interface MeteredProfile {
  id: string;
  name: string;
  monthlyCap: number | null;
  prices: { currency: string };
}

/** Maximum entries of an export that the page gets as text; the command line has no limit. */
const maxExported = 200_000;

const dayMs = 24 * 60 * 60 * 1000;

/** Implements the journal's calls of the contract. */
export function journalCalls(options: {
  journal: Journal;
  profiles: () => readonly MeteredProfile[];
  /** Returns the name of a head by the server's id; null if unknown. */
  nameOf: (profileId: string, remoteModelId: string) => string | null;
  /** Milliseconds since 1970. */
  clock: () => number;
}): Handlers['journal'] {
  const { journal, profiles, nameOf, clock } = options;
  return {
    entries: (query) => journal.entries(query),
    namesOf: ({ subjects }) =>
      subjects.flatMap(({ profileId, subject }) => {
        const name = subject === '' ? null : nameOf(profileId, subject);
        return name === null ? [] : [{ profileId, subject, name }];
      }),
    verify: () => journal.verify(),

    export: async ({ format, filter }) => {
      const { total } = await journal.entries({ limit: 1, filter });
      if (total > maxExported) {
        throw new Failure('unsupported', t('journal.too_many', { total, most: maxExported }), {
          hint: t('journal.narrow_dates'),
        });
      }
      let text = '';
      for await (const piece of exportJournal(journal, format, filter)) text += piece;
      const day = new Date(clock()).toISOString().slice(0, 10);
      return { fileName: `likeness-journal-${day}.${format}`, mediaType: exportMediaType[format], text };
    },

    usage: ({ month }) => {
      const current = new Map(profiles().map((profile) => [profile.id, profile]));
      const used = journal.usage(month).map((sums) => {
        const profile = current.get(sums.profileId);
        // A cap is in the profile's current currency and does not apply to amounts in another.
        const sameCurrency = profile?.prices.currency === sums.currency;
        return {
          ...sums,
          profileName: profile?.name ?? sums.profileName,
          monthlyCap: sameCurrency ? (profile?.monthlyCap ?? null) : null,
        };
      });
      return { month, profiles: used };
    },

    latency: ({ days }) => latencySince(journal.database, clock() - days * dayMs),
  };
}
