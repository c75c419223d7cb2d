/** Expressions that a person shows while a take is recorded: a line each until they become the take's edits. */
import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { PerformedExpression, performedOperations } from '@likeness/proto/takes/performed_expressions.ts';
import { maxTakeBytes, takeFiles } from '../take_record.ts';
import { appendStep, readEditList } from './edit_list.ts';

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
  const path = join(folder, takeFiles.performed);
  const content = await readInside(dirname(folder), path, maxTakeBytes.performed).catch((error: unknown) => {
    if (fileErrorCode(error) !== 'ENOENT') throw error;
    return null;
  });
  if (!content) return;
  const edits = await readEditList(folder);
  const operations = performedOperations(content.toString().split('\n').flatMap(changeIn), seconds);
  if (edits.history.revision === 0 && operations.length > 0)
    await appendStep(folder, edits, { do: 'apply', operations }, at);
  // A file that stays is harmless: it is no reason to refuse the take.
  await rm(path).catch(() => undefined);
}

/** A line that a crash cut off counts as none. */
function changeIn(line: string): PerformedExpression[] {
  try {
    return [PerformedExpression.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
