import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';

/** The rows of a long table that are on the screen now. */
export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly total: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** Pixels; 0: the table has no head. */
  readonly headHeight: number;
  /** Pixels of all rows together. */
  readonly height: number;
  readonly items: readonly VirtualItem[];
  readonly first: number;
  /** −1: nothing is on the screen yet. */
  readonly last: number;
  /** Rows that a Page key moves by. */
  pageSize(): number;
  /** Scrolls until the row is seen. */
  show(index: number): void;
}

/**
 * Says which rows of a long table are drawn.
 *
 * @param options.top - Where it stands at first, pixels from its top.
 */
export function useVirtualRows(options: {
  total: number;
  rowHeight: number;
  headHeight?: number;
  top?: number;
}): VirtualRows {
  const { total, rowHeight, headHeight = 0, top = 0 } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: headHeight,
    initialOffset: top,
  });
  const items = virtualizer.getVirtualItems();
  return {
    scroller,
    total,
    rowHeight,
    headHeight,
    height: virtualizer.getTotalSize(),
    items,
    first: items[0]?.index ?? 0,
    last: items.at(-1)?.index ?? -1,
    pageSize: () => {
      const seen = Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight);
      return Math.max(1, seen - (headHeight > 0 ? 2 : 1));
    },
    show: (index) => virtualizer.scrollToIndex(index),
  };
}
