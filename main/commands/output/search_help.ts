import type { Message } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SearchFields, SearchProblem } from '#contract';
import { searchProblemText } from '../../base/search/search_terms.ts';
import { mixed } from './mixed_text.ts';

/**
 * Rejects a search with problems: a page shows ignored terms, but here a longer list than requested would
 * mislead.
 *
 * @param hint - Where the command's help is
 * @throws Failure `invalid_input` for any problem
 */
export function refuseSearchProblems(
  problems: readonly SearchProblem[],
  fields: SearchFields,
  hint: Message,
): void {
  if (problems.length === 0) return;
  throw new Failure(
    'invalid_input',
    problems
      .map((problem) => searchProblemText(problem, fields))
      .reduce((first, second) => mixed`${first}\n${second}`),
    { hint },
  );
}

/** Describes the search syntax for a command's help. @param others - Additional lines */
export const searchHelp = (fields: SearchFields, others: string): string => `
Words match from their beginning: male does not find female.
  '"ada lovelace"'           these words together
  -draft                     without this word
  ${Object.entries(fields)
    .map(([field, { values }]) => (values.length > 0 ? `${field}:${values.join('|')}` : `${field}:…`))
    .join('  ')}
  rating:4  'rating:>3'  'made:<2026-11-01'  made:2026-11  tag:"two words"
made: is the day in the column Made, in local time.
${others}`;
