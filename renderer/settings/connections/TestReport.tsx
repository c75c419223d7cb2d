import { ActionIcon, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ConnectionReport } from '#contract';
import { useFigures } from '../../base/text/number-format.ts';
import { listedInWords, worded } from '../../base/text/sentence-text.ts';
import classes from './TestReport.module.css';

const icons = { ok: IconCheck, warning: IconAlertTriangle, failed: IconX, skipped: IconMinus } as const;

/** Report of a connection test: each step with its request and result. */
export function TestReport(props: { report: ConnectionReport | undefined; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'app']);
  const figures = useFigures();
  const { report } = props;
  return (
    <section className={classes.report} aria-label={t('test.title')} aria-live="polite" aria-busy={!report}>
      <div className={classes.head}>
        {!report && <Loader size={16} color="gray" />}
        <h3 className={classes.title}>{report ? t('test.title') : t('test.running')}</h3>
        {report && <span className={classes.when}>{t('test.at', { when: figures.time(report.at) })}</span>}
        <ActionIcon size="sm" aria-label={t('test.close')} onClick={props.onClose}>
          <IconX size={15} />
        </ActionIcon>
      </div>
      <p className={classes.summary}>
        {report ? (report.ok ? t('test.ok') : t('test.notOk')) : t('test.note')}
      </p>
      {report && report.latencyMs !== null && (
        <p className={classes.summary}>
          {t('test.latency', { time: figures.milliseconds(report.latencyMs) })}{' '}
          {report.features.length > 0
            ? t('test.features', {
                features: listedInWords(report.features.map((feature) => t(`test.feature.${feature}`))),
              })
            : t('test.noFeatures')}
        </p>
      )}
      <ol className={classes.steps}>
        {report?.steps.map((step) => {
          const Icon = icons[step.outcome];
          return (
            <li
              key={`${step.operation} ${step.request}`}
              className={classes.step}
              data-outcome={step.outcome}
            >
              <Icon size={16} stroke={2} className={classes.icon} aria-hidden />
              <div>
                <p className={classes.name}>
                  {t(`test.operations.${step.operation}`)}{' '}
                  <span className={classes.outcome}>{t(`test.outcome.${step.outcome}`)}</span>
                </p>
                <p className={classes.detail}>{worded(step.detail)}</p>
                {step.hint && <p className={classes.hint}>{worded(step.hint)}</p>}
                {step.outcome !== 'skipped' && <code className={classes.request}>{step.request}</code>}
              </div>
              <span className={classes.figures}>
                {step.httpStatus !== null && <span>HTTP {step.httpStatus}</span>}
                {step.outcome !== 'skipped' && <span>{figures.milliseconds(step.milliseconds)}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
