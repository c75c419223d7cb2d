/** What files that leave a take are called. */

import { distinctNames } from '@likeness/node-kit/storage/safe_name.ts';
import { type ExportRate, frameRateOf, rateText } from '@likeness/proto/takes/frame_rates.ts';
import { localDay } from '../../base/local_day.ts';
import { nameByPattern } from '../../base/name_pattern.ts';
import type { TakeRecord } from '../take_record.ts';
import { stemOf } from './take_export.ts';

/** A take under the name that its files get. */
export interface NamedTake {
  record: TakeRecord;
  fileName: string;
}

/** The takes there are. */
export interface TakesToName {
  list(): readonly Pick<TakeRecord, 'id' | 'name' | 'createdAt'>[];
  /** @throws Failure `not_found` */
  record(id: string): TakeRecord;
}

/** Which takes, and by what pattern they are named. */
export interface TakeNaming {
  ids: readonly string[];
  /** As `nameByPattern` takes it. */
  fileName: string;
  /** `{number}` of the first. */
  firstNumber: number;
  rate: ExportRate;
}

/**
 * The takes with the names of their files, no two alike.
 *
 * @throws Failure `not_found`; `invalid_input` for a field that there is not
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

/** Of each take the how manieth of its name it is, by when they were recorded. */
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
