import { mergedFace, type PlayableFace } from '#proto/take_stream.ts';
import type { TakeWords } from './export/take_export.ts';
import type { TakeHearings } from './take_hearing.ts';
import type { TakeRecord } from './take_record.ts';
import type { Takes } from './takes.ts';

/** A take as it leaves the studio: what is exported, sent and filmed. */
export interface FinishedTake {
  record: TakeRecord;
  face: PlayableFace;
  /** A whole WAV file. */
  audio: Uint8Array;
  /** Length of the sound. */
  seconds: number;
  words: TakeWords | null;
}

/** @throws Failure `not_found`, `storage` */
export async function finishedTake(takes: Takes, hearings: TakeHearings, id: string): Promise<FinishedTake> {
  const record = takes.record(id);
  const [faces, audio, words] = await Promise.all([
    takes.faces(id),
    takes.audio(id),
    hearings.wordsInScript(id),
  ]);
  return { record, face: mergedFace(faces), audio, seconds: record.seconds, words };
}
