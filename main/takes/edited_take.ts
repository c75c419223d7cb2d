import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { editedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { type TimeMap, timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { editContext } from './edits/edit_context.ts';
import type { TakeRecord } from './take_record.ts';
import type { Takes } from './takes.ts';

/** A take's face before and after its edits, without sound and words. */
export interface EditedTake {
  record: TakeRecord;
  edits: TakeEdits;
  /** Where the recording's times lie in what is played. */
  map: TimeMap;
  recorded: PlayableFace;
  face: PlayableFace;
  /** How long it plays. */
  seconds: number;
}

/** @throws Failure `not_found`, `storage`; `unsupported` where its edits were made by a newer version */
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
