import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { playedWords } from '@likeness/proto/takes/edits/time_map.ts';
import { type EditedTake, editedTake } from './edited_take.ts';
import type { TakeWords } from './export/take_export.ts';
import { openTakeSound } from './sound/mono_sound.ts';
import { takeSoundPath, unreadableSound } from './sound/take_sound.ts';
import type { TakeAnalysis } from './take_analysis.ts';
import type { TakeRecord } from './take_record.ts';
import type { Takes } from './takes.ts';

/** A take ready for export and film. */
export interface FinishedTake {
  record: TakeRecord;
  face: PlayableFace;
  /** Path of a whole WAV file: three hours have two gigabytes. */
  audio: { path: string };
  /** Duration, seconds. */
  seconds: number;
  words: TakeWords | null;
}

/**
 * Returns a take with its edits: face, audio, length and words agree.
 *
 * @throws Failure `not_found`, `storage`; `unsupported` if its audio can't be read or a newer version made
 * its edits
 */
export async function finishedTake(takes: Takes, analysis: TakeAnalysis, id: string): Promise<FinishedTake> {
  return finishedOf(takes, analysis, await editedTake(takes, id));
}

/** Adds audio and words to an edited face. @throws Failure as {@link finishedTake} */
export async function finishedOf(
  takes: Takes,
  analysis: TakeAnalysis,
  { record, face, map, seconds }: EditedTake,
): Promise<FinishedTake> {
  const { id } = record;
  const [path, words] = await Promise.all([soundOf(takes, id, map.isWhole), analysis.wordsInScript(id)]);
  return {
    record,
    face,
    audio: { path },
    seconds,
    words: words && { ...words, alignment: playedWords(words.alignment, map) },
  };
}

async function soundOf(takes: Takes, id: string, isWhole: boolean): Promise<string> {
  const recorded = await takeSoundPath(takes, id);
  // An export would produce an unplayable file.
  await openTakeSound(recorded).catch((error: unknown) => {
    throw unreadableSound(error);
  });
  return isWhole ? recorded : ((await takes.edits.sound(id)) ?? recorded);
}
