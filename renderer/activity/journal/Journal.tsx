import { Button, Loader, Menu, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconChevronDown,
  IconDownload,
  IconListSearch,
  IconSearch,
  IconShieldCheck,
} from '@tabler/icons-react';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, JournalEntry } from '#contract';
import { journalOutcomes, operations } from '#contract/constants.ts';
import { attempt, tellFailure } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { profileName } from '../../base/profile-name.ts';
import { go, useRoute } from '../../base/route.ts';
import { worded } from '../../base/sentence-text.ts';
import { studio } from '../../base/studio.ts';
import { queryClient, useProfiles } from '../../base/studio-queries.ts';
import { Callout } from '../../ui/Callout.tsx';
import { download } from '../../ui/download.ts';
import { EmptyPlace } from '../../ui/EmptyPlace.tsx';
import { PlaceHeader } from '../../ui/PlaceHeader.tsx';
import { ActivityTabs } from '../ActivityTabs.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import { EntryTable } from './EntryTable.tsx';
import { type Filters, filterOf, noFilters } from './filters.ts';
import { headKey, headsOf } from './head-names.ts';
import classes from './Journal.module.css';

const pageSize = 200;
const periods = ['all', 'day', 'week', 'month'] as const;

/** Entries as they are scrolled to, newest first; new ones are counted until they are asked for. */
function useEntries(filters: Filters) {
  const [fresh, setFresh] = useState(0);
  const query = useInfiniteQuery({
    queryKey: ['journal', filters],
    queryFn: ({ pageParam }) =>
      studio.journal.entries({
        limit: pageSize,
        filter: filterOf(filters, Date.now()),
        ...(pageParam ? { before: pageParam } : {}),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ entries }) => (entries.length < pageSize ? undefined : entries.at(-1)?.sequence),
    gcTime: 0,
  });
  const pages = query.data?.pages.length ?? 0;
  const pagesNow = useRef(pages);
  pagesNow.current = pages;

  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = studio.journal.onAppended(() => {
      // Whoever has scrolled into the past is reading: the list must not move under them.
      if (pagesNow.current > 1) setFresh((count) => count + 1);
      else
        due ??= setTimeout(() => {
          due = undefined;
          queryClient.invalidateQueries({ queryKey: ['journal'] }).catch(tellFailure);
        }, 400);
    });
    return () => {
      clearTimeout(due);
      end();
    };
  }, []);

  const refresh = (): void => {
    setFresh(0);
    queryClient.resetQueries({ queryKey: ['journal'] }).catch(tellFailure);
  };
  return { query, fresh, refresh };
}

const noPages: readonly { entries: JournalEntry[] }[] = [];

/**
 * Names of the heads that these pages are about, by `headKey`; they
 * come after the entries, which wait for nobody.
 */
function useHeadNames(pages: readonly { entries: JournalEntry[] }[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: pages
      .map(({ entries }) => headsOf(entries))
      .filter(({ length }) => length > 0)
      .map((subjects) => ({
        queryKey: ['journal', 'names', subjects],
        queryFn: () => studio.journal.namesOf({ subjects }),
      })),
    combine: namesOf,
  });
}

const namesOf = (
  results: readonly { data: CallOutput<'journal', 'namesOf'> | undefined }[],
): ReadonlyMap<string, string> =>
  new Map(results.flatMap(({ data }) => data ?? []).map((one) => [headKey(one), one.name]));

