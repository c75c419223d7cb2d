import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ComponentType, type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { useListWindow } from './list-window.ts';
import type { Listed, LongList } from './long-list.ts';
import classes from './PictureGrid.module.css';
import { isChosen, type Selection, useSelection } from './selection.ts';

/** Space around the pictures and between them, CSS pixels. */
const loose = { padding: 16, gap: 12 };
const dense = { padding: 14, gap: 8 };

type Cell<T> = ComponentType<{ item: T; width: number }>;

/**
 * A long list as pictures side by side, chosen from by mouse and keyboard. Rows are placed outside React
 * while they scroll, and drawn when they come into view.
 */
export function PictureGrid<T extends { id: string }, Q>(props: {
  list: LongList<T, Q>;
  listed: Listed<T, Q>;
  selection: Selection;
  label: string;
  /** Pixels that a cell has across at least; they share what is left of a row. */
  least: number;
  /** Pixels that a cell takes down, by those that it has across. */
  heightOf: (width: number) => number;
  /** Content of an item. It draws `--ring` as the outline of its picture. */
  cell: Cell<T>;
  /** Kept while another page is shown, so that the way back leads to the same spot. */
  scrolled: { top: number };
  onOpen: (index: number, item: T) => void;
  /**
   * Where cells have buttons of their own: what a cell is called. It is a cell of a table then, because an
   * option may hold nothing that is pressed.
   */
  nameOf?: (item: T, index: number) => string;
}) {
  const { list, listed, selection, least, scrolled, onOpen, nameOf } = props;
  const { padding, gap } = nameOf ? loose : dense;
  const chosen = useSelection(selection);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measured, width, height } = useElementSize();
  const total = listed.total ?? 0;
  const columns = Math.max(1, Math.floor((width - 2 * padding + gap) / (least + gap)));
  const across = width > 0 ? (width - 2 * padding - (columns - 1) * gap) / columns : least;
  const rowHeight = Math.round(props.heightOf(across) + gap);
  const rows = useVirtualizer({
    count: Math.ceil(total / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 3,
    paddingStart: padding,
    paddingEnd: padding,
    // The first and last row come into view with the space around them.
    scrollPaddingStart: padding,
    scrollPaddingEnd: padding,
    directDomUpdates: true,
    initialOffset: scrolled.top,
    enabled: width > 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height of a row changes
  useEffect(() => rows.measure(), [rowHeight]);
  const items = rows.getVirtualItems();
  const first = (items[0]?.index ?? 0) * columns;
  const last = Math.min(total, ((items.at(-1)?.index ?? 0) + 1) * columns) - 1;
  useListWindow(list, listed, [first, last], scroller);

  const onKey = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
    const seen = selection.key(event, { total, columns, page });
    if (seen !== undefined && seen >= 0) rows.scrollToIndex(Math.floor(seen / columns));
    else if (event.key === 'Enter') {
      const index = Math.max(0, chosen.cursor);
      const item = listed.at(index);
      if (item) onOpen(index, item);
    }
  };

  const atCursor = chosen.cursor >= first && chosen.cursor <= last ? listed.at(chosen.cursor) : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a list of options, or a grid
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above; the linter knows no role that is chosen
    <div
      ref={useMergedRef(scroller, measured)}
      className={classes.scroller}
      role={nameOf ? 'grid' : 'listbox'}
      aria-label={props.label}
      aria-multiselectable="true"
      aria-rowcount={nameOf && Math.ceil(total / columns)}
      aria-activedescendant={atCursor && optionId(atCursor)}
      tabIndex={0}
      onKeyDown={onKey}
      onClick={({ target }) => {
        const isOnItem = target instanceof Element && target.closest(`.${classes.option}`) !== null;
        if (!isOnItem) selection.clear();
      }}
      onScroll={({ currentTarget }) => {
        scrolled.top = currentTarget.scrollTop;
      }}
    >
      <div ref={rows.containerRef} className={classes.rows} role={nameOf && 'rowgroup'}>
        {items.map(({ index: row, key }) => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a row where it has an index
          <div
            key={key}
            ref={rows.measureElement}
            data-index={row}
            role={nameOf && 'row'}
            aria-rowindex={nameOf && row + 1}
            className={classes.row}
            style={{ height: rowHeight, paddingInline: padding, gap }}
          >
            {Array.from({ length: Math.min(columns, total - row * columns) }, (_, column) => {
              const index = row * columns + column;
              const item = listed.at(index);
              return (
                <Option
                  // Cells stay when items move: what a cell remembers goes by its item's id.
                  key={index}
                  index={index}
                  total={total}
                  width={across}
                  item={item}
                  selection={selection}
                  selected={item !== undefined && isChosen(chosen, item.id)}
                  active={index === chosen.cursor}
                  name={item && nameOf?.(item, index)}
                  column={column + 1}
                  cell={props.cell as Cell<{ id: string }>}
                  onOpen={onOpen as (index: number, item: { id: string }) => void}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

const optionId = ({ id }: { id: string }): string => `option-${id}`;

const Option = memo(function Option(props: {
  index: number;
  total: number;
  width: number;
  /** Undefined until its page is here: the place is kept. */
  item: { id: string } | undefined;
  selection: Selection;
  selected: boolean;
  active: boolean;
  /** Given where it is a cell of a table. */
  name: string | undefined;
  column: number;
  cell: Cell<{ id: string }>;
  onOpen: (index: number, item: { id: string }) => void;
}) {
  const { index, total, width, item, name, cell: Picture } = props;
  if (!item) return <div className={classes.option} style={{ width }} aria-hidden="true" />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list's keys do the same
    // biome-ignore lint/a11y/noStaticElementInteractions: it is an option, or a cell of a grid
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above; the linter knows no role that is chosen
    <div
      id={optionId(item)}
      role={name === undefined ? 'option' : 'gridcell'}
      aria-selected={props.selected}
      {...(name === undefined
        ? { 'aria-setsize': total, 'aria-posinset': index + 1 }
        : { 'aria-colindex': props.column })}
      className={classes.option}
      data-active={props.active || undefined}
      style={{ width }}
      onClick={(event) => props.selection.click(event, index, total)}
      onDoubleClick={() => props.onOpen(index, item)}
    >
      {name === undefined ? (
        <Picture item={item} width={width} />
      ) : (
        // The cell is called as its content, whose words and buttons are not said before it is entered.
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would have a frame and a least width
        <div role="group" aria-label={name}>
          <Picture item={item} width={width} />
        </div>
      )}
    </div>
  );
});
