import { Journal } from '@likeness/journal/journal.ts';
import type { ServiceFolder } from './service_folder.ts';

/**
 * Opens a service's audit log for writing or reading.
 *
 * @param clock Milliseconds since 1970 UTC.
 * @param run A name for this run, different at each start.
 * @throws Failure `storage`
 */
export const openServiceJournal = ({ journal }: ServiceFolder, clock: () => number, run: string): Journal =>
  new Journal({
    folder: journal,
    clock,
    // The only caller-supplied values are ids of a known format.
    scrub: (text) => text,
    onAppended: () => {},
    processId: process.pid,
    run,
  });