export function Journal() {
  const { t } = useTranslation(['activity', 'app']);
  const { t: words } = useTranslation('activity');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const { rest } = useRoute();
  const profiles = useProfiles().data ?? [];
  const [filters, setFilters] = useState(noFilters);
  const [settled] = useDebouncedValue(filters, 150);
  const [chosen, setChosen] = useState<JournalEntry>();
  const [verdict, setVerdict] = useState<CallOutput<'journal', 'verify'> | 'running'>();
  const { query, fresh, refresh } = useEntries(settled);

  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const names = useHeadNames(query.data?.pages ?? noPages);
  const total = query.data?.pages[0]?.total ?? 0;
  const filtered = JSON.stringify(filters) !== JSON.stringify(noFilters);
  const set = (changes: Partial<Filters>): void => {
    setFilters((now) => ({ ...now, ...changes }));
    setChosen(undefined);
  };

  const verify = async (): Promise<void> => {
    setVerdict('running');
    try {
      setVerdict(await studio.journal.verify());
    } catch (thrown) {
      setVerdict(undefined);
      tellFailure(thrown);
    }
  };
  const askedToVerify = rest[1] === 'verify';
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by the address
  useEffect(() => {
    if (!askedToVerify) return;
    attempt(verify);
    go('activity', 'journal');
  }, [askedToVerify]);

  const save = (format: 'csv' | 'jsonl'): void =>
    attempt(async () =>
      download(await studio.journal.export({ format, filter: filterOf(filters, Date.now()) })),
    );

  return (
    <>
      <PlaceHeader title={t('app:places.activity')} note={<ActivityTabs current="journal" />}>
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={15} />}
          loading={verdict === 'running'}
          onClick={() => attempt(verify)}
        >
          {t('journal.verify')}
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconDownload size={15} />}
              rightSection={<IconChevronDown size={14} />}
              disabled={total === 0}
            >
              {t('journal.export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t('journal.exportNote')}</Menu.Label>
            <Menu.Item onClick={() => save('csv')}>{t('journal.csv')}</Menu.Item>
            <Menu.Item onClick={() => save('jsonl')}>{t('journal.jsonl')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </PlaceHeader>

      <search className={classes.filters} aria-label={t('journal.filters')}>
        <TextInput
          aria-label={t('journal.text')}
          placeholder={t('journal.textHint')}
          leftSection={<IconSearch size={15} />}
          value={filters.text}
          onChange={({ currentTarget }) => set({ text: currentTarget.value })}
          className={classes.text}
        />
        <Select
          aria-label={t('journal.connection')}
          value={filters.profileId}
          allowDeselect={false}
          data={[
            { value: '', label: t('journal.anyConnection') },
            ...profiles.map((profile) => ({ value: profile.id, label: profileName(frame, profile) })),
          ]}
          onChange={(profileId) => set({ profileId: profileId ?? '' })}
        />
        <Select
          aria-label={t('journal.operation')}
          value={filters.operation}
          allowDeselect={false}
          data={[
            { value: '', label: t('journal.anyOperation') },
            ...operations.map((value) => ({ value, label: words(`operations.${value}`) })),
          ]}
          onChange={(operation) => set({ operation: operation ?? '' })}
        />
        <Select
          aria-label={t('journal.outcome')}
          value={filters.outcome}
          allowDeselect={false}
          data={[
            { value: '' as const, label: t('journal.anyOutcome') },
            ...journalOutcomes.map((value) => ({ value, label: words(`outcomes.${value}`) })),
          ]}
          onChange={(outcome) => set({ outcome: outcome ?? '' })}
        />
        <Select
          aria-label={t('journal.period')}
          value={filters.period}
          allowDeselect={false}
          data={periods.map((value) => ({ value, label: words(`journal.periods.${value}`) }))}
          onChange={(period) => set({ period: period ?? 'all' })}
        />
        {filtered && (
          <Button variant="subtle" color="gray" onClick={() => set(noFilters)}>
            {t('journal.clear')}
          </Button>
        )}
        <span className={classes.count} role="status">
          {query.isFetching && <Loader size={12} color="gray" />}
          {t('journal.count', { count: total, shown: figures.number(total) })}
        </span>
      </search>

      {verdict && verdict !== 'running' && (
        <div className={classes.verdict}>
          <Callout
            tone={verdict.ok ? 'good' : 'bad'}
            title={verdict.ok ? t('journal.intact') : t('journal.broken')}
            action={
              <Button variant="subtle" color="gray" onClick={() => setVerdict(undefined)}>
                {t('app:actions.close')}
              </Button>
            }
          >
            {worded(verdict.detail)}{' '}
            {verdict.firstBroken !== null &&
              t('journal.brokenAt', { sequence: figures.number(verdict.firstBroken) })}
          </Callout>
        </div>
      )}
      {query.isError && (
        <div className={classes.verdict}>
          <Callout
            tone="bad"
            title={query.error.message}
            action={
              <Button variant="default" onClick={refresh}>
                {t('app:actions.retry')}
              </Button>
            }
          />
        </div>
      )}

      {entries.length === 0 && query.isSuccess ? (
        <EmptyPlace
          icon={<IconListSearch size={44} stroke={1.1} />}
          title={filtered ? t('journal.noneTitle') : t('journal.emptyTitle')}
          {...(filtered ? {} : { text: t('journal.emptyText') })}
        >
          {filtered && (
            <Button variant="default" onClick={() => set(noFilters)}>
              {t('journal.clear')}
            </Button>
          )}
        </EmptyPlace>
      ) : (
        <div className={classes.body}>
          {fresh > 0 && (
            <Button className={classes.fresh} size="compact-sm" onClick={refresh}>
              {t('journal.fresh', { count: fresh })}
            </Button>
          )}
          <EntryTable
            entries={entries}
            names={names}
            more={query.hasNextPage}
            chosen={chosen?.sequence}
            onChoose={setChosen}
            onNearEnd={() => {
              if (query.hasNextPage && !query.isFetchingNextPage) attempt(() => query.fetchNextPage());
            }}
          />
          {chosen && (
            <EntryDetails
              entry={chosen}
              name={names.get(headKey(chosen))}
              onClose={() => setChosen(undefined)}
            />
          )}
        </div>
      )}
    </>
  );
}
