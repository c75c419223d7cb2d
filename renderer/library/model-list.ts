/** What the library shows now: the query, the models it finds, and which of them are chosen. */
import type { CallInput, ModelCard, ModelQuery, SearchProblem } from '#contract';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { LongList } from '../ui/lists/long-list.ts';
import { type Chosen, Selection } from '../ui/lists/selection.ts';

/** What of the search was not understood. */
export const searchProblems = createStore<readonly SearchProblem[]>([]);

const first: ModelQuery = { sort: 'created', descending: true };

export const modelList = new LongList<ModelCard, ModelQuery>(
  async (query, offset, limit) => {
    const { models, total, problems } = await studio.library.search({ query, offset, limit });
    // Those of the search that is shown, whose pages may still come.
    if (query === modelList.listed.query) searchProblems.set(problems);
    return { items: models, total };
  },
  first,
  (list) =>
    studio.library.onChanged(({ models, removed, stale }) => {
      // What goes into the trash, or comes out of it, leaves the list that it was in.
      const belongs = ({ trashedAt }: ModelCard): boolean =>
        (trashedAt !== null) === (list.listed.query.trash ?? false);
      const gone = models.filter((model) => !belongs(model)).map(({ id }) => id);
      list.patch(models.filter(belongs), [...removed, ...gone], stale);
    }),
  48, // what the grid shows at its usual pictures: an answer to a key is read and drawn within a frame or two
);

export const modelSelection = new Selection(modelList);

/** Changes the query; what was chosen in the old list is let go. An undefined field is taken out. */
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

/** Milliseconds after a key until its typist is taken to look: more than between the keys of a word. */
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

/** What narrows the list, without what only orders it. */
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
export const cardSizes = { least: 104, most: 300 } as const;

const storageKey = 'likeness:library-view';

const defaultView: View = { layout: 'grid', size: 164 };

function viewIn(text: string): View {
  const kept = { ...(JSON.parse(text) as Partial<View> | null) };
  const size = Math.min(cardSizes.most, Math.max(cardSizes.least, Number(kept.size) || defaultView.size));
  return { layout: kept.layout === 'list' ? 'list' : 'grid', size };
}

function remembered(): View {
  try {
    return viewIn(localStorage.getItem(storageKey) ?? '{}');
  } catch {
    return defaultView; // storage is switched off, or somebody wrote into it
  }
}

const view = createStore(remembered());

export function changeView(changes: Partial<View>): void {
  view.set({ ...view.get(), ...changes });
  try {
    localStorage.setItem(storageKey, viewText.get());
  } catch {
    // Not kept; it holds until the page is closed.
  }
}

/** The text that is kept, and what it takes to keep another one. */
export const viewText = {
  get: (): string => JSON.stringify(view.get()),
  set: (text: string): void => changeView(viewIn(text)),
  /** Names of the settings in which this text says something else. */
  differing: (text: string): string[] => {
    const other = viewIn(text);
    return (['layout', 'size'] as const).filter((name) => other[name] !== view.get()[name]);
  },
};

export const useView = (): View => view.use();

/** How far the list was scrolled, so that a visit to a model leads back to the same spot. */
export const scrolled = { top: 0 };
