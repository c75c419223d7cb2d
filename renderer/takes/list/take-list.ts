/** State of the list of takes: the search, the takes that it finds, and the selection. */
import type { SearchProblem, Take, TakeQuery, TakeSelection } from '#contract';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { LongList } from '../../ui/lists/long-list.ts';
import { type Chosen, Selection } from '../../ui/lists/selection.ts';

/** Parts of the search that were not understood. */
export const takeSearchProblems = createStore<readonly SearchProblem[]>([]);

/** How many takes there are, found or not; undefined until it is known. */
export const takesThereAre = createStore<number | undefined>(undefined);

export const takeList = new LongList<Take, TakeQuery>(
  async (query, offset, limit) => {
    const { takes, total, problems, all } = await studio.takes.search({ query, offset, limit });
    takesThereAre.set(all);
    if (query === takeList.listed.query) takeSearchProblems.set(problems);
    return { items: takes, total };
  },
  {},
  (list) =>
    studio.takes.onChanged(({ takes, removed, stale }) =>
      list.patch(takes, removed, stale || takes.length > 0),
    ),
  100,
);

export const takeSelection = new Selection(takeList);

/** Changes the search or the order. An undefined field is removed. */
export function searchTakes(changes: { [K in keyof TakeQuery]?: TakeQuery[K] | undefined }): void {
  const query = Object.fromEntries(
    Object.entries({ ...takeList.listed.query, ...changes }).filter(([, value]) => value !== undefined),
  ) as TakeQuery;
  takeSelection.restart();
  takeList.find(query);
}

/** The chosen ones as main understands them. */
export const asTakeSelection = ({ all, ids }: Chosen): TakeSelection =>
  all ? { query: takeList.listed.query } : { ids: [...ids] };

/**
 * Returns the take to show when this one is removed: the one below, else the one above; null if there is
 * none.
 */
export function takeBeside(id: string): string | null {
  const at = takeList.indexOf(id);
  return at < 0 ? null : ((takeList.at(at + 1) ?? takeList.at(at - 1))?.id ?? null);
}

/** In the order that they have on the screen; those that are not here come last. */
export function inListOrder(ids: readonly string[]): string[] {
  const positionOf = (id: string): number => {
    const at = takeList.indexOf(id);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  return ids.toSorted((a, b) => positionOf(a) - positionOf(b) || 0);
}
