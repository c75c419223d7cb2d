import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconAlertTriangle, IconBan, IconBooks, IconPhotoOff } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assetUrl, type Photo } from '#contract';
import type { Listed } from '../ui/long-list.ts';
import { isChosen, useSelection } from '../ui/selection.ts';
import classes from './PhotoGrid.module.css';
import { type Filter, photoList, photoSelection, scrolled } from './photo-list.ts';

const padding = 14;
const gap = 8;
const least = 138;
/** Height to width of a portrait, and the line below it. */
const shape = 1.2;
const captionHeight = 26;

/** The tray: photos large enough to judge, each with its words and what the check found. */
export function PhotoGrid(props: {
  listed: Listed<Photo, Filter>;
  onOpen: (index: number) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const { listed } = props;
  const { t } = useTranslation('portraits');
  const chosen = useSelection(photoSelection);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measured, width, height } = useElementSize();
  const total = listed.total ?? 0;
  const columns = Math.max(1, Math.floor((width - 2 * padding + gap) / (least + gap)));
  const cell = width > 0 ? (width - 2 * padding - (columns - 1) * gap) / columns : least;
  const rowHeight = Math.round(cell * shape + captionHeight + gap);
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
    if (last >= 0) photoList.look(first, last);
  }, [first, last]);
  const { shown } = listed;
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) scroller.current?.scrollTo({ top: 0 });
    before.current = shown;
  }, [shown]);

  const onKey = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
    const seen = photoSelection.key(event, { total, columns, page });
    if (seen !== undefined && seen >= 0) rows.scrollToIndex(Math.floor(seen / columns));
    else if (event.key === 'Enter') props.onOpen(Math.max(0, chosen.cursor));
    else props.onKey(event);
  };
  const cursorId = chosen.cursor >= first && chosen.cursor <= last ? listed.at(chosen.cursor)?.id : undefined;
  return (
    <div
      ref={useMergedRef(scroller, measured)}
      className={classes.scroller}
      role="listbox"
      aria-label={t('grid')}
      aria-multiselectable="true"
      aria-activedescendant={cursorId ? `photo-${cursorId}` : undefined}
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
              const photo = listed.at(index);
              return (
                <Cell
                  key={index}
                  index={index}
                  total={total}
                  width={cell}
                  photo={photo}
                  selected={photo !== undefined && isChosen(chosen, photo.id)}
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

const Cell = memo(function Cell(props: {
  index: number;
  total: number;
  width: number;
  photo: Photo | undefined;
  selected: boolean;
  active: boolean;
  onOpen: (index: number) => void;
}) {
  const { t } = useTranslation('portraits');
  const { index, total, width, photo, selected, active } = props;
  const [unreadable, setUnreadable] = useState(false);
  if (!photo) return <div className={classes.cell} style={{ width }} aria-hidden="true" />;
  const { sex, eyelidType, check, findings, inLibrary } = photo;
  const name = photo.name || photo.fileName;
  const found = findings.map(({ code }) => t(`findings.${code}`)).join(', ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list's keys do the same
    // biome-ignore lint/a11y/useFocusableInteractive: the list itself has the focus
    <div
      id={`photo-${photo.id}`}
      role="option"
      aria-selected={selected}
      aria-setsize={total}
      aria-posinset={index + 1}
      className={classes.cell}
      data-active={active || undefined}
      style={{ width }}
      onClick={(event) => photoSelection.click(event, index, total)}
      onDoubleClick={() => props.onOpen(index)}
    >
      {/* First for those who hear it, below for those who see it. */}
      <span className={classes.name}>{name}</span>
      <span className={classes.photo} data-check={check} style={{ height: width * shape }}>
        {unreadable ? (
          <IconPhotoOff size={28} stroke={1.3} aria-hidden />
        ) : (
          <img
            src={assetUrl(photo.id, 'photo-small')}
            alt=""
            decoding="async"
            draggable={false}
            onError={() => setUnreadable(true)}
          />
        )}
        <span className={classes.tags}>
          <span data-missing={!sex || undefined}>{sex ? t(sex) : t('sexUnset')}</span>
          {eyelidType && <span>{t(eyelidType)}</span>}
        </span>
        {check === 'pending' && <span className={classes.pending}>{t('checks.pending')}</span>}
        {found && (
          <span className={classes.found} data-check={check} title={found}>
            {check === 'blocked' ? (
              <IconBan size={14} aria-hidden />
            ) : (
              <IconAlertTriangle size={14} aria-hidden />
            )}
            <span>{found}</span>
          </span>
        )}
        {inLibrary && !found && (
          <span className={classes.found} data-check="known" title={t('inLibrary')}>
            <IconBooks size={14} aria-hidden />
            <span>{t('inLibrary')}</span>
          </span>
        )}
      </span>
    </div>
  );
});
