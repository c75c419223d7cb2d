import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import type { Take } from '#contract';
import { writeRecord } from '../take_recorder.ts';
import type { Takes } from '../takes.ts';
import { appendStep, readEditList } from './edit_list.ts';
import { linkTake } from './linked_take.ts';

/**
 * Splits a take in two: each contains the whole recording and plays its part, so that a cut at the wrong time
 * loses nothing.
 *
 * @param at seconds of the recording
 * @throws Failure `not_found`, `storage`; `invalid_input` if one side has no content
 */
export async function splitTake(takes: Takes, id: string, at: number): Promise<Take[]> {
  const record = takes.record(id);
  const { pieces } = timeMap((await takes.edits.edits(id)).pieces, record.seconds);
  const before = clipped(pieces, 0, at);
  const after = clipped(pieces, at, record.seconds);
  if (before.length === 0 || after.length === 0)
    throw new Failure('invalid_input', t('edits.nothing_left'), { field: 'at' });
  const made: Take[] = [];
  for (const [number, part] of [before, after].entries()) {
    const named = { name: `${record.name} (${number + 1})` };
    made.push(
      await takes.addMade(async (folder, newId, now) => {
        await linkTake(takes.folderOf(id), folder);
        await writeRecord(folder, { ...record, ...named, id: newId, createdAt: now });
        const list = await readEditList(folder);
        await appendStep(folder, list, { do: 'apply', operations: [{ kind: 'pieces', pieces: part }] }, now);
      }),
    );
  }
  return made;
}

/** Returns the parts of pieces between two times. */
const clipped = (pieces: readonly Piece[], from: number, to: number): Piece[] =>
  pieces
    .map((piece) => ({ ...piece, from: Math.max(piece.from, from), to: Math.min(piece.to, to) }))
    .filter((piece) => piece.to > piece.from);
