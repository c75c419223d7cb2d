import { Button, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { photoSorts } from '#contract/constants.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { useFolders } from '../batch-state.ts';
import classes from '../Portraits.module.css';
import { type Filter, filterPhotos } from './photo-list.ts';

const checks = ['pending', 'ok', 'warning', 'blocked'] as const satisfies readonly Photo['check'][];
const sexes = ['female', 'male', 'unset'] as const;

export const isNarrowed = ({ sort: _order, ...filter }: Filter): boolean => Object.keys(filter).length > 0;

export const clearFilter = (): void =>
  filterPhotos({ text: undefined, sex: undefined, check: undefined, folder: undefined });

/** Filters and order of the photos, and the number of matching ones. */
export function TrayFilters({ filter, total }: { filter: Filter; total: number | undefined }) {
  const figures = useFigures();
  const { t } = useTranslation('portraits');
  const overview = useBatchOverview().data;
  const folders = useFolders().data ?? [];
  const [text, setText] = useState(filter.text ?? '');
  if (text.trim() !== (filter.text ?? '')) setText(filter.text ?? '');
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <TextInput
        type="search"
        className={classes.text ?? ''}
        aria-label={t('filterText')}
        placeholder={t('filterText')}
        leftSection={<IconSearch size={15} />}
        value={text}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          filterPhotos({ text: currentTarget.value.trim() || undefined });
        }}
      />
      <Select
        className={classes.filter ?? ''}
        aria-label={t('sex')}
        value={filter.sex ?? ''}
        allowDeselect={false}
        data={[
          { value: '' as const, label: t('anySex') },
          ...sexes.map((value) => ({
            value,
            label: value === 'unset' ? t('untaggedOnly', { count: overview?.untagged ?? 0 }) : t(value),
          })),
        ]}
        onChange={(sex) => filterPhotos({ sex: sex || undefined })}
      />
      <Select
        className={classes.filter ?? ''}
        aria-label={t('check')}
        value={filter.check ?? ''}
        allowDeselect={false}
        data={[
          { value: '' as const, label: t('anyCheck') },
          ...checks.map((value) => ({
            value,
            label: t('checkCount', { name: t(`checks.${value}`), count: overview?.checks[value] ?? 0 }),
          })),
          {
            value: 'usable' as const,
            label: t('checkCount', {
              name: t('usable'),
              count: (overview?.photos ?? 0) - (overview?.checks.blocked ?? 0),
            }),
          },
        ]}
        onChange={(check) => filterPhotos({ check: check || undefined })}
      />
      {folders.length > 1 && (
        <Select
          className={classes.filter ?? ''}
          aria-label={t('folder')}
          value={filter.folder === undefined ? '*' : `/${filter.folder}`}
          allowDeselect={false}
          searchable={folders.length > 8}
          data={[
            { value: '*', label: t('anyFolder') },
            ...folders.map(({ folder, photos }) => ({
              value: `/${folder}`,
              label: t('checkCount', { name: folder || t('topFolder'), count: photos }),
            })),
          ]}
          onChange={(folder) =>
            filterPhotos({ folder: folder && folder !== '*' ? folder.slice(1) : undefined })
          }
        />
      )}
      <Select
        className={classes.filter ?? ''}
        aria-label={t('sort')}
        value={filter.sort ?? 'name'}
        allowDeselect={false}
        data={photoSorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
        onChange={(sort) => filterPhotos({ sort: sort === 'name' ? undefined : (sort ?? undefined) })}
      />
      <span className={classes.count} role="status">
        {total !== undefined && t('photos', { count: total, shown: figures.number(total) })}
      </span>
      {isNarrowed(filter) && (
        <Button variant="subtle" color="gray" onClick={clearFilter}>
          {t('clearFilter')}
        </Button>
      )}
    </search>
  );
}
