import { type PointerEvent, useEffect, useRef } from 'react';
import classes from './WordLanes.module.css';
import type { WordTimes } from './word-moves.ts';

/** Seconds: what a word that is pushed together keeps. */
const min = 0.01;

interface Drag {
  /** Where the pointer went down, pixels. */
  readonly x: number;
  /** The word's times then. */
  readonly times: WordTimes;
  /** Null while the pointer has not moved. */
  now: WordTimes | null;
  readonly end: () => void;
}

/** One end of a word. It follows the pointer and is saved on release. Escape cancels. */
export function WordEdge(props: {
  side: 'start' | 'end';
  times: WordTimes;
  /** A moment so many pixels to the right of another. */
  later: (time: number, pixels: number) => number;
  /** Null: the drag was given up. */
  onDrag: (times: WordTimes | null) => void;
  onDrop: (times: WordTimes) => void;
}) {
  const { side, times, later, onDrag, onDrop } = props;
  const drag = useRef<Drag | null>(null);
  useEffect(() => () => drag.current?.end(), []);

  const begin = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const onKey = (key: KeyboardEvent): void => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      key.stopPropagation();
      giveUp();
    };
    window.addEventListener('keydown', onKey, true);
    drag.current = {
      x: event.clientX,
      times: { start: times.start, end: times.end },
      now: null,
      end: () => window.removeEventListener('keydown', onKey, true),
    };
  };
  const finish = (): Drag | null => {
    const ended = drag.current;
    drag.current = null;
    ended?.end();
    return ended;
  };
  const giveUp = (): void => {
    if (finish()) onDrag(null);
  };
  const follow = ({ clientX }: PointerEvent<HTMLElement>): void => {
    const { current } = drag;
    if (!current || (clientX === current.x && !current.now)) return;
    const { start, end } = current.times;
    const by = clientX - current.x;
    current.now =
      side === 'start'
        ? { start: Math.max(0, Math.min(later(start, by), end - min)), end }
        : { start, end: Math.max(later(end, by), start + min) };
    onDrag(current.now);
  };
  return (
    <span
      aria-hidden
      data-edge={side}
      className={classes.edge}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={undefined}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={() => {
        const moved = finish()?.now;
        if (moved) onDrop(moved);
      }}
      onPointerCancel={giveUp}
    />
  );
}
