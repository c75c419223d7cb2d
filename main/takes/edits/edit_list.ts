import { dirname, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { openInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { EditError } from '@likeness/proto/takes/edits/apply_operation.ts';
import { EditHistory, type EditStep } from '@likeness/proto/takes/edits/edit_history.ts';
import { editLimits } from '@likeness/proto/takes/edits/edit_limits.ts';
import { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { z } from 'zod';
import { readTakeFile } from '../read_take.ts';
import { maxTakeBytes, takeFiles } from '../take_record.ts';

/** First line of `edits.jsonl`. */
const schemaVersion = 1;
const Header = z.looseObject({ schemaVersion: z.number().int().min(1) });

const revision = z.number().int().nonnegative();
const Step = z.discriminatedUnion('do', [
  z.object({ do: z.literal('apply'), operations: z.array(EditOperation).min(1).max(editLimits.operations) }),
  z.object({ do: z.literal('undo') }),
  z.object({ do: z.literal('redo') }),
  z.object({ do: z.literal('name'), name: z.string() }),
  z.object({ do: z.literal('open'), revision }),
]);
/** A line after the first: the step, its time, and its number, counted from 1. */
const Entry = z.looseObject({ revision, at: z.number(), step: Step });

const newline = 0x0a;

/** A take's edits as stored in its folder. */
export interface EditList {
  readonly history: EditHistory;
  /** Bytes of complete lines; the rest is a partial entry after a crash. */
  readonly wholeBytes: number;
  /** Bytes of the file; −1 if there is none. */
  readonly bytes: number;
}

/**
 * Reads a take's edits; writes nothing if there are none.
 *
 * @throws Failure `unsupported` for a list of a newer version, `storage` if it can't be read; the file stays
 * unchanged
 */
export async function readEditList(folder: string): Promise<EditList> {
  const content = await readTakeFile(folder, 'edits');
  if (!content) return { history: new EditHistory(), wholeBytes: 0, bytes: -1 };
  const wholeBytes = content.lastIndexOf(newline) + 1;
  return { history: folded(content.subarray(0, wholeBytes)), wholeBytes, bytes: content.length };
}

function folded(content: Buffer): EditHistory {
  const history = new EditHistory();
  for (let from = 0, line = 1; from < content.length; line++) {
    const end = content.indexOf(newline, from);
    const text = content.toString('utf8', from, end);
    if (line === 1) checkHeader(text);
    else addLine(history, text, line);
    from = end + 1;
  }
  return history;
}

function checkHeader(text: string): void {
  const header = parsed(Header, text);
  if (!header) throw damaged(1);
  if (header.schemaVersion > schemaVersion) {
    throw new Failure('unsupported', t('edits.newer', { version: header.schemaVersion }), {
      hint: t('edits.update'),
    });
  }
}

function addLine(history: EditHistory, text: string, line: number): void {
  const entry = parsed(Entry, text);
  if (entry?.revision !== history.revision + 1) throw damaged(line);
  try {
    history.add(entry.step, entry.at);
  } catch (error) {
    if (error instanceof EditError) throw damaged(line);
    throw error;
  }
}

/** The value in a line of JSON; null if it isn't one of the schema. */
export function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const damaged = (line: number): Failure =>
  new Failure('storage', t('edits.damaged_line', { line }), { hint: t('edits.put_right') });

/**
 * Adds an entry to the list in memory and on disk. When this resolves, a power cut doesn't lose it. A step that
 * changes nothing adds none: the list itself is returned.
 *
 * @param at milliseconds since 1970
 * @throws Failure `invalid_input` if the step is invalid, `storage`; then it isn't in the list
 */
export async function appendStep(
  folder: string,
  list: EditList,
  step: EditStep,
  at: number,
): Promise<EditList> {
  try {
    if (!list.history.check(step)) return list;
  } catch (error) {
    if (error instanceof EditError)
      throw new Failure('invalid_input', error.userMessage, { field: 'operations' });
    throw error;
  }
  const line = `${JSON.stringify({ revision: list.history.revision + 1, at, step })}\n`;
  const bytes = await append(folder, list, line);
  list.history.add(step, at);
  return { history: list.history, wholeBytes: bytes, bytes };
}

/** @returns bytes of the file */
async function append(folder: string, { wholeBytes, bytes }: EditList, line: string): Promise<number> {
  const path = join(folder, takeFiles.edits);
  const header = `${JSON.stringify({ schemaVersion })}\n`;
  const added = Buffer.from(wholeBytes === 0 ? header + line : line);
  const total = wholeBytes + added.length;
  if (total > maxTakeBytes.edits) {
    throw new Failure('storage', t('edits.list_full', { most: maxTakeBytes.edits }), {
      hint: t('edits.go_on_in_copy'),
    });
  }
  try {
    if (bytes < 0) {
      await writeFileAtomically(path, added);
      return total;
    }
    const file = await openInside(dirname(folder), path, 'change');
    try {
      // Removes a partial entry that a crash left.
      if (bytes > wholeBytes) await file.truncate(wholeBytes);
      await file.write(added, 0, added.length, wholeBytes).catch(async (error: unknown) => {
        await file.truncate(wholeBytes).catch(() => undefined);
        throw error;
      });
      await file.datasync();
    } finally {
      await file.close();
    }
    return total;
  } catch (error) {
    throw storageFailure(error, path);
  }
}
