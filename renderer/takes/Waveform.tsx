import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../base/number-format.ts';
import type { LoadedTake } from './take-file.ts';
import classes from './Waveform.module.css';

/** Seconds that an arrow key moves. */
const step = 1 / 60;

/**
 * Goes where a key says: a frame or, with Shift, a second to either side, or to an end.
 * @returns false for other keys
 */
export function seek(audio: HTMLAudioElement | null, seconds: number, key: string, shift: boolean): boolean {
  if (!audio) return false;
  const by = shift ? 1 : step;
  const places: Record<string, number> = {
    ArrowLeft: audio.currentTime - by,
    ArrowRight: audio.currentTime + by,
    Home: 0,
    End: seconds,
  };
  const to = places[key];
  if (to === undefined) return false;
  audio.currentTime = Math.max(0, Math.min(seconds, to));
  return true;
}

/** Sound over time, with jaw and rounding over it; a click or the arrows go there. Drawn outside React. */
export function Waveform(props: {
  take: LoadedTake;
  seconds: number;
  audio: RefObject<HTMLAudioElement | null>;
  /** Where the time is written. */
  clock: RefObject<HTMLElement | null>;
}) {
  const { take, seconds, audio, clock } = props;
  const { t } = useTranslation('takes');
  const { seconds: written } = useFigures();
  const canvas = useRef<HTMLCanvasElement>(null);
  const slider = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const surface = canvas.current;
    const brush = surface?.getContext('2d');
    if (!surface || !brush) return;
    const style = getComputedStyle(document.documentElement);
    let picture: ImageBitmap | HTMLCanvasElement | undefined;
    let frame = 0;
    let last = -1;
    const paint = (width: number, height: number): HTMLCanvasElement => {
      const drawn = document.createElement('canvas');
      drawn.width = width;
      drawn.height = height;
      const pen = drawn.getContext('2d')!;
      const columns = take.peaks.length / 2;
      pen.fillStyle = style.getPropertyValue('--lk-line-strong');
      const middle = height * 0.5;
      for (let x = 0; x < width; x++) {
        const column = Math.floor((x * columns) / width);
        const high = take.peaks[column * 2]! * middle * 0.95;
        const low = take.peaks[column * 2 + 1]! * middle * 0.95;
        pen.fillRect(x, middle - high, 1, Math.max(1, high - low));
      }
      for (const [name, colour] of [
        ['mouthPucker', '--lk-warn'],
        ['jawOpen', '--lk-accent'],
      ] as const) {
        const place = take.face.channelNames.indexOf(name);
        if (place < 0 || seconds <= 0) continue;
        pen.strokeStyle = style.getPropertyValue(colour);
        pen.lineWidth = 1.5 * window.devicePixelRatio;
        pen.beginPath();
        for (const { timeCode, weights } of take.face.frames)
          pen.lineTo((timeCode / seconds) * width, height - 3 - weights[place]! * (height - 6));
        pen.stroke();
      }
      return drawn;
    };
    const draw = (): void => {
      frame = requestAnimationFrame(draw);
      const ratio = window.devicePixelRatio;
      const width = Math.round(surface.clientWidth * ratio);
      const height = Math.round(surface.clientHeight * ratio);
      const at = audio.current?.currentTime ?? 0;
      // Not laid out, or gone from the page: a picture without extent can't be drawn.
      if (width === 0 || height === 0) return;
      if (surface.width === width && surface.height === height && at === last) return;
      if (surface.width !== width || surface.height !== height || !picture) {
        surface.width = width;
        surface.height = height;
        picture = paint(width, height);
      }
      last = at;
      brush.clearRect(0, 0, width, height);
      brush.drawImage(picture, 0, 0);
      brush.fillStyle = style.getPropertyValue('--lk-text');
      brush.fillRect(seconds > 0 ? Math.min(1, at / seconds) * width - ratio : 0, 0, 2 * ratio, height);
      slider.current?.setAttribute('aria-valuenow', at.toFixed(2));
      slider.current?.setAttribute('aria-valuetext', written(at));
      if (clock.current) clock.current.textContent = at.toFixed(2);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [take, seconds, audio, clock, written]);

  const goTo = (at: number): void => {
    if (audio.current) audio.current.currentTime = Math.max(0, Math.min(seconds, at));
  };
  const scrub = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons === 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    goTo(((event.clientX - left) / width) * seconds);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (seek(audio.current, seconds, event.key, event.shiftKey)) event.preventDefault();
  };
  return (
    <div
      ref={slider}
      role="slider"
      tabIndex={0}
      aria-label={t('position')}
      aria-valuemin={0}
      aria-valuemax={seconds}
      aria-valuenow={0}
      className={classes.wave}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={scrub}
      onKeyDown={onKey}
    >
      <canvas ref={canvas} aria-hidden />
    </div>
  );
}
