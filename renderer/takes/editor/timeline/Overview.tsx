import { type PointerEvent, useEffect, useRef } from 'react';
import type { TakePlayback } from '../../take-playback.ts';
import { CurveRaster } from './curve-raster.ts';
import { columnEdges } from './frame-columns.ts';
import type { SoundPeaks } from './sound-peaks.ts';
import classes from './Timeline.module.css';
import { timelineColours, usePageColours } from './timeline-colours.ts';
import type { TimelineState } from './timeline-state.ts';

/** The whole take in a strip, and which part of it is seen. Keys and the zoom buttons do what a drag does here. */
export function Overview(props: { state: TimelineState; sound: SoundPeaks | null; playback: TakePlayback }) {
  const { state, sound, playback } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const seen = useRef<HTMLDivElement>(null);
  const now = useRef<HTMLDivElement>(null);
  const scheme = usePageColours();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scheme has other colours
  useEffect(() => {
    const surface = canvas.current;
    if (!surface) return;
    const draw = (): void => {
      const width = Math.round(surface.clientWidth * devicePixelRatio);
      const height = Math.round(surface.clientHeight * devicePixelRatio);
      if (width === 0 || height === 0) return;
      surface.width = width;
      surface.height = height;
      const raster = new CurveRaster(width, height);
      const { ground, sound: ink } = timelineColours(getComputedStyle(document.documentElement));
      raster.fill(ground);
      const bounds = { left: 0, top: 1, bottom: height - 1, min: -1, max: 1, line: 1 };
      const { seconds, toRecorded } = state.map.get();
      const edges = columnEdges({ from: 0, span: seconds }, width, toRecorded);
      if (sound) raster.sound(sound, sound.rate, edges, bounds, ink, sound.full);
      surface.getContext('2d')?.putImageData(raster.image, 0, 0);
    };
    const watch = new ResizeObserver(draw);
    watch.observe(surface);
    draw();
    const ends = [state.map.subscribe(draw), sound?.version.subscribe(draw)];
    return () => {
      for (const end of ends) end?.();
      watch.disconnect();
    };
  }, [sound, state, scheme]);
  useEffect(() => {
    const position = (): void => {
      const { from, span } = state.window.get();
      if (!seen.current) return;
      const { seconds } = state.map.get();
      seen.current.style.left = `${(from / seconds) * 100}%`;
      seen.current.style.width = `${(span / seconds) * 100}%`;
    };
    position();
    const ends = [state.window.subscribe(position), state.map.subscribe(position)];
    return () => {
      for (const end of ends) end();
    };
  }, [state]);
  useEffect(
    () =>
      playback.onTime((at) => {
        const { seconds, toPlayed } = state.map.get();
        if (now.current) now.current.style.left = `${(toPlayed(at) / seconds) * 100}%`;
      }),
    [playback, state],
  );
  const goTo = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons === 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * state.map.get().seconds;
    const { from, span } = state.window.get();
    state.pan((at - span / 2 - from) / span);
  };
  return (
    <div
      className={classes.overview}
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        goTo(event);
      }}
      onPointerMove={goTo}
    >
      <canvas ref={canvas} />
      <div ref={now} className={classes.now} />
      <div ref={seen} className={classes.seen} />
    </div>
  );
}
