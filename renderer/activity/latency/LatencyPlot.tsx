import { useElementSize } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Latency } from '#contract';
import { latencyTargetMs } from '#contract/constants.ts';
import { useFigures } from '../../base/text/number-format.ts';
import classes from './LatencyPlot.module.css';

const plotHeight = 300; // pixels
const margin = { top: 14, right: 104, bottom: 26, left: 58 } as const;
const decades = [1, 10, 100, 1000, 10_000, 100_000];

interface Point {
  x: number;
  y: number;
}
/** Many dots as one path: round caps make a zero-length line a dot. */
const dots = (points: readonly Point[]): string =>
  points.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('');
const crosses = (points: readonly Point[]): string =>
  points.map(({ x, y }) => `M${(x - 3).toFixed(1)} ${(y - 3).toFixed(1)}l6 6m0 -6l-6 6`).join('');

/**
 * Time to the first byte of each call over time, on a logarithmic scale: calls differ by factors, not by
 * sums. The chosen operation stands out; P50, P95 and the target are lines with their names beside them.
 */
export function LatencyPlot(props: { recent: Latency['recent']; shown: Latency['operations'][number] }) {
  const { t } = useTranslation('activity');
  const figures = useFigures();
  const { ref, width } = useElementSize();
  const { recent, shown } = props;

  const inner = {
    width: Math.max(0, width - margin.left - margin.right),
    height: plotHeight - margin.top - margin.bottom,
  };
  const times = recent.map(({ at }) => at);
  const from = Math.min(...times);
  const to = Math.max(Date.now(), from + 60_000);
  const values = recent.map(({ milliseconds }) => Math.max(1, milliseconds));
  const low = Math.log10(Math.min(10, ...values));
  const high = Math.log10(Math.max(latencyTargetMs * 2, ...values));
  const x = (at: number): number => margin.left + ((at - from) / (to - from)) * inner.width;
  const y = (ms: number): number =>
    margin.top + inner.height * (1 - (Math.log10(Math.max(1, ms)) - low) / (high - low));

  const points = recent.map((call) => ({ ...call, x: x(call.at), y: y(call.milliseconds) }));
  const own = points.filter(({ operation }) => operation === shown.operation);
  const ticks = decades.filter((ms) => Math.log10(ms) >= low && Math.log10(ms) <= high);
  const target = figures.milliseconds(latencyTargetMs);
  // Names of lines that lie close would cover one another: keep 15 pixels between them, from the top down.
  const lines = [
    { name: t('latency.target', { target }), at: y(latencyTargetMs), kind: 'target' },
    { name: `P95 ${figures.milliseconds(shown.p95)}`, at: y(shown.p95), kind: 'p95' },
    { name: `P50 ${figures.milliseconds(shown.p50)}`, at: y(shown.p50), kind: 'p50' },
  ].sort((a, b) => a.at - b.at);
  let free = Number.NEGATIVE_INFINITY;
  const labelled = lines.map((line) => {
    const label = Math.max(line.at, free);
    free = label + 15;
    return { ...line, label };
  });
  const days = 4;

  return (
    <div ref={ref} className={classes.frame}>
      {width > 0 && (
        <svg width={width} height={plotHeight} role="img" aria-label={t('latency.plot', { target })}>
          {ticks.map((ms) => (
            <g key={ms} className={classes.tick}>
              <line x1={margin.left} x2={width - margin.right} y1={y(ms)} y2={y(ms)} />
              <text x={margin.left - 8} y={y(ms)} dy="0.35em" textAnchor="end">
                {figures.milliseconds(ms)}
              </text>
            </g>
          ))}
          {Array.from({ length: days + 1 }, (_, step) => {
            const at = from + ((to - from) * step) / days;
            return (
              <text
                key={at}
                className={classes.time}
                x={x(at)}
                y={plotHeight - 6}
                textAnchor={step === 0 ? 'start' : step === days ? 'end' : 'middle'}
              >
                {to - from > 172_800_000 ? figures.date(at) : figures.time(at)}
              </text>
            );
          })}
          <path
            className={classes.others}
            d={dots(points.filter(({ operation, ok }) => ok && operation !== shown.operation))}
          />
          <path className={classes.own} d={dots(own.filter(({ ok }) => ok))} />
          <path className={classes.failed} d={crosses(own.filter(({ ok }) => !ok))} />
          {labelled.map(({ name, at, label, kind }) => (
            <g key={kind} className={classes.line} data-kind={kind}>
              <line x1={margin.left} x2={width - margin.right} y1={at} y2={at} />
              <text x={width - margin.right + 6} y={label} dy="0.35em">
                {name}
              </text>
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
