import { ActionIcon, Button, Loader, SegmentedControl, Select, Slider, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconLayoutGrid, IconList } from '@tabler/icons-react';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard, ModelQuery } from '#contract';
import { searchFields } from '#contract/constants.ts';
import { useFigures } from '../../base/text/number-format.ts';
import type { Listed } from '../../ui/lists/long-list.ts';
import { SearchField } from '../../ui/search/SearchField.tsx';
import { SearchProblems } from '../../ui/search/SearchSyntax.tsx';
import classes from '../Library.module.css';
import {
  cardSizes,
  changeView,
  isNarrowed,
  search,
  searchAfresh,
  searchProblems,
  useView,
} from '../model-list.ts';

const sorts = ['created', 'changed', 'name', 'rating', 'size'] as const;

/** The search, the number of results, their order and layout. */
export function SearchBar({ listed }: { listed: Listed<ModelCard, ModelQuery> }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { query, total, loading } = listed;
  const problems = searchProblems.use();
  return (
    <>
      <search className={classes.search} aria-label={t('search')}>
        <SearchText asked={query.text ?? ''} />
        <span className={classes.count} role="status">
          {total === undefined ? (
            <Loader size={12} color="gray" />
          ) : (
            t('count', { count: total, shown: figures.number(total) })
          )}
          {loading && total !== undefined && <Waiting />}
        </span>
        {isNarrowed(query) && <Clear />}
        <Order sort={query.sort ?? 'created'} descending={query.descending === true} />
      </search>
      <SearchProblems problems={problems} fields={searchFields} />
    </>
  );
}

// Memoised, so that typing in the search renders only the grid again.

const SearchText = memo(function SearchText({ asked }: { asked: string }) {
  const { t } = useTranslation('library');
  const problems = searchProblems.use();
  return (
    <SearchField
      asked={asked}
      label={t('search')}
      hint={t('searchHint')}
      problems={problems}
      fields={searchFields}
      wordsOf={(field) => t(`syntax.fields.${field}`)}
      onSearch={(text) => search({ text })}
    />
  );
});

const Clear = memo(function Clear() {
  const { t } = useTranslation('library');
  return (
    <Button variant="subtle" color="gray" onClick={() => searchAfresh()}>
      {t('clear')}
    </Button>
  );
});

const Order = memo(function Order(props: { sort: (typeof sorts)[number]; descending: boolean }) {
  const { t } = useTranslation('library');
  const view = useView();
  const direction = props.descending ? t('descending') : t('ascending');
  return (
    <>
      <Select
        className={classes.sort ?? ''}
        aria-label={t('sort')}
        value={props.sort}
        allowDeselect={false}
        data={sorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
        onChange={(sort) =>
          search({
            sort: (sort ?? 'created') as ModelQuery['sort'],
            descending: sort !== 'name' || undefined,
          })
        }
      />
      <Tooltip label={direction}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={direction}
          onClick={() => search({ descending: props.descending ? undefined : true })}
        >
          {props.descending ? <IconArrowDown size={15} /> : <IconArrowUp size={15} />}
        </ActionIcon>
      </Tooltip>
      {view.layout === 'grid' && (
        <Slider
          className={classes.size ?? ''}
          size="xs"
          min={cardSizes.min}
          max={cardSizes.max}
          step={4}
          label={null}
          value={view.size}
          thumbLabel={t('pictureSize')}
          onChange={(size) => changeView({ size })}
        />
      )}
      <SegmentedControl
        aria-label={t('layout')}
        value={view.layout}
        data={[
          {
            value: 'grid' as const,
            label: <IconLayoutGrid size={15} aria-label={t('grid')} style={{ display: 'block' }} />,
          },
          {
            value: 'list' as const,
            label: <IconList size={15} aria-label={t('list')} style={{ display: 'block' }} />,
          },
        ]}
        onChange={(layout) => changeView({ layout })}
      />
    </>
  );
});

/** Shown only to those who have to wait: an answer within a moment needs no sign that it is coming. */
function Waiting() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const due = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(due);
  }, []);
  return late ? <Loader size={12} color="gray" /> : null;
}
