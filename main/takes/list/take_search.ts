import { byNaturalOrder } from '@likeness/node-kit/natural_order.ts';
import { localDay } from '@likeness/proto/text/local_day.ts';
import {
  type SearchProblem,
  type Take,
  type TakeQuery,
  type TakeSearchField,
  takeSearchFields,
} from '#contract';
import { folded, markedLines, markedWords } from '../../base/search/folded_text.ts';
import { readSearch, type SearchTerm } from '../../base/search/search_terms.ts';
import { newestFirst } from '../listed_take.ts';

export interface FoundTakes {
  takes: readonly Take[];
  problems: readonly SearchProblem[];
}

/** Returns the takes that a query finds, in its order; equal ones newest first. */
export function findTakes(takes: readonly Take[], query: TakeQuery, now: number): FoundTakes {
  const { terms, problems } = readSearch(query.text ?? '', takeSearchFields, now);
  const asked = terms.map(({ not, ...term }) => ({
    not,
    meets: meeting(term as SearchTerm<TakeSearchField>),
  }));
  const found = takes.filter((take) => asked.every(({ not, meets }) => meets(take) !== not));
  const sort = query.sort ?? 'created';
  const sign = (query.descending ?? query.sort === undefined) ? -1 : 1;
  const order = orders[sort];
  return {
    takes: found.toSorted((a, b) => sign * order(a, b) || newestFirst(a, b)),
    problems,
  };
}

const orders: Readonly<Record<NonNullable<TakeQuery['sort']>, (a: Take, b: Take) => number>> = {
  created: (a, b) => a.createdAt - b.createdAt,
  name: (a, b) => byNaturalOrder(a.name, b.name),
  rating: (a, b) => a.rating - b.rating,
  length: (a, b) => a.seconds - b.seconds,
};

type Meets = (take: Take) => boolean;

function meeting(term: SearchTerm<TakeSearchField>): Meets {
  switch (term.kind) {
    case 'words': {
      const words = markedWords(term.text);
      return (take) => searchedText(take).includes(words);
    }
    case 'stars':
      return ({ rating }) => rating >= term.least && rating <= term.most;
    case 'day':
      return ({ createdAt }) => createdAt >= term.least && createdAt <= term.most;
    case 'text':
      if (term.field === 'by') return ({ profileName }) => folded(profileName).includes(term.text);
      return ({ tags }) =>
        tags.map(folded).some((tag) => (term.whole ? tag === term.text : tag.startsWith(term.text)));
    case 'word':
      return withValue(term.field, term.value);
  }
}

/** A field with one of its known values. */
function withValue(field: TakeSearchField, value: string): Meets {
  switch (field) {
    case 'from':
      return ({ source, damaged }) => !damaged && source === value;
    case 'script':
      return ({ script }) => (script === null) === (value === 'none');
    case 'state':
      return (take) => statesOf(take).includes(value);
    default:
      return ({ tags }) => tags.length === 0;
  }
}

function statesOf({ damaged, recovered, missingSeconds }: Take): string[] {
  if (damaged) return ['damaged'];
  const states = [...(recovered ? ['recovered'] : []), ...(missingSeconds > 0 ? ['gaps'] : [])];
  return states.length > 0 ? states : ['ok'];
}

/** The searchable texts of a take, made once. */
function searchedText(take: Take): string {
  let text = searched.get(take);
  if (text === undefined) {
    const day = localDay(take.createdAt);
    text = markedLines([
      take.name,
      ...take.tags,
      take.notes,
      take.script?.fileName ?? '',
      day,
      take.profileName,
    ]);
    searched.set(take, text);
  }
  return text;
}
const searched = new WeakMap<Take, string>();
