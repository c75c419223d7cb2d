import type { Message } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SearchFields, SearchProblem } from '#contract';
import { searchProblemText } from '../../base/search/search_terms.ts';
import { mixed } from './mixed_text.ts';

/**
 * A page shows what a search passed over; here a list that is longer than what was asked for would mislead.
 *
 * @param hint - Where the command's help is
 * @throws Failure `invalid_input` where there is any problem
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

/** What can be written in a search: for a command's help. @param others - Further lines of its own */
export const searchHelp = (fields: SearchFields, others: string): string => `
Words are found from their beginnings: male does not find female.
  '"ada lovelace"'           these words together
  -draft                     without this word
  ${Object.entries(fields)
    .map(([field, { values }]) => (values.length > 0 ? `${field}:${values.join('|')}` : `${field}:…`))
    .join('  ')}
  rating:4  'rating:>3'  'made:<2026-11-01'  made:2026-11  tag:"two words"
made: is the day that the column Made shows, by the clock of this machine.
${others}`;
