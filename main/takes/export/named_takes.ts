/** Names of files that are exported from takes. */

import { distinctNames } from '@likeness/node-kit/storage/safe_name.ts';
import { type ExportRate, frameRateOf, rateText } from '@likeness/proto/takes/frame_rates.ts';
import { localDay } from '@likeness/proto/text/local_day.ts';
import { nameByPattern } from '../../base/name_pattern.ts';
import type { TakeRecord } from '../take_record.ts';
import { stemOf } from './take_export.ts';

/** A take with the base name of its files. */
export interface NamedTake {
  record: TakeRecord;
  fileName: string;
}

/** All existing takes. */
export interface TakesToName {
  list(): readonly Pick<TakeRecord, 'id' | 'name' | 'createdAt'>[];
  /** @throws Failure `not_found` */
  record(id: string): TakeRecord;
}

/** Selected takes, and the pattern of their names. */
export interface TakeNaming {
  ids: readonly string[];
  /** In the syntax of `nameByPattern`. */
  fileName: string;
  /** `{number}` of the first. */
  firstNumber: number;
  rate: ExportRate;
}

/**
 * Returns the takes with unique names for their files.
 *
 * @throws Failure `not_found`; `invalid_input` for an unknown field
 */
export function namedTakes(takes: TakesToName, order: TakeNaming, now: number): NamedTake[] {
  const numbers = numbersByName(takes.list());
  const wantedTakes = [...new Set(order.ids)].map((id) => ({ id, record: takes.record(id) }));
  const stems = wantedTakes.map(({ id, record }, position) => {
    const { name, createdAt, frameRate } = record;
    const wanted = nameByPattern(
      order.fileName,
      {
        name,
        take: String(numbers.get(id) ?? 1),
        rate: rateText(frameRateOf(order.rate, frameRate)),
        number: String(order.firstNumber + position),
        date: localDay(createdAt),
        today: localDay(now),
        id,
      },
      name,
    );
    return stemOf(wanted);
  });
  const fileNames = distinctNames(stems);
  return wantedTakes.map(({ record }, at) => ({ record, fileName: fileNames[at]! }));
}

/** Numbers takes of the same name by the time of their recording. */
function numbersByName(
  list: readonly { id: string; name: string; createdAt: number }[],
): Map<string, number> {
  const counts = new Map<string, number>();
  return new Map(
    list
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map(({ id, name }) => {
        const number = (counts.get(name) ?? 0) + 1;
        counts.set(name, number);
        return [id, number];
      }),
  );
}
