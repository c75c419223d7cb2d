import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchProblem, Take, TakeQuery } from '#contract';
import { takeSearchFields, takeSorts } from '#contract/takes/take_constants.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import type { Listed } from '../../ui/lists/long-list.ts';
import { SearchField } from '../../ui/search/SearchField.tsx';
import { SearchProblems } from '../../ui/search/SearchSyntax.tsx';
import classes from './TakeList.module.css';
import { TakeRows } from './TakeRows.tsx';
import { searchTakes, takeList, takeSearchProblems, takesThereAre } from './take-list.ts';

/** The takes: searched, sorted, chosen. @param props.shown - the one that is looked at */
export function TakeList(props: { listed: Listed<Take, TakeQuery>; shown: string | undefined }) {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  const { listed } = props;
  const { query, shown, total, failure } = listed;
  const problems = takeSearchProblems.use();
  const all = takesThereAre.use();
  return (
    <nav data-take-list className={classes.list} aria-label={t('app:pages.takes')}>
      <search className={classes.search} aria-label={t('list.search')}>
        <TakeSearch asked={query.text ?? ''} problems={problems} />
        <Order query={query} />
      </search>
      <SearchProblems problems={problems} fields={takeSearchFields} />
      {failure && (
        <div className={classes.failure}>
          <ListFailure failure={failure} onRetry={() => takeList.refresh()} />
        </div>
      )}
      {total === 0 && shown.text && <p className={classes.nothing}>{t('list.nothing')}</p>}
      <TakeRows {...props} />
      <p className={classes.count} role="status">
        {total !== undefined &&
          (shown.text
            ? t('list.found', {
                count: total,
                shown: figures.number(total),
                all: figures.number(all ?? total),
              })
            : t('list.count', { count: total, shown: figures.number(total) }))}
      </p>
    </nav>
  );
}

const TakeSearch = memo(function TakeSearch(props: { asked: string; problems: readonly SearchProblem[] }) {
  const { t } = useTranslation('takes');
  return (
    <SearchField
      {...props}
      label={t('list.search')}
      hint={t('list.searchHint')}
      fields={takeSearchFields}
      wordsOf={(field) => t(`list.fields.${field}`)}
      onSearch={(text) => searchTakes({ text })}
    />
  );
});

const Order = memo(function Order({ query }: { query: TakeQuery }) {
  const { t } = useTranslation(['takes', 'library']);
  const sort = query.sort ?? 'created';
  const descending = query.descending ?? query.sort === undefined;
  const direction = descending ? t('library:descending') : t('library:ascending');
  return (
    <div className={classes.order}>
      <Select
        className={classes.sort ?? ''}
        size="xs"
        aria-label={t('library:sort')}
        value={sort}
        allowDeselect={false}
        data={takeSorts.map((value) => ({ value, label: t(`list.sorts.${value}`) }))}
        onChange={(chosen) => {
          const by = takeSorts.find((one) => one === chosen) ?? 'created';
          searchTakes({ sort: by, descending: by !== 'name' });
        }}
      />
      <Tooltip label={direction}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={direction}
          onClick={() => searchTakes({ sort, descending: !descending })}
        >
          {descending ? <IconArrowDown size={15} /> : <IconArrowUp size={15} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
});
