import type { Journal } from '@likeness/journal/journal.ts';
import { monthOf } from '@likeness/journal/spending.ts';
import { csvLine } from '@likeness/node-kit/csv.ts';
import type { ServiceKey } from './keys/service_key.ts';

/** Whether a text is a month such as `2026-11`. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** What a key used in a month. */
export interface KeyUsage {
  id: string;
  name: string;
  tenant: string;
  calls: number;
  failed: number;
  /** Of sound. */
  seconds: number;
  frames: number;
  models: number;
  caps: ServiceKey['caps'];
}

export interface UsedUnits {
  calls: number;
  failed: number;
  seconds: number;
  frames: number;
  models: number;
}

export interface UsageReportSource {
  /** All that the service knows, revoked ones too. */
  keys: () => readonly ServiceKey[];
  /** Of these keys, by their ids; those that used nothing are not in it. */
  usage: (month: string, keys: readonly string[]) => Promise<ReadonlyMap<string, UsedUnits>>;
  thisMonth: () => string;
}

/** @param shared The sums of all nodes, where there are more than this one; else those of the journal. */
export const usageSource = (
  journal: Pick<Journal, 'usage'>,
  keys: UsageReportSource['keys'],
  clock: () => number,
  shared?: UsageReportSource['usage'],
): UsageReportSource => ({
  keys,
  usage: shared ?? (async (month) => new Map(journal.usage(month).map((sum) => [sum.profileId, sum]))),
  thisMonth: () => monthOf(clock()),
});

/**
 * What was used in a month, by key.
 *
 * @param month `2026-11`, UTC.
 * @param tenant Whose keys; absent: everybody's.
 */
export async function usageOf(
  source: UsageReportSource,
  month: string,
  tenant?: string,
): Promise<KeyUsage[]> {
  const keys = source.keys().filter((key) => tenant === undefined || key.tenant === tenant);
  const sums = await source.usage(
    month,
    keys.map(({ id }) => id),
  );
  return keys
    .filter(({ id, revokedAt }) => revokedAt === null || sums.has(id))
    .map(({ id, name, tenant: owner, caps }) => {
      const sum = sums.get(id);
      return {
        id,
        name,
        tenant: owner,
        calls: sum?.calls ?? 0,
        failed: sum?.failed ?? 0,
        // Sums of fractions of a second: more digits are rounding's own.
        seconds: Math.round((sum?.seconds ?? 0) * 1000) / 1000,
        frames: sum?.frames ?? 0,
        models: sum?.models ?? 0,
        caps,
      };
    });
}

/** As RFC 4180 has it, one line a key. */
export function usageCsv(month: string, keys: readonly KeyUsage[]): string {
  const lines = keys.map(({ tenant, name, id, calls, failed, seconds, frames, models }) =>
    csvLine([month, tenant, name, id, calls, failed, seconds, frames, models]),
  );
  return csvLine(['month', 'tenant', 'key', 'id', 'calls', 'failed', 'seconds', 'frames', 'models']).concat(
    ...lines,
  );
}
