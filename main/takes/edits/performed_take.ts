import {
  type PerformedExpression,
  performedOperations,
} from '@likeness/proto/takes/performed_expressions.ts';
import type { TakeBeginning, TakeRecord } from '../take_record.ts';
import { type TakeRecorder, withEnd } from '../take_recorder.ts';
import type { Takes } from '../takes.ts';

type End = Parameters<TakeRecorder['finish']>[0] & { performed: readonly PerformedExpression[] };

/**
 * Starts a take that gets the expressions of its recording as edits, so that they can be moved and removed.
 * An overdub replaces regions of another take and gets none.
 *
 * @throws Failure `storage`
 */
export async function startPerformedTake(
  takes: Takes,
  beginning: TakeBeginning,
): Promise<Omit<TakeRecorder, 'finish'> & { finish(more: End): Promise<TakeRecord> }> {
  const recorder = await takes.start(beginning);
  return withEnd(recorder, async ({ performed, ...more }: End) => {
    const record = await recorder.finish(more);
    const operations = beginning.attempt ? [] : performedOperations(performed, record.seconds);
    if (operations.length > 0) await takes.edits.step(record.id, 0, { do: 'apply', operations });
    return record;
  });
}
