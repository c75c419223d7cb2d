import { Button, Loader, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { journalOutcomes, operations } from '#contract/constants.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { type Filters, isFiltered, noFilters } from './filters.ts';
import classes from './Journal.module.css';

const periods = ['all', 'day', 'week', 'month'] as const;

/** Filters of the journal, and the number of matching entries. */
export function JournalFilters(props: {
  filters: Filters;
  onChange: (changes: Partial<Filters>) => void;
  total: number | undefined;
  fetching: boolean;
}) {
  const { t } = useTranslation('activity');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const profiles = useProfiles().data ?? [];
  const { filters, onChange, total } = props;
  return (
    <search className={classes.filters} aria-label={t('journal.filters')}>
      <TextInput
        aria-label={t('journal.text')}
        placeholder={t('journal.textHint')}
        leftSection={<IconSearch size={15} />}
        value={filters.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
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
        onChange={(profileId) => onChange({ profileId: profileId ?? '' })}
      />
      <Select
        aria-label={t('journal.operation')}
        value={filters.operation}
        allowDeselect={false}
        data={[
          { value: '', label: t('journal.anyOperation') },
          ...operations.map((value) => ({ value, label: t(`operations.${value}`) })),
        ]}
        onChange={(operation) => onChange({ operation: operation ?? '' })}
      />
      <Select
        aria-label={t('journal.outcome')}
        value={filters.outcome}
        allowDeselect={false}
        data={[
          { value: '' as const, label: t('journal.anyOutcome') },
          ...journalOutcomes.map((value) => ({ value, label: t(`outcomes.${value}`) })),
        ]}
        onChange={(outcome) => onChange({ outcome: outcome ?? '' })}
      />
      <Select
        aria-label={t('journal.period')}
        value={filters.period}
        allowDeselect={false}
        data={periods.map((value) => ({ value, label: t(`journal.periods.${value}`) }))}
        onChange={(period) => onChange({ period: period ?? 'all' })}
      />
      {isFiltered(filters) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noFilters)}>
          {t('journal.clear')}
        </Button>
      )}
      <span className={classes.count} role="status">
        {props.fetching && <Loader size={12} color="gray" />}
        {total !== undefined && t('journal.count', { count: total, shown: figures.number(total) })}
      </span>
    </search>
  );
}
