import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { blockMs } from '../sound-block.ts';
import { onBlock } from '../sound-source.ts';
import classes from './LevelMeter.module.css';

/** The scale's lower end, dBFS. */
const floor = -60;
/** Where a voice should peak, and where it gets close to the end. */
const zones = { loud: -18, hot: -6 } as const;
const peakHoldMs = 1500;
const voiceMs = 200;
/**
 * Decibels a second that the bar falls: the rate of a classic peak programme meter (IEC 60268-10 type II).
 */
const fallPerSecond = 8.6 * 2;

const decibels = (amplitude: number): number => Math.max(floor, 20 * Math.log10(Math.max(amplitude, 1e-6)));
const share = (db: number): number => (db - floor) / -floor;

/**
 * Level in dBFS as a bar with held peak, and a clip light that stays until it is seen. Drawn outside React.
 */
export function LevelMeter({ onVoice }: { onVoice: () => void }) {
  const { t } = useTranslation('live');
  const { number } = useFigures();
  const canvas = useRef<HTMLCanvasElement>(null);
  const meter = useRef<HTMLDivElement>(null);
  const value = useRef<HTMLSpanElement>(null);
  const [clipped, setClipped] = useState(false);

  useEffect(() => {
    const surface = canvas.current;
    const brush = surface?.getContext('2d');
    if (!surface || !brush) return;
    const style = getComputedStyle(document.documentElement);
    let now = floor;
    let shown = floor;
    let peakLevel = floor;
    let peakAt = 0;
    let last = performance.now();
    let reportedAt = 0;
    let voiced = 0;
    let frame = 0;
    let count = 0;

    const end = onBlock(({ rms, peak, clipped: over }) => {
      now = Math.max(now, decibels(peak));
      if (over) setClipped(true);
      // So long above -45 dBFS it is a voice and not a knock on the table.
      voiced = decibels(rms) > -45 ? voiced + 1 : 0;
      if (voiced === voiceMs / blockMs) onVoice();
    });

    const draw = (at: number): void => {
      frame = requestAnimationFrame(draw);
      // Every third frame, as other meters do: each drawing lays a large part of the page together again.
      count = (count + 1) % 3;
      if (count !== 0) return;
      shown = Math.max(now, shown - (fallPerSecond * (at - last)) / 1000);
      now = floor;
      last = at;
      if (shown >= peakLevel || at - peakAt > peakHoldMs) {
        peakLevel = shown;
        peakAt = at;
      }
      const ratio = window.devicePixelRatio;
      const width = Math.round(surface.clientWidth * ratio);
      const height = Math.round(surface.clientHeight * ratio);
      if (surface.width !== width) surface.width = width;
      if (surface.height !== height) surface.height = height;
      brush.clearRect(0, 0, width, height);
      brush.fillStyle = style.getPropertyValue('--lk-hover');
      brush.fillRect(0, 0, width, height);
      const bands = [
        [floor, zones.loud, '--lk-accent'],
        [zones.loud, zones.hot, '--lk-good'],
        [zones.hot, 0, '--lk-warn'],
      ] as const;
      for (const [from, to, colour] of bands) {
        if (shown <= from) continue;
        brush.fillStyle = style.getPropertyValue(colour);
        const x = share(from) * width;
        brush.fillRect(x, 0, share(Math.min(shown, to)) * width - x, height);
      }
      if (peakLevel > floor) {
        brush.fillStyle = style.getPropertyValue('--lk-text');
        brush.fillRect(Math.min(width - 2 * ratio, share(peakLevel) * width), 0, 2 * ratio, height);
      }
      if (at - reportedAt > 250) {
        reportedAt = at;
        const text = peakLevel <= floor ? t('silence') : t('levelValue', { decibels: number(peakLevel, 0) });
        if (value.current) value.current.textContent = text;
        meter.current?.setAttribute('aria-valuenow', String(Math.round(peakLevel)));
        meter.current?.setAttribute('aria-valuetext', text);
      }
    };
    frame = requestAnimationFrame(draw);
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  }, [t, number, onVoice]);

  return (
    <div className={classes.meter}>
      <div className={classes.head}>
        <span>{t('level')}</span>
        <span ref={value} className={classes.value} />
        <UnstyledButton
          className={classes.clip}
          data-on={clipped || undefined}
          aria-label={clipped ? t('clipReset') : t('clipNone')}
          title={clipped ? t('clipReset') : t('clipNone')}
          onClick={() => setClipped(false)}
        >
          {t('clip')}
        </UnstyledButton>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: drawn on a canvas */}
      <div
        ref={meter}
        role="meter"
        aria-label={t('level')}
        aria-valuemin={floor}
        aria-valuemax={0}
        aria-valuenow={floor}
        className={classes.bar}
      >
        <canvas ref={canvas} />
      </div>
      <div className={classes.scale} aria-hidden="true">
        {[floor, -48, -36, -24, -12, 0].map((db) => (
          <span key={db}>{db}</span>
        ))}
      </div>
    </div>
  );
}
