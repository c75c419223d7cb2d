import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconStarFilled } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, use } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard, ModelQuery } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { useListWindow } from '../../ui/lists/list-window.ts';
import type { Listed } from '../../ui/lists/long-list.ts';
import { isChosen, useSelection } from '../../ui/lists/selection.ts';
import { VirtualTable } from '../../ui/lists/VirtualTable.tsx';
import { useVirtualRows } from '../../ui/lists/virtual-rows.ts';
import { StateDot } from '../../ui/StateDot.tsx';
import { dragHead } from '../dragged-heads.ts';
import { Flag } from '../Flag.tsx';
import { AbsentLibraries } from '../library-queries.ts';
import { modelList, modelSelection, scrolled, search } from '../model-list.ts';
import { Thumbnail } from '../Thumbnail.tsx';
import classes from './ModelTable.module.css';

const rowHeight = 44; // pixels
const headHeight = 32; // pixels
const columns = ['name', 'rating', 'tags', 'sex', 'connection', 'created', 'size', 'state'] as const;
type Column = (typeof columns)[number];
const sorts: Partial<Record<Column, ModelQuery['sort']>> = {
  name: 'name',
  rating: 'rating',
  created: 'created',
  size: 'size',
};

/** The heads as lines, with what tells them apart. */
export function ModelTable(props: { listed: Listed<ModelCard, ModelQuery>; onOpen: (id: string) => void }) {
  const { t } = useTranslation('library');
  const { listed, onOpen } = props;
  const { query } = listed;
  const chosen = useSelection(modelSelection);
  const cells = useCells();
  const total = listed.total ?? 0;
  const rows = useVirtualRows({ total, rowHeight, headHeight, top: scrolled.top });
  useListWindow(modelList, listed, [rows.first, rows.last], rows.scroller);

  const onKey = (event: KeyboardEvent): number | undefined => {
    if (event.target !== event.currentTarget && event.key === 'Enter') return undefined; // a heading's own button
    const seen = modelSelection.key(event, { total, columns: 1, page: rows.pageSize() });
    if (seen !== undefined && seen >= 0) return seen;
    if (event.key === 'Enter') {
      const model = listed.at(chosen.cursor);
      if (model) onOpen(model.id);
    }
    return undefined;
  };

  return (
    <VirtualTable
      rows={rows}
      label={t('list')}
      className={classes.table}
      line={classes.line}
      columns={columns}
      head={{
        heading: (column) => <Heading column={column} query={query} />,
        sorted: (column) =>
          isSortedBy(column, query) ? (query.descending ? 'descending' : 'ascending') : undefined,
      }}
      at={listed.at}
      idOf={({ id }) => `model-${id}`}
      cells={cells}
      cellsOfText
      isSelected={({ id }) => isChosen(chosen, id)}
      multiselectable
      cursor={chosen.cursor}
      rowProps={({ id }, index) => ({
        onClick: (event) => modelSelection.click(event, index, total),
        onDoubleClick: () => onOpen(id),
        draggable: true,
        onDragStart: (event) => dragHead(event, id),
      })}
      onKey={onKey}
      onScroll={({ currentTarget }) => {
        scrolled.top = currentTarget.scrollTop;
      }}
    />
  );
}

const isSortedBy = (column: Column, query: ModelQuery): boolean =>
  sorts[column] !== undefined && query.sort === sorts[column];

/** A column's name; where one can sort by it, the button that does, or that turns the order round. */
function Heading({ column, query }: { column: Column; query: ModelQuery }) {
  const { t } = useTranslation('library');
  const sort = sorts[column];
  if (!sort) return t(`columns.${column}`);
  const current = isSortedBy(column, query);
  const Arrow = query.descending ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      className={classes.sort}
      onClick={() => search({ sort, descending: current ? !query.descending : sort !== 'name' })}
    >
      {t(`columns.${column}`)}
      {current && <Arrow size={13} aria-hidden />}
    </UnstyledButton>
  );
}

function useCells() {
  const { t } = useTranslation('library');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  return (model: ModelCard): Record<Column, ReactNode> => ({
    name: (
      <>
        <span className={classes.picture}>
          <Thumbnail model={model} />
        </span>
        <span className={classes.name}>{model.name}</span>
      </>
    ),
    rating: (
      <span className={classes.rating}>
        {model.flag && <Flag flag={model.flag} />}
        {model.rating > 0 && (
          <>
            {model.rating} <IconStarFilled size={11} aria-hidden />
          </>
        )}
      </span>
    ),
    tags: model.tags.join(' · '),
    sex: model.sex ? t(`sexes.${model.sex}`) : '',
    connection:
      model.source === 'import'
        ? t('sources.import')
        : model.profileId === builtInProfileId
          ? frame('builtIn')
          : model.profileName,
    created: figures.date(model.madeAt),
    size: figures.bytes(model.bytes),
    state: <ModelState model={model} />,
  });
}

/** The most severe problem of a head; empty if it has none. */
function ModelState({ model }: { model: ModelCard }) {
  const { t } = useTranslation('library');
  const absent = use(AbsentLibraries);
  if (absent.has(model.libraryId))
    return (
      <>
        <StateDot tone="idle" /> {t('away')}
      </>
    );
  if (model.state !== 'ok')
    return (
      <>
        <StateDot tone="bad" /> {t(`states.${model.state}`)}
      </>
    );
  if (!model.consentExpired) return null;
  return (
    <>
      <StateDot tone="warn" /> {t('consentExpired')}
    </>
  );
}
