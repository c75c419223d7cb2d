import type { CallInput, JournalEntry } from '#contract';

/** The chosen filters; empty means any. */
export interface Filters {
  text: string;
  profileId: string;
  operation: string;
  outcome: JournalEntry['outcome'] | '';
  period: 'all' | 'day' | 'week' | 'month';
}

export const noFilters: Filters = { text: '', profileId: '', operation: '', outcome: '', period: 'all' };
export const isFiltered = (filters: Filters): boolean =>
  JSON.stringify(filters) !== JSON.stringify(noFilters);

const days = { day: 1, week: 7, month: 30 } as const;

/** The same, as the contract asks for it. `now` in milliseconds since 1970. */
export function filterOf(filters: Filters, now: number): CallInput<'journal', 'entries'>['filter'] {
  const { text, profileId, operation, outcome, period } = filters;
  return {
    ...(text.trim() ? { text: text.trim() } : {}),
    ...(profileId ? { profileId } : {}),
    ...(operation ? { operation } : {}),
    ...(outcome ? { outcome } : {}),
    ...(period === 'all' ? {} : { from: now - days[period] * 86_400_000 }),
  };
}
