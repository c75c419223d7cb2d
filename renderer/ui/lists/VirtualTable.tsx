import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode, UIEvent } from 'react';
import classes from './VirtualTable.module.css';
import type { VirtualRows } from './virtual-rows.ts';

type RowProps = ComponentProps<'div'> & { [data: `data-${string}`]: unknown };

/** Header above the columns. */
export interface TableHead<C extends string> {
  heading: (column: C) => ReactNode;
  /** How the rows are sorted by a column; undefined: by another one. */
  sorted?: (column: C) => 'ascending' | 'descending' | undefined;
}

/**
 * A long table that renders only its visible rows. The table as a whole has the focus: screen readers get the
 * row at the cursor, and keys go to `onKey`. `rows` sets heights, `line` sets columns.
 */
export function VirtualTable<T, C extends string>(props: {
  rows: VirtualRows;
  label: string;
  /** Class of the table, and of each line of it, the head too. */
  className: string | undefined;
  line: string | undefined;
  columns: readonly C[];
  head?: TableHead<C>;
  /** Undefined until it has been read: the place is kept. */
  at: (index: number) => T | undefined;
  /** Id of the row's element. */
  idOf: (item: T) => string;
  cells: (item: T, index: number) => Record<C, ReactNode>;
  /** Cells of one line of text each, cut where they are too long. Default: they lay themselves out. */
  cellsOfText?: boolean;
  isSelected: (item: T) => boolean;
  multiselectable?: boolean;
  /** Where the keyboard is; -1: nowhere. */
  cursor: number;
  /** Rows with those that are not here; -1: nobody knows. Default: `rows.total`. */
  count?: number;
  rowProps: (item: T, index: number) => RowProps;
  /** @returns The index that must be seen now. */
  onKey: (event: KeyboardEvent) => number | undefined;
  /** A right click in it, or the key of the menu. */
  onMenu?: (event: MouseEvent<HTMLElement>) => void;
  onScroll?: (event: UIEvent<HTMLDivElement>) => void;
}) {
  const { rows, columns, head, cursor, count = rows.total } = props;
  const above = head ? 1 : 0;
  const atCursor = cursor >= rows.first && cursor <= rows.last ? props.at(cursor) : undefined;
  const onKey = (event: KeyboardEvent): void => {
    const seen = props.onKey(event);
    if (seen !== undefined && seen >= 0) rows.show(seen);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
    <div
      ref={rows.scroller}
      className={`${classes.scroller} ${props.className}`}
      data-cells={props.cellsOfText ? 'text' : undefined}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count < 0 ? -1 : count + above}
      aria-multiselectable={props.multiselectable || undefined}
      aria-activedescendant={atCursor && props.idOf(atCursor)}
      tabIndex={0}
      onKeyDown={onKey}
      onContextMenu={props.onMenu}
      onScroll={props.onScroll}
    >
      {head && (
        // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
        // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
        <div
          role="row"
          aria-rowindex={1}
          className={`${classes.head} ${props.line}`}
          style={{ height: rows.headHeight }}
        >
          {columns.map((column) => (
            // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            <div key={column} role="columnheader" data-column={column} aria-sort={head.sorted?.(column)}>
              {head.heading(column)}
            </div>
          ))}
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      <div role="rowgroup" className={classes.rows} style={{ height: rows.height }}>
        {rows.items.map(({ index, start }) => {
          const item = props.at(index);
          if (item === undefined) return null;
          const id = props.idOf(item);
          const cells = props.cells(item, index);
          return (
            // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            <div
              key={id}
              id={id}
              role="row"
              aria-rowindex={index + 1 + above}
              aria-selected={props.isSelected(item)}
              data-active={index === cursor || undefined}
              className={`${classes.row} ${props.line}`}
              style={{ height: rows.rowHeight, transform: `translateY(${start}px)` }}
              {...props.rowProps(item, index)}
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
