import { ActionIcon, Menu, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconSearch, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchProblem, Take, TakeQuery } from '#contract';
import { takeSearchFields, takeSorts } from '#contract/takes/take_constants.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import type { Listed } from '../../ui/lists/long-list.ts';
import { SearchField } from '../../ui/search/SearchField.tsx';
import { SearchProblems } from '../../ui/search/SearchSyntax.tsx';
import { ToolButton } from '../../ui/ToolButton.tsx';
import { TakesTrash } from '../TakesTrash.tsx';
import classes from './TakeList.module.css';
import { TakeRows } from './TakeRows.tsx';
import { searchTakes, takeList, takeSearchProblems, takesThereAre } from './take-list.ts';

/**
 * The takes: searched, sorted, selected.
 *
 * @param props.shown - the one that is open
 */
export function TakeList(props: {
  id: string;
  listed: Listed<Take, TakeQuery>;
  shown: string | undefined;
  /** Thumbnails alone; `onOpen` shows the whole list over the stage. */
  isStrip: boolean;
  onOpen: () => void;
}) {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  const { listed, isStrip } = props;
  const { query, shown, total, failure } = listed;
  const problems = takeSearchProblems.use();
  const all = takesThereAre.use();
  const count =
    total === undefined
      ? ''
      : shown.text
        ? t('list.found', {
            count: total,
            shown: figures.number(total),
            all: figures.number(all ?? total),
          })
        : t('list.count', { count: total, shown: figures.number(total) });
  return (
    <nav id={props.id} data-take-list className={classes.list} aria-label={t('app:pages.takes')}>
      {isStrip ? (
        <div className={classes.more}>
          <ToolButton label={t('list.search')} icon={IconSearch} onClick={props.onOpen} />
        </div>
      ) : (
        <search className={classes.search} aria-label={t('list.search')}>
          <TakeSearch asked={query.text ?? ''} problems={problems} />
          <Order query={query} />
        </search>
      )}
      {!isStrip && <SearchProblems problems={problems} fields={takeSearchFields} />}
      {failure && !isStrip && (
        <div className={classes.failure}>
          <ListFailure failure={failure} onRetry={() => takeList.refresh()} />
        </div>
      )}
      {total === 0 && shown.text && !isStrip && <p className={classes.nothing}>{t('list.nothing')}</p>}
      <TakeRows listed={listed} shown={props.shown} isStrip={isStrip} />
      <div className={classes.foot} data-strip={isStrip || undefined}>
        {isStrip ? (
          <VisuallyHidden role="status">{count}</VisuallyHidden>
        ) : (
          <p className={classes.count} role="status">
            {count}
          </p>
        )}
        <TakesTrash isIcon />
      </div>
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
  const Picture = descending ? IconSortDescending : IconSortAscending;
  const label = `${t('library:sort')}: ${t(`list.sorts.${sort}`)}, ${descending ? t('library:descending') : t('library:ascending')}`;
  const picked = <IconCheck size={14} />;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon variant="default" size={30} aria-label={label}>
            <Picture size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {takeSorts.map((by) => (
          <Menu.Item
            key={by}
            rightSection={by === sort ? picked : null}
            onClick={() => searchTakes({ sort: by, descending: by !== 'name' })}
          >
            {t(`list.sorts.${by}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {[true, false].map((down) => (
          <Menu.Item
            key={String(down)}
            rightSection={down === descending ? picked : null}
            onClick={() => searchTakes({ sort, descending: down })}
          >
            {down ? t('library:descending') : t('library:ascending')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
