/** Draws a timeline when something of it has changed, and moves its playhead. */
import { type RefObject, useEffect, useRef } from 'react';
import type { TakePlayback } from '../../take-playback.ts';
import type { Spectrogram } from '../spectrogram/spectrogram.ts';
import { drawTimeline, rulerHeight, type TimelineScene } from './draw-timeline.ts';
import { type TimelineColours, timelineColours, usePageColours } from './timeline-colours.ts';
import type { TimelineContent } from './timeline-content.ts';
import type { TimelineRow } from './timeline-rows.ts';
import type { TimelineState } from './timeline-state.ts';

/** Seconds that are shown at most while words are drawn as parts of the page, with letters and edges. */
export const lettersSpan = 40;

export interface TimelineCanvas {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly field: RefObject<HTMLDivElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly playhead: RefObject<HTMLDivElement | null>;
}

export function useTimelineCanvas(
  state: TimelineState,
  content: TimelineContent,
  rows: readonly TimelineRow[],
  playback: TakePlayback,
  channel: string | null,
  spectrogram: Spectrogram | null,
): TimelineCanvas {
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const scheme = usePageColours();
  const latest = useRef({ content, rows, channel, spectrogram });
  latest.current = { content, rows, channel, spectrogram };
  const { version, sound } = content;
  const { slider } = playback;
  const isStale = useRef(true);
  // Whatever React renders anew may be in the picture.
  useEffect(() => {
    isStale.current = true;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another scheme has other colours
  useEffect(() => {
    const surface = canvas.current;
    const scrolled = scroller.current;
    const pen = surface?.getContext('2d', { alpha: false });
    const ruler = slider.current;
    if (!surface || !pen || !scrolled || !ruler) return;
    let colours: TimelineColours | undefined;
    let frame = 0;
    const stale = (): void => {
      isStale.current = true;
    };
    const draw = (): void => {
      frame = requestAnimationFrame(draw);
      if (!isStale.current) return;
      const { clientWidth: width, clientHeight: height } = surface;
      if (width === 0 || height === 0) return;
      isStale.current = false;
      const ratio = window.devicePixelRatio;
      resize(surface, Math.round(width * ratio), Math.round(height * ratio));
      colours ??= timelineColours(getComputedStyle(document.documentElement));
      drawTimeline(
        pen,
        sceneOf({ width, height, ratio, colours, scrolled, surface, ruler, state, ...latest.current }),
      );
    };
    const watch = new ResizeObserver(stale);
    watch.observe(surface);
    scrolled.addEventListener('scroll', stale);
    const ends = [state.window, state.map, version].map((store) => store.subscribe(stale));
    if (sound) ends.push(sound.version.subscribe(stale));
    if (spectrogram) ends.push(spectrogram.version.subscribe(stale));
    stale();
    frame = requestAnimationFrame(draw);
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      scrolled.removeEventListener('scroll', stale);
      for (const end of ends) end();
    };
  }, [state, scheme, version, sound, spectrogram, slider]);

  useEffect(() => {
    const movePlayhead = (at: number): void => {
      const share = state.shareOf(at);
      if (!playhead.current) return;
      playhead.current.hidden = share < 0 || share > 1;
      playhead.current.style.left = `${share * 100}%`;
    };
    const ends = [
      playback.onTime((at, moved) => {
        // The page turns with what is heard or gone to; a window that was moved away stays where it is.
        if (moved) state.show(at);
        movePlayhead(at);
      }),
      ...[state.window, state.map].map((store) => store.subscribe(() => movePlayhead(playback.now()))),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [state, playback]);
  return { canvas, field, scroller, playhead };
}

function resize(surface: HTMLCanvasElement, width: number, height: number): void {
  if (surface.width !== width) surface.width = width;
  if (surface.height !== height) surface.height = height;
}

function sceneOf(parts: {
  width: number;
  height: number;
  ratio: number;
  colours: TimelineColours;
  scrolled: HTMLElement;
  surface: HTMLElement;
  /** Ruler and audio track. */
  ruler: HTMLElement;
  state: TimelineState;
  content: TimelineContent;
  rows: readonly TimelineRow[];
  channel: string | null;
  spectrogram: Spectrogram | null;
}): TimelineScene {
  const { state, content, scrolled, surface, ruler, ...rest } = parts;
  const { sound, curves, drawn, taken, markers, words } = content;
  const span = state.window.get();
  const rowsTop = scrolled.offsetTop - surface.offsetTop;
  const soundHeight = ruler.offsetHeight - rulerHeight;
  return {
    ...rest,
    window: span,
    map: state.map.get(),
    sound,
    curves,
    drawn,
    taken,
    markers,
    rowsTop,
    soundHeight,
    scrolled: scrolled.scrollTop,
    words:
      words.length > 0 && span.span > lettersSpan
        ? { top: rulerHeight + soundHeight + 2, height: 20, ranges: words }
        : null,
  };
}
