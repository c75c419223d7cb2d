/** The tiles of the board, which of them a filter shows, and which are selected. */
import type { BatchOverview, BoardTile, CallInput } from '#contract';
import { keepValue, keptValue } from '../../base/kept-value.ts';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { LongList } from '../../ui/lists/long-list.ts';
import { type Chosen, Selection } from '../../ui/lists/selection.ts';

export type Filter = CallInput<'batch', 'board'>['filter'];
/** Tiles in all states. */
export const countTiles = ({ board }: Pick<BatchOverview, 'board'>): number =>
  Object.values(board).reduce((sum, count) => sum + count, 0);

export type PhotoSelection = CallInput<'batch', 'tag'>['selection'];

/**
 * A list of tiles whose members and order are those of the moment when its filter was chosen: progress
 * neither moves a tile nor takes it away. The list is loaded again when tiles are added, or the filter is
 * chosen again.
 */
function openTileList(first: Filter) {
  const members = new Map<Filter, Promise<string[]>>();
  /** The ids as far as they are known, without waiting. */
  let ids: readonly string[] = [];
  const idsOf = (filter: Filter): Promise<string[]> => {
    const known = members.get(filter);
    if (known !== undefined) return known;
    members.clear();
    const asked = studio.batch.board({ filter }).then((answer) => {
      if (members.get(filter) === asked) ids = answer.ids;
      return answer.ids;
    });
    members.set(filter, asked);
    asked.catch(() => members.delete(filter));
    return asked;
  };
  const list: LongList<BoardTile, Filter> = new LongList<BoardTile, Filter>(
    async (filter, offset, limit) => {
      const all = await idsOf(filter);
      const wanted = all.slice(offset, offset + limit);
      if (wanted.length === 0) return { items: [], total: all.length };
      const { tiles } = await studio.batch.tiles({ ids: wanted });
      if (tiles.length < wanted.length) keepOnly(new Set(tiles.map(({ id }) => id)), wanted);
      return { items: tiles, total: (await idsOf(filter)).length };
    },
    first,
    follow,
  );
  /** Drops ids that are not on the board any more. */
  function keepOnly(there: ReadonlySet<string>, asked: readonly string[]): void {
    const gone = new Set(asked.filter((id) => !there.has(id)));
    ids = ids.filter((id) => !gone.has(id));
    members.set(list.listed.query, Promise.resolve([...ids]));
    list.refreshSoon();
  }
  const renew = (): void => {
    members.clear();
    list.refreshSoon();
  };
  function follow(): () => void {
    // What happened while nobody looked is asked for now that somebody does again.
    members.clear();
    let total: number | undefined;
    const ends = [
      studio.batch.onChanged(({ overview, tiles, removedTiles, stale }) => {
        const before = total ?? Number.POSITIVE_INFINITY;
        total = countTiles(overview);
        list.overtake(tiles);
        const here = tiles.filter(({ id }) => list.indexOf(id) >= 0);
        const known = new Set(ids);
        const gone = removedTiles.filter((id) => known.has(id));
        if (gone.length > 0) keepOnly(new Set(), gone);
        const leftLine = here.some(({ id, line }) => line === null && list.at(list.indexOf(id))?.line);
        list.patch(here, gone, false);
        const isWide = Object.keys(list.listed.query).every((name) => name === 'sort');
        const isNew = isWide && tiles.some(({ id }) => !known.has(id));
        if (isNew || total > before || (stale && total !== before)) renew();
        // One less is in line before each that waits.
        else if (stale || leftLine) list.refreshSoon();
      }),
      studio.batch.onImagesChanged(renew),
    ];
    return () => {
      for (const end of ends) end();
    };
  }
  const selection = new Selection({
    at: list.at,
    idsBetween: async (one, other) => ids.slice(Math.min(one, other), Math.max(one, other) + 1),
    onRemoved: list.onRemoved,
  });
  return {
    list,
    selection,
    /** Ids of all tiles that are shown, in order. */
    ids: () => ids,
    /** @returns −1 where it is not among them. */
    indexOf: (id: string) => ids.indexOf(id),
    /** Resolves to the ids once they are known. */
    known: () => idsOf(list.listed.query),
  };
}

const board = openTileList({});
export const boardList = board.list;
export const boardSelection = board.selection;
export const boardIndexOf = board.indexOf;

/** The photos of the board that can still be edited, to be reviewed one by one. */
export const review = openTileList({ editable: true });

/** Changes the filter and clears the selection; choosing the same again asks for its tiles anew. */
export function filterBoard(changes: { [K in keyof Filter]?: Filter[K] | undefined }): void {
  const filter = Object.fromEntries(
    Object.entries({ ...boardList.listed.query, ...changes }).filter(([, value]) => value !== undefined),
  ) as Filter;
  boardSelection.restart();
  boardList.find(filter);
}

export const showAll = (): void =>
  filterBoard({ state: undefined, reason: undefined, text: undefined, sex: undefined, folder: undefined });

/**
 * Makes the list of a review: the photos that the board's filter finds now; all, if it would not find the
 * one that the review begins with, because its state has changed since.
 */
export function beginReview(id: string): void {
  const { state, reason, ...rest } = boardList.listed.query;
  const first = boardList.at(boardList.indexOf(id));
  const isFound = (!state || first?.state === state) && (!reason || first?.reason === reason);
  review.list.find({ ...(isFound || !first ? boardList.listed.query : rest), editable: true });
}

export const chosenIds = ({ all, ids }: Chosen): string[] => (all ? [...board.ids()] : [...ids]);

/** The selected tiles as main understands them; none selected: all photos. */
export const asSelection = (chosen: Chosen): PhotoSelection => {
  const ids = chosenIds(chosen);
  return ids.length === 0 ? { filter: {} } : { ids };
};

/** How far the board was scrolled. */
export const scrolled = { top: 0 };

const kept = 'likeness.board';
interface BoardView {
  /** Least width of a tile, CSS pixels. */
  tile: number;
  pane: boolean;
  /** The same pane as a drawer over a narrow grid; closed at first. */
  drawer: boolean;
}
const plain: BoardView = { tile: 148, pane: true, drawer: false };

function readView(text: string): BoardView {
  const { tile, pane } = JSON.parse(text) as Partial<BoardView>;
  return { ...plain, tile: typeof tile === 'number' ? tile : plain.tile, pane: pane ?? plain.pane };
}

/** How the board looks on this machine. */
export const boardView = createStore<BoardView>(keptValue(kept, plain, readView));
export function changeView(changes: Partial<BoardView>): void {
  boardView.set({ ...boardView.get(), ...changes });
  keepValue(kept, JSON.stringify(boardView.get()));
}
