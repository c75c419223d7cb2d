import { Journal } from '@likeness/journal/journal.ts';
import type { ServiceFolder } from './service_folder.ts';

/**
 * A service's audit log, to write or to read.
 *
 * @param clock Milliseconds since 1970 UTC.
 * @param run A name for this run, different at each start.
 * @throws Failure `storage`
 */
export const openServiceJournal = ({ journal }: ServiceFolder, clock: () => number, run: string): Journal =>
  new Journal({
    folder: journal,
    clock,
    // Nothing that a caller wrote goes into it but ids of a known shape.
    scrub: (text) => text,
    onAppended: () => {},
    processId: process.pid,
    run,
  });
