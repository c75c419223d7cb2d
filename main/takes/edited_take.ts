import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { editedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { type TimeMap, timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { editContext } from './edits/edit_context.ts';
import type { TakeRecord } from './take_record.ts';
import type { Takes } from './takes.ts';

/** A take's face before and after its edits, without audio and words. */
export interface EditedTake {
  record: TakeRecord;
  edits: TakeEdits;
  /** Maps the recording's times to edited times. */
  map: TimeMap;
  recorded: PlayableFace;
  face: PlayableFace;
  /** Duration after the edits, seconds. */
  seconds: number;
}

/** @throws Failure `not_found`, `storage`; `unsupported` if a newer version made its edits */
export async function editedTake(takes: Takes, id: string): Promise<EditedTake> {
  const record = takes.record(id);
  const edits = await takes.edits.edits(id);
  const map = timeMap(edits.pieces, record.seconds);
  const [recorded, context] = await Promise.all([
    takes.playedFace(id),
    editContext(takes.folderOf(id), record.seconds, edits),
  ]);
  const face = editedFace(recorded, edits, context);
  return { record, edits, map, recorded, face, seconds: map.seconds };
}
