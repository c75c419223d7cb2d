import type { Journal } from '@likeness/journal/journal.ts';
import { monthOf } from '@likeness/journal/spending.ts';
import { csvLine } from '@likeness/node-kit/csv.ts';
import type { ServiceKey } from './keys/service_key.ts';

/** Whether a text is a month such as `2026-11`. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** A key's usage of a month. */
export interface KeyUsage {
  id: string;
  name: string;
  tenant: string;
  calls: number;
  failed: number;
  /** Of audio. */
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
  /** All keys of the service, revoked ones included. */
  keys: () => readonly ServiceKey[];
  /** Usage of these keys, by their ids; unused keys are missing. */
  usage: (month: string, keys: readonly string[]) => Promise<ReadonlyMap<string, UsedUnits>>;
  thisMonth: () => string;
}

/** @param shared The sums of all nodes, if there are several; otherwise the journal's sums are used. */
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
 * Returns the usage of a month, by key.
 *
 * @param month `2026-11`, UTC.
 * @param tenant Only this tenant's keys; absent: all keys.
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
        // Sums of fractions of a second: further digits are rounding errors.
        seconds: Math.round((sum?.seconds ?? 0) * 1000) / 1000,
        frames: sum?.frames ?? 0,
        models: sum?.models ?? 0,
        caps,
      };
    });
}

/** Returns CSV as defined by RFC 4180, one line per key. */
export function usageCsv(month: string, keys: readonly KeyUsage[]): string {
  const lines = keys.map(({ tenant, name, id, calls, failed, seconds, frames, models }) =>
    csvLine([month, tenant, name, id, calls, failed, seconds, frames, models]),
  );
  return csvLine(['month', 'tenant', 'key', 'id', 'calls', 'failed', 'seconds', 'frames', 'models']).concat(
    ...lines,
  );
}
