import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { Callout } from '../../ui/Callout.tsx';
import { adviceOf, soundEarly, stages } from '../latency.ts';
import { latencyFigures, useReport } from '../live-session.ts';
import { changeLive, useLiveSettings } from '../live-settings.ts';
import classes from './LatencyPanel.module.css';

/** Milliseconds at the right end of the scale; figures beyond it stretch it. */
const scale = 160;

/** Where the time goes between sound and face, against what people notice. */
export function LatencyPanel({ drawn }: { drawn: () => number }) {
  const { t } = useTranslation('live');
  const { milliseconds, number } = useFigures();
  const [figures, setFigures] = useState<ReturnType<typeof latencyFigures>>(null);
  const [rate, setRate] = useState(0);
  const { lookahead } = useLiveSettings();
  const answerP50 = useReport((report) => report.answer?.p50 ?? Number.NaN) ?? Number.NaN;
  const answerP95 = useReport((report) => report.answer?.p95 ?? Number.NaN) ?? Number.NaN;
  useEffect(() => {
    const timer = setInterval(() => {
      setFigures(latencyFigures());
      setRate(drawn());
    }, 500);
    return () => clearInterval(timer);
  }, [drawn]);
  if (!figures) return <p className={classes.note}>{t('latency.none')}</p>;
  const max = Math.max(scale, figures.total.p95 * 1.05);
  const at = (value: number): string => `${(100 * value) / max}%`;
  const rating =
    figures.total.p95 <= soundEarly.noticed
      ? 'unnoticed'
      : figures.total.p95 <= soundEarly.acceptable
        ? 'acceptable'
        : 'late';
  const advice = adviceOf(figures, { lookahead, rate });
  let start = 0;
  return (
    <div className={classes.panel}>
      <div className={classes.total}>
        <span className={classes.figure}>{milliseconds(figures.total.p50)}</span>
        <span className={classes.note}>{t('latency.p95', { value: milliseconds(figures.total.p95) })}</span>
        <span className={classes.verdict} data-verdict={rating}>
          {t(`latency.ratings.${rating}`)}
        </span>
      </div>
      {advice.length > 0 && (
        <Callout tone="warn" title={t('latency.advice.title')}>
          <ul className={classes.advice}>
            {advice.map((one) => (
              <li key={one}>
                {t(`latency.advice.${one}`)}
                {one === 'lookahead' && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    ml={6}
                    onClick={() => changeLive({ lookahead: 0 })}
                  >
                    {t('latency.advice.noLookahead')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <div className={classes.bar} aria-hidden>
        {stages.map((stage, index) => {
          const width = Math.max(0, figures[stage].p50);
          const left = start;
          start += width;
          return <span key={stage} data-stage={index} style={{ left: at(left), width: at(width) }} />;
        })}
        <i style={{ left: at(soundEarly.noticed) }} />
        <i style={{ left: at(soundEarly.acceptable) }} />
      </div>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('latency.stage')}</th>
            <th scope="col">P50</th>
            <th scope="col">P95</th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage, index) => (
            <tr key={stage}>
              <th scope="row">
                <span className={classes.dot} data-stage={index} aria-hidden />
                {t(`latency.stages.${stage}`)}
              </th>
              <td>{milliseconds(figures[stage].p50)}</td>
              <td>{milliseconds(figures[stage].p95)}</td>
            </tr>
          ))}
          {!Number.isNaN(answerP50) && (
            <tr>
              <th scope="row">{t('latency.answer')}</th>
              <td>{milliseconds(answerP50)}</td>
              <td>{milliseconds(answerP95)}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p className={classes.note}>{t('latency.lines', soundEarly)}</p>
      <p className={classes.note}>{t('latency.rate', { rate: number(rate, 0) })}</p>
    </div>
  );
}
