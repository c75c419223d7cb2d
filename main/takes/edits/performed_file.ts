/** Expressions that a person shows while a take is recorded: a line each until they become the take's edits. */
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PerformedExpression, performedOperations } from '@likeness/proto/takes/performed_expressions.ts';
import { readTakeFile } from '../read_take.ts';
import { takeFiles } from '../take_record.ts';
import { appendStep, parsed, readEditList } from './edit_list.ts';

/** Appends changes of the shown expression. When this resolves, a power cut doesn't lose them. */
export const appendPerformed = (folder: string, changes: readonly PerformedExpression[]): Promise<void> =>
  appendFile(
    join(folder, takeFiles.performed),
    changes.map((change) => `${JSON.stringify(change)}\n`).join(''),
    { mode: 0o600, flush: true },
  );

/**
 * Turns the stored expressions of a take into its first edit, and removes their file. A second call, after a
 * crash, adds nothing.
 *
 * @param at milliseconds since 1970
 * @throws Failure `storage`; then the next call adds them
 */
export async function editPerformed(folder: string, seconds: number, at: number): Promise<void> {
  const content = await readTakeFile(folder, 'performed');
  if (!content) return;
  const edits = await readEditList(folder);
  // A line that a crash cut off counts as none.
  const changes = content
    .toString()
    .split('\n')
    .flatMap((line) => parsed(PerformedExpression, line) ?? []);
  const operations = performedOperations(changes, seconds);
  if (edits.history.revision === 0 && operations.length > 0)
    await appendStep(folder, edits, { do: 'apply', operations }, at);
  // A file that stays is harmless: it is no reason to refuse the take.
  await rm(join(folder, takeFiles.performed)).catch(() => undefined);
}
