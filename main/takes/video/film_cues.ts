import { playedWords, timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import type { FilmJob } from '@likeness/proto/takes/film_message.ts';
import type { TakeWords } from '../export/take_export.ts';
import { cuesOf } from '../formats/subtitles.ts';
import type { TakeAnalysis } from '../take_analysis.ts';
import type { Takes } from '../takes.ts';

/** Subtitles of a film. @param seconds duration of the film */
export const filmCues = (words: TakeWords | null, seconds: number): FilmJob['subtitles'] =>
  words ? cuesOf(words.alignment, words.script, 'sentences', seconds) : [];

/** The same of a take with its edits, without its face and audio. @throws Failure `not_found`, `storage` */
export async function subtitlesOfTake(
  takes: Takes,
  analysis: TakeAnalysis,
  id: string,
): Promise<FilmJob['subtitles']> {
  const [{ pieces }, words] = await Promise.all([takes.edits.edits(id), analysis.wordsInScript(id)]);
  const map = timeMap(pieces, takes.record(id).seconds);
  return filmCues(words && { ...words, alignment: playedWords(words.alignment, map) }, map.seconds);
}
