import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fittingSize, listWidths, type Pane, paneLimits, paneSizes, resizePane } from './panes.ts';
import classes from './Splitter.module.css';

/** Pixels by which an arrow moves it, and with Shift. */
const step = { plain: 16, fast: 64 };

/**
 * The edge between a pane and the stage: dragged, moved by arrows, reset by a double click. Our own and no
 * library: the panes lie in one grid, so the drawn head is never mounted anew, and their sizes are pixels.
 *
 * @param props.controls id of the pane's element
 */
export function Splitter({ pane, controls }: { pane: Pane; controls: string }) {
  const { t } = useTranslation('takes');
  const splitter = useRef<HTMLDivElement>(null);
  const drag = useRef<{ at: number; size: number } | null>(null);
  const [size, setSize] = useState(0);
  const isRow = pane === 'timeline';
  const sizes = paneSizes.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size was set
  useEffect(() => {
    const element = document.getElementById(controls);
    if (!element) return;
    const watch = new ResizeObserver(() => setSize(Math.round(sizeOf(element, isRow))));
    watch.observe(element);
    return () => watch.disconnect();
  }, [controls, isRow, sizes]);

  const measured = (): { pane: number; stage: { width: number; height: number } } => {
    const element = document.getElementById(controls);
    const stage = splitter.current?.parentElement?.querySelector<HTMLElement>('[data-stage]');
    return {
      pane: element ? sizeOf(element, isRow) : size,
      stage: { width: stage?.offsetWidth ?? 0, height: stage?.offsetHeight ?? 0 },
    };
  };
  const resize = (wanted: number): void => {
    const now = measured();
    resizePane(pane, fittingSize(pane, wanted, now.pane, now.stage));
  };
  const position = (event: PointerEvent): number =>
    (isRow ? event.clientY : event.clientX) / document.documentElement.currentCSSZoom;
  /** Direction along the axis in which the pane grows. */
  const sign = pane === 'list' ? 1 : -1;
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? step.fast : step.plain;
    const now = measured().pane;
    const [min, max] = paneLimits[pane];
    const keys: Record<string, () => void> = {
      [isRow ? 'ArrowUp' : 'ArrowLeft']: () => resize(now + stepOf(pane, now, -sign * by)),
      [isRow ? 'ArrowDown' : 'ArrowRight']: () => resize(now + stepOf(pane, now, sign * by)),
      Home: () => resize(min),
      End: () => resize(max),
      Enter: () => resizePane(pane, undefined),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const [min, max] = paneLimits[pane];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved has a value, which <hr> can't have
    <div
      ref={splitter}
      role="separator"
      tabIndex={0}
      aria-label={t(`panes.${pane}`)}
      aria-orientation={isRow ? 'horizontal' : 'vertical'}
      aria-controls={controls}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={Math.max(max, size)}
      className={classes.splitter}
      data-pane={pane}
      onKeyDown={onKey}
      onDoubleClick={() => resizePane(pane, undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { at: position(event), size: measured().pane };
      }}
      onPointerMove={(event) => {
        if (drag.current) resize(drag.current.size + sign * (position(event) - drag.current.at));
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
    />
  );
}

const sizeOf = (element: HTMLElement, isRow: boolean): number =>
  isRow ? element.offsetHeight : element.offsetWidth;

/** The list has no widths between thumbnails and names: a step goes over them. */
function stepOf(pane: Pane, now: number, by: number): number {
  const { strip, min } = listWidths;
  return pane === 'list' && (by > 0 ? now < min : now <= min) ? Math.sign(by) * (min - strip) : by;
}
