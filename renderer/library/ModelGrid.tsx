import { VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconAlertTriangle, IconStarFilled } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import type { Listed } from '../ui/long-list.ts';
import { isChosen, useSelection } from '../ui/selection.ts';
import classes from './ModelGrid.module.css';
import { modelList, modelSelection, scrolled } from './model-list.ts';
import { Thumbnail } from './Thumbnail.tsx';

const padding = 14;
const gap = 8;
/** Below the picture: name and what there is to know at a glance. */
const captionHeight = 44;

/** The heads as pictures. Rows are placed outside React while they scroll, and drawn when they come into view. */
export function ModelGrid(props: {
  listed: Pick<Listed<ModelCard, unknown>, 'total' | 'shown' | 'at'>;
  size: number;
  onOpen: (id: string) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const { listed, size } = props;
  const { t } = useTranslation('library');
  const chosen = useSelection(modelSelection);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measured, width, height } = useElementSize();
  const total = listed.total ?? 0;
  const columns = Math.max(1, Math.floor((width - 2 * padding + gap) / (size + gap)));
  const cell = width > 0 ? (width - 2 * padding - (columns - 1) * gap) / columns : size;
  const rowHeight = Math.round(cell + captionHeight + gap);
  const rows = useVirtualizer({
    count: Math.ceil(total / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 3,
    paddingStart: padding,
    paddingEnd: padding,
    directDomUpdates: true,
    initialOffset: scrolled.top,
    enabled: width > 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height of a row changes
  useEffect(() => rows.measure(), [rowHeight]);
  const items = rows.getVirtualItems();
  const first = (items[0]?.index ?? 0) * columns;
  const last = Math.min(total, ((items.at(-1)?.index ?? 0) + 1) * columns) - 1;
  useEffect(() => {
    if (last >= 0) modelList.look(first, last);
  }, [first, last]);
  // Another search begins at its top.
  const { shown } = listed;
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) scroller.current?.scrollTo({ top: 0 });
    before.current = shown;
  }, [shown]);

  const onKey = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
    const seen = modelSelection.key(event, { total, columns, page });
    if (seen !== undefined && seen >= 0) rows.scrollToIndex(Math.floor(seen / columns));
    else if (event.key === 'Enter') {
      const model = listed.at(chosen.cursor);
      if (model) props.onOpen(model.id);
    } else props.onKey(event);
  };

  const cursorId = chosen.cursor >= first && chosen.cursor <= last ? listed.at(chosen.cursor)?.id : undefined;
  return (
    <div
      ref={useMergedRef(scroller, measured)}
      className={classes.scroller}
      role="listbox"
      aria-label={t('grid')}
      aria-multiselectable="true"
      aria-activedescendant={cursorId ? `model-${cursorId}` : undefined}
      tabIndex={0}
      onKeyDown={onKey}
      onScroll={({ currentTarget }) => {
        scrolled.top = currentTarget.scrollTop;
      }}
    >
      <div ref={rows.containerRef} className={classes.rows}>
        {items.map(({ index: row, key }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={row}
            className={classes.row}
            style={{ height: rowHeight, paddingInline: padding, gap }}
          >
            {Array.from({ length: Math.min(columns, total - row * columns) }, (_, column) => {
              const index = row * columns + column;
              const model = listed.at(index);
              return (
                <Card
                  key={index}
                  index={index}
                  total={total}
                  width={cell}
                  model={model}
                  selected={model !== undefined && isChosen(chosen, model.id)}
                  active={index === chosen.cursor}
                  onOpen={props.onOpen}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

const Card = memo(function Card(props: {
  index: number;
  total: number;
  width: number;
  model: ModelCard | undefined;
  selected: boolean;
  active: boolean;
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('library');
  const { index, total, width, model, selected, active } = props;
  if (!model) return <div className={classes.card} style={{ width }} aria-hidden="true" />;
  const { rating, state, consentExpired } = model;
  const flaw = state !== 'ok' ? t(`states.${state}`) : consentExpired ? t('consentExpired') : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list's keys do the same
    // biome-ignore lint/a11y/useFocusableInteractive: the list itself has the focus
    <div
      id={`model-${model.id}`}
      role="option"
      aria-selected={selected}
      aria-setsize={total}
      aria-posinset={index + 1}
      className={classes.card}
      data-active={active || undefined}
      style={{ width }}
      onClick={(event) => modelSelection.click(event, index, total)}
      onDoubleClick={() => props.onOpen(model.id)}
    >
      <span className={classes.picture} style={{ height: width }}>
        <Thumbnail model={model} />
      </span>
      <span className={classes.name}>{model.name}</span>
      <span className={classes.line}>
        {flaw ? (
          <span className={classes.flaw}>
            <IconAlertTriangle size={13} aria-hidden /> {flaw}
          </span>
        ) : (
          <>
            {rating > 0 && (
              <span className={classes.rating}>
                {rating} <IconStarFilled size={11} aria-hidden />
                <VisuallyHidden>{t('starWord', { count: rating })}</VisuallyHidden>
              </span>
            )}
            <span className={classes.quiet}>{model.tags.join(' · ')}</span>
          </>
        )}
      </span>
    </div>
  );
});
