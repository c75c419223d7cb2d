import { localDay } from '@likeness/proto/text/local_day.ts';
import type { modelStates } from '#contract';
import { markedLines, markedWords } from '../../base/search/folded_text.ts';
import { type LikenessRecord, madeAtOf } from '../model/likeness_record.ts';

/** Returns a model's searchable text: name, tags, notes, file name, date, profile, sex and state. */
export function searchText(record: LikenessRecord, state: (typeof modelStates)[number]): string {
  const madeAt = madeAtOf(record);
  const day = madeAt > 0 ? localDay(madeAt) : '';
  return markedLines([
    record.name,
    ...record.tags,
    record.notes,
    record.fileName,
    day,
    record.profile.name,
    record.parameters.sex ?? '',
    state === 'ok' ? '' : state.replaceAll('_', ' '),
    record.source,
  ]);
}

/**
 * Splits consecutive words for the index. Words of three or more characters become an FTS5 MATCH expression;
 * shorter ones, common in CJK, are searched in the text itself.
 */
export function indexedWords(text: string): { match: string } | { within: string } {
  const words = markedWords(text);
  return [...words].length >= 3 ? { match: `"${words.replaceAll('"', '""')}"` } : { within: words };
}
