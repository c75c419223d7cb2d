/**
 * React queries of the studio's rooms: each is fetched once and then kept current by the room's events,
 * without polling.
 */
import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  AnalysisProgress,
  AppInfo,
  BatchOverview,
  EngineStatus,
  ImageSubmission,
  KeyStoreState,
  Latency,
  OpenPage,
  Profile,
  Settings,
  Take,
  Updates,
  Usage,
} from '#contract';
import { followConnection, onStudioBack } from './connection.ts';
import { studio } from './studio.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Heads that the engine makes to show a look: they are not work for other programs. */
export const headPreviewsKey = ['head-preview'] as const;

const once = { staleTime: Number.POSITIVE_INFINITY } as const;

export const useSettings = (): Settings => {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: () => studio.app.settings(), ...once });
  if (!data) throw new Error('Settings are read before the first render; they are missing.');
  return data;
};
export async function changeSettings(changes: Partial<Settings>): Promise<void> {
  queryClient.setQueryData(['settings'], await studio.app.changeSettings(changes));
}

/**
 * Changes settings by what they are: made anew from the latest where another window, or an earlier click, was
 * quicker.
 */
export async function changeSettingsBy(change: (settings: Settings) => Partial<Settings>): Promise<void> {
  for (;;) {
    const { settings: now, revision } = await studio.app.settingsRevision();
    const changes = change(now);
    if (Object.keys(changes).length === 0) return;
    const { isChanged, settings } = await studio.app.changeSettingsFrom({ revision, changes });
    queryClient.setQueryData(['settings'], settings);
    if (isChanged) return;
  }
}

export const useAppInfo = (): UseQueryResult<AppInfo> =>
  useQuery({ queryKey: ['app-info'], queryFn: () => studio.app.info(), ...once });
export const useUpdates = (): UseQueryResult<Updates> =>
  useQuery({ queryKey: ['updates'], queryFn: () => studio.app.updates() });
/** The open pages; refused on the desktop. */
export const useOpenPages = (): UseQueryResult<OpenPage[]> =>
  useQuery({ queryKey: ['open-pages'], queryFn: () => studio.app.openPages() });
export const useProfiles = (): UseQueryResult<Profile[]> =>
  useQuery({ queryKey: ['profiles'], queryFn: () => studio.connections.list() });
export const useKeyStore = (): UseQueryResult<KeyStoreState> =>
  useQuery({ queryKey: ['key-store'], queryFn: () => studio.connections.keyStore() });
export const useEngine = (): UseQueryResult<EngineStatus> =>
  useQuery({ queryKey: ['engine'], queryFn: () => studio.engine.status() });

/** Null of what is not there; any other failure is one. */
function noneThere(thrown: unknown): null {
  if ((thrown as { code?: unknown }).code === 'not_found') return null;
  throw thrown;
}

/**
 * A take; null where there is none (any more).
 *
 * @param until what is given while it is read
 * @param known as it is known from elsewhere: given at once, and read all the same
 */
export const useTake = (
  id: string | undefined,
  until?: (before: Take | null | undefined) => Take | null | undefined,
  known?: () => Take | undefined,
): UseQueryResult<Take | null> =>
  useQuery<Take | null>({
    queryKey: ['take', id],
    queryFn: () => (id === undefined ? null : studio.takes.take({ id }).catch(noneThere)),
    ...(until && { placeholderData: until }),
    ...(known && {
      initialData: known,
      initialDataUpdatedAt: 0,
      staleTime: ({ state }) => (state.dataUpdatedAt > 0 ? Number.POSITIVE_INFINITY : 0),
    }),
  });

/** Counts of the tray and the queue. */
export const useBatchOverview = (): UseQueryResult<BatchOverview> =>
  useQuery({ queryKey: ['batch', 'overview'], queryFn: () => studio.batch.overview() });

/** The series of images that is being sent now; null: none. */
export const useImageSubmission = (): ImageSubmission | null =>
  useQuery({
    queryKey: ['batch', 'images'],
    queryFn: async () => (await studio.batch.imageTasks({ offset: 0, limit: 1 })).submission,
  }).data ?? null;
/** Takes that are being analysed. */
export const useAnalyses = (): readonly AnalysisProgress[] =>
  useQuery({ queryKey: ['analyses'], queryFn: () => studio.takes.analyses() }).data?.filter(isRunning) ?? [];
const isRunning = ({ stage }: AnalysisProgress): boolean =>
  stage !== 'done' && stage !== 'stopped' && stage !== 'failed';

export const useLatency = (days: number): UseQueryResult<Latency> =>
  useQuery({ queryKey: ['latency', days], queryFn: () => studio.journal.latency({ days }) });
export const useUsage = (month: string): UseQueryResult<Usage> =>
  useQuery({ queryKey: ['usage', month], queryFn: () => studio.journal.usage({ month }) });

/** The calendar month, UTC, that caps are counted in: `2026-11`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Keeps the queries current; returns its end. */
export function followRooms(): () => void {
  const put =
    (...key: string[]) =>
    (value: unknown) =>
      queryClient.setQueryData(key, value);
  // A burst of calls must not fetch a summary after each: once a second is enough.
  let summaryDue: ReturnType<typeof setTimeout> | undefined;
  const ends = [
    followConnection(),
    onStudioBack(() => void queryClient.invalidateQueries()),
    studio.app.onSettingsChanged(put('settings')),
    studio.app.onUpdatesChanged(put('updates')),
    studio.app.onOpenPagesChanged(put('open-pages')),
    studio.connections.onChanged(put('profiles')),
    studio.connections.onKeyStoreChanged(put('key-store')),
    studio.engine.onChanged(put('engine')),
    studio.takes.onChanged(({ takes, removed, stale }) => {
      for (const take of takes) put('take', take.id)(take);
      for (const id of removed) put('take', id)(null);
      const others = stale ? [['take'], ['takes-trash']] : [['takes-trash']];
      for (const queryKey of others) queryClient.invalidateQueries({ queryKey }).catch(() => undefined);
    }),
    studio.takes.onAnalysis((update) =>
      queryClient.setQueryData<AnalysisProgress[]>(['analyses'], (before = []) => [
        ...before.filter(({ id }) => id !== update.id),
        ...(isRunning(update) ? [update] : []),
      ]),
    ),
    studio.batch.onChanged(({ overview }) => put('batch', 'overview')(overview)),
    studio.batch.onImagesChanged(put('batch', 'images')),
    studio.journal.onAppended(() => {
      summaryDue ??= setTimeout(() => {
        summaryDue = undefined;
        for (const queryKey of [['latency'], ['usage']])
          queryClient.invalidateQueries({ queryKey }).catch(() => undefined);
      }, 1000);
    }),
  ];
  return () => {
    clearTimeout(summaryDue);
    for (const end of ends) end();
  };
}
