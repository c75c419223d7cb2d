import { mergedFace, type PlayableFace } from '#proto/take_stream.ts';
import { editedFace } from '#proto/takes/edits/edited_face.ts';
import { playedWords, timeMap } from '#proto/takes/edits/time_map.ts';
import { readInside } from '../storage/inside_folder.ts';
import { editContext } from './edits/edit_context.ts';
import type { TakeWords } from './export/take_export.ts';
import type { TakeHearings } from './take_hearing.ts';
import { mostTakeBytes, type TakeRecord } from './take_record.ts';
import type { Takes } from './takes.ts';

/** A take as it leaves the studio: what is exported, sent and filmed. */
export interface FinishedTake {
  record: TakeRecord;
  face: PlayableFace;
  /** A whole WAV file. */
  audio: Uint8Array;
  /** How long it plays. */
  seconds: number;
  words: TakeWords | null;
}

/**
 * A take with its edits: face, sound, length and words agree.
 *
 * @throws Failure `not_found`, `storage`; `unsupported` where its edits were made by a newer version
 */
export async function finishedTake(takes: Takes, hearings: TakeHearings, id: string): Promise<FinishedTake> {
  const record = takes.record(id);
  const edits = await takes.edits.edits(id);
  const map = timeMap(edits.pieces, record.seconds);
  const [faces, audio, words, context] = await Promise.all([
    takes.faces(id),
    map.isWhole ? takes.audio(id) : editedAudio(takes, id),
    hearings.wordsInScript(id),
    editContext(takes.folderOf(id), record.seconds, edits),
  ]);
  return {
    record,
    face: editedFace(mergedFace(faces), edits, context),
    audio,
    seconds: map.seconds,
    words: words && { ...words, alignment: playedWords(words.alignment, map) },
  };
}

async function editedAudio(takes: Takes, id: string): Promise<Buffer> {
  const path = await takes.edits.sound(id);
  return path === null ? takes.audio(id) : readInside(takes.folderOf(id), path, mostTakeBytes.audio);
}
