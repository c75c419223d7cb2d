import { UnstyledButton } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconStarFilled } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, use, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard, ModelQuery } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { useFigures } from '../../base/number-format.ts';
import { useListWindow } from '../../ui/lists/list-window.ts';
import type { Listed } from '../../ui/lists/long-list.ts';
import { isChosen, useSelection } from '../../ui/lists/selection.ts';
import { StateDot } from '../../ui/StateDot.tsx';
import { dragHead } from '../dragged-heads.ts';
import { Flag } from '../Flag.tsx';
import { AbsentLibraries } from '../library-queries.ts';
import { modelList, modelSelection, scrolled, search } from '../model-list.ts';
import { Thumbnail } from '../Thumbnail.tsx';
import classes from './ModelTable.module.css';

const rowHeight = 44; // pixels; also in the style sheet
const columns = ['name', 'rating', 'tags', 'sex', 'connection', 'created', 'size', 'state'] as const;
const sorts: Partial<Record<(typeof columns)[number], ModelQuery['sort']>> = {
  name: 'name',
  rating: 'rating',
  created: 'created',
  size: 'size',
};

/** The heads as lines, with what tells them apart. Only what is on the screen is drawn. */
export function ModelTable(props: {
  listed: Listed<ModelCard, ModelQuery>;
  onOpen: (id: string) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const { t } = useTranslation('library');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const { listed, onOpen } = props;
  const { query } = listed;
  const chosen = useSelection(modelSelection);
  const absent = use(AbsentLibraries);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measured, height } = useElementSize();
  const total = listed.total ?? 0;
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: 32,
    initialOffset: scrolled.top,
  });
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useListWindow(modelList, listed, [first, last], scroller);

  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget && event.key === 'Enter') return; // a heading's own button
    const page = Math.max(1, Math.floor(height / rowHeight) - 2);
    const seen = modelSelection.key(event, { total, columns: 1, page });
    if (seen !== undefined && seen >= 0) rows.scrollToIndex(seen);
    else if (event.key === 'Enter') {
      const model = listed.at(chosen.cursor);
      if (model) onOpen(model.id);
    } else props.onKey(event);
  };
  const cursorId = chosen.cursor >= first && chosen.cursor <= last ? listed.at(chosen.cursor)?.id : undefined;
  const cellsOf = (model: ModelCard): Record<(typeof columns)[number], ReactNode> => ({
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
    created: figures.date(model.createdAt),
    size: figures.bytes(model.bytes),
    state: absent.has(model.libraryId) ? (
      <>
        <StateDot tone="idle" /> {t('away')}
      </>
    ) : model.state !== 'ok' ? (
      <>
        <StateDot tone="bad" /> {t(`states.${model.state}`)}
      </>
    ) : model.consentExpired ? (
      <>
        <StateDot tone="warn" /> {t('consentExpired')}
      </>
    ) : (
      ''
    ),
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
    <div
      ref={useMergedRef(scroller, measured)}
      className={classes.scroller}
      role="grid"
      aria-label={t('list')}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      aria-activedescendant={cursorId ? `model-${cursorId}` : undefined}
      tabIndex={0}
      onKeyDown={onKey}
      onScroll={({ currentTarget }) => {
        scrolled.top = currentTarget.scrollTop;
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
      <div role="row" aria-rowindex={1} className={classes.head}>
        {columns.map((column) => {
          const sort = sorts[column];
          const current = sort !== undefined && query.sort === sort;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
            // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
            <div
              key={column}
              role="columnheader"
              data-column={column}
              aria-sort={current ? (query.descending ? 'descending' : 'ascending') : undefined}
            >
              {sort ? (
                <UnstyledButton
                  className={classes.sort}
                  onClick={() => search({ sort, descending: current ? !query.descending : sort !== 'name' })}
                >
                  {t(`columns.${column}`)}
                  {current &&
                    (query.descending ? (
                      <IconArrowDown size={13} aria-hidden />
                    ) : (
                      <IconArrowUp size={13} aria-hidden />
                    ))}
                </UnstyledButton>
              ) : (
                t(`columns.${column}`)
              )}
            </div>
          );
        })}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      <div role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const model = listed.at(index);
          if (!model) return null;
          const cells = cellsOf(model);
          return (
            // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid's keys do the same
            <div
              key={model.id}
              id={`model-${model.id}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isChosen(chosen, model.id)}
              data-active={index === chosen.cursor || undefined}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
              onClick={(event) => modelSelection.click(event, index, total)}
              onDoubleClick={() => onOpen(model.id)}
              draggable
              onDragStart={(event) => dragHead(event, model.id)}
            >
              {columns.map((column) => (
                // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
                // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
                <div key={column} role="gridcell" data-column={column}>
                  {cells[column]}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
