import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './ChannelBars.module.css';

const rowHeight = 17;

/** Every channel of the face as a bar, drawn outside React. */
export function ChannelBars({ face }: { face: () => FaceState | null }) {
  const { t } = useTranslation('live');
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const surface = canvas.current;
    const brush = surface?.getContext('2d');
    if (!surface || !brush) return;
    // Of the canvas itself: the app's font is the body's, and the document's own is the browser's serif.
    const style = getComputedStyle(surface);
    let frame = 0;
    let count = 0;
    const draw = (): void => {
      frame = requestAnimationFrame(draw);
      // Every third frame: bars are read, not watched for smoothness.
      count = (count + 1) % 3;
      if (count !== 0) return;
      const now = face();
      const names = now?.channelNames ?? [];
      const ratio = window.devicePixelRatio;
      const width = surface.clientWidth;
      const height = Math.max(1, names.length) * rowHeight;
      if (surface.style.height !== `${height}px`) surface.style.height = `${height}px`;
      if (surface.width !== Math.round(width * ratio)) surface.width = Math.round(width * ratio);
      if (surface.height !== Math.round(height * ratio)) surface.height = Math.round(height * ratio);
      brush.setTransform(ratio, 0, 0, ratio, 0, 0);
      brush.clearRect(0, 0, width, height);
      if (!now) return;
      brush.font = `11px ${style.fontFamily || 'sans-serif'}`;
      brush.textBaseline = 'middle';
      const left = Math.min(128, width * 0.5);
      const room = width - left - 2;
      const muted = style.getPropertyValue('--lk-muted');
      const text = style.getPropertyValue('--lk-text');
      const line = style.getPropertyValue('--lk-hover');
      const accent = style.getPropertyValue('--lk-accent');
      for (const [row, name] of names.entries()) {
        const weight = now.weights[row]!;
        const y = row * rowHeight;
        brush.fillStyle = weight > 0.02 ? text : muted;
        brush.fillText(name.replace('viseme_', '◦ '), 0, y + rowHeight / 2, left - 6);
        brush.fillStyle = line;
        brush.fillRect(left, y + 6, room, 5);
        brush.fillStyle = accent;
        brush.fillRect(left, y + 6, room * Math.min(1, Math.max(0, weight)), 5);
      }
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [face]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <section className={classes.bars} aria-label={t('channels.label')} tabIndex={0}>
      <canvas ref={canvas} aria-hidden />
    </section>
  );
}
