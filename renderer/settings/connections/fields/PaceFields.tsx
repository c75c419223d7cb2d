import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/Section.tsx';
import classes from '../Editor.module.css';
import { AmountField } from './AmountField.tsx';
import type { SectionProps } from './connection-fields.ts';

/** Concurrent requests, requests per minute, and the polling interval of heads. */
export function PaceFields({ draft, change, at }: SectionProps) {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('fields.pace')} note={t('fields.paceNote')}>
      <div className={classes.row}>
        <AmountField
          label={t('fields.concurrency')}
          whole
          value={draft.concurrency}
          onChange={(value) => change('concurrency', value ?? 0)}
          {...at('concurrency')}
        />
        <AmountField
          label={t('fields.requestsPerMinute')}
          description={t('fields.requestsPerMinuteNote')}
          whole
          value={draft.requestsPerMinute}
          onChange={(value) => change('requestsPerMinute', value ?? 0)}
          {...at('requestsPerMinute')}
        />
      </div>
      <div className={classes.row}>
        <AmountField
          label={t('fields.pollLeast')}
          unit="s"
          value={draft.polling.least}
          onChange={(value) => change('polling', { ...draft.polling, least: value ?? 0 })}
          {...at('polling.least')}
        />
        <AmountField
          label={t('fields.pollMost')}
          unit="s"
          value={draft.polling.most}
          onChange={(value) => change('polling', { ...draft.polling, most: value ?? 0 })}
          {...at('polling.most')}
        />
      </div>
      <p className={classes.remark}>{t('fields.pollNote')}</p>
    </Section>
  );
}
