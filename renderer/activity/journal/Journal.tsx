import { Button, Menu } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown, IconDownload, IconListSearch, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { Callout } from '../../ui/Callout.tsx';
import { download } from '../../ui/download.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ActivityTabs } from '../ActivityTabs.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import { EntryTable } from './EntryTable.tsx';
import { type Filters, filterOf, isFiltered, noFilters } from './filters.ts';
import { headKey } from './head-names.ts';
import classes from './Journal.module.css';
import { JournalFilters } from './JournalFilters.tsx';
import { useJournalEntries } from './journal-entries.ts';
import { useVerification, VerificationCallout } from './verification.tsx';

/** Every call that was made: narrowed, read one by one, verified, exported. */
export function Journal() {
  const { t } = useTranslation(['activity', 'app']);
  const [filters, setFilters] = useState(noFilters);
  const [settled] = useDebouncedValue(filters, 150);
  const [chosen, setChosen] = useState<JournalEntry>();
  const { query, entries, names, total, fresh, refresh } = useJournalEntries(settled);
  const { result, running, verify, forget } = useVerification();
  const narrow = (changes: Partial<Filters>): void => {
    setFilters((now) => ({ ...now, ...changes }));
    setChosen(undefined);
  };

  return (
    <>
      <PageHeader title={t('app:pages.activity')} note={<ActivityTabs current="journal" />}>
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={15} />}
          loading={running}
          onClick={verify}
        >
          {t('journal.verify')}
        </Button>
        <ExportMenu filters={filters} disabled={!total} />
      </PageHeader>
      <JournalFilters filters={filters} onChange={narrow} total={total} fetching={query.isFetching} />
      {result && <VerificationCallout result={result} onClose={forget} />}
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
        <NoEntries filtered={isFiltered(settled)} onClear={() => narrow(noFilters)} />
      ) : (
        <div className={classes.body}>
          {fresh > 0 && (
            <Button className={classes.fresh} size="compact-sm" onClick={refresh}>
              {isFiltered(settled) ? t('journal.freshSome') : t('journal.fresh', { count: fresh })}
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

/** Saves the entries that the filters let through. */
function ExportMenu({ filters, disabled }: { filters: Filters; disabled: boolean }) {
  const { t } = useTranslation('activity');
  const save = (format: 'csv' | 'jsonl'): void =>
    attempt(async () =>
      download(await studio.journal.export({ format, filter: filterOf(filters, Date.now()) })),
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          rightSection={<IconChevronDown size={14} />}
          disabled={disabled}
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
  );
}

function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('activity');
  return (
    <EmptyState
      icon={<IconListSearch size={44} stroke={1.1} />}
      title={filtered ? t('journal.noneTitle') : t('journal.emptyTitle')}
      {...(filtered ? {} : { text: t('journal.emptyText') })}
    >
      {filtered && (
        <Button variant="default" onClick={onClear}>
          {t('journal.clear')}
        </Button>
      )}
    </EmptyState>
  );
}
