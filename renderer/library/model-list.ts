/** State of the library page: the query, the models that it finds, and the selection. */
import type { CallInput, ModelCard, ModelQuery, SearchProblem } from '#contract';
import { keepValue, keptValue } from '../base/kept-value.ts';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { LongList } from '../ui/lists/long-list.ts';
import { type Chosen, Selection } from '../ui/lists/selection.ts';

/** Parts of the search that were not understood. */
export const searchProblems = createStore<readonly SearchProblem[]>([]);

const first: ModelQuery = { sort: 'created', descending: true };

export const modelList = new LongList<ModelCard, ModelQuery>(
  async (query, offset, limit) => {
    const { models, total, problems } = await studio.library.search({ query, offset, limit });
    // Ids of the search that is shown; its pages may still be loading.
    if (query === modelList.listed.query) searchProblems.set(problems);
    return { items: models, total };
  },
  first,
  (list) =>
    studio.library.onChanged(({ models, removed, stale }) => {
      // A model that is moved to or from the trash leaves the list that it was in.
      const belongs = ({ trashedAt }: ModelCard): boolean =>
        (trashedAt !== null) === (list.listed.query.trash ?? false);
      const gone = models.filter((model) => !belongs(model)).map(({ id }) => id);
      list.patch(models.filter(belongs), [...removed, ...gone], stale);
    }),
  48, // what the grid shows at its usual pictures: an answer to a key is read and drawn within a frame or two
);

export const modelSelection = new Selection(modelList);

/** Changes the query and clears the selection. An undefined field is removed. */
export function search(changes: { [K in keyof ModelQuery]?: ModelQuery[K] | undefined }): void {
  const query = Object.fromEntries(
    Object.entries({ ...modelList.listed.query, ...changes }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  ) as ModelQuery;
  modelSelection.restart();
  if ('text' in changes) typed();
  modelList.find(query);
}

/** Milliseconds after a key press until typing counts as paused: longer than between the keys of a word. */
export const typingPause = 220;
let pause: ReturnType<typeof setTimeout> | undefined;
/** True while a search is being typed: what is costly can wait for its end. */
const typing = createStore(false);
export const useTyping = (): boolean => typing.use();

function typed(): void {
  clearTimeout(pause);
  pause = setTimeout(() => typing.set(false), typingPause);
  typing.set(true);
}

/** From the start: everything in the library, sorted as it is now. */
export function searchAfresh(query: ModelQuery = {}): void {
  const { sort, descending } = modelList.listed.query;
  modelSelection.restart();
  modelList.find({ ...(sort ? { sort } : {}), ...(descending ? { descending } : {}), ...query });
}

/** The filters, without the sort order. */
function narrowing({ sort, descending, libraryId, trash, ...rest }: ModelQuery): ModelQuery {
  void [sort, descending, libraryId, trash];
  return rest;
}
export const isNarrowed = (query: ModelQuery): boolean => Object.keys(narrowing(query)).length > 0;

export type ModelSelection = CallInput<'library', 'edit'>['selection'];

/** The chosen ones as main understands them. */
export const asSelection = ({ all, ids }: Chosen): ModelSelection =>
  all ? { query: modelList.listed.query } : { ids: [...ids] };

// ── How it is shown ─────────────────────────────────────────────────────────────────────────────────────

export interface View {
  layout: 'grid' | 'list';
  /** Width of a card, pixels. */
  size: number;
}
export const cardSizes = { min: 104, max: 300 } as const;

const storageKey = 'likeness:library-view';

const defaultView: View = { layout: 'grid', size: 164 };

function viewIn(text: string): View {
  const kept = { ...(JSON.parse(text) as Partial<View> | null) };
  const size = Math.min(cardSizes.max, Math.max(cardSizes.min, Number(kept.size) || defaultView.size));
  return { layout: kept.layout === 'list' ? 'list' : 'grid', size };
}

const view = createStore(keptValue(storageKey, defaultView, viewIn));

export function changeView(changes: Partial<View>): void {
  view.set({ ...view.get(), ...changes });
  keepValue(storageKey, viewText.get());
}

/** The text that is kept, and what it takes to keep another one. */
export const viewText = {
  get: (): string => JSON.stringify(view.get()),
  set: (text: string): void => changeView(viewIn(text)),
  /** Names of the settings that differ in this text. */
  differing: (text: string): string[] => {
    const other = viewIn(text);
    return (['layout', 'size'] as const).filter((name) => other[name] !== view.get()[name]);
  },
};

export const useView = (): View => view.use();

/** The list's scroll position, restored after a visit to a model. */
export const scrolled = { top: 0 };
