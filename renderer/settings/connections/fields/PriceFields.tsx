import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/Section.tsx';
import classes from '../Editor.module.css';
import { AmountField } from './AmountField.tsx';
import type { SectionProps } from './connection-fields.ts';

/** Prices of the server, and the monthly cap. */
export function PriceFields({ draft, change, at }: SectionProps) {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('fields.prices')} note={t('fields.pricesNote')}>
      <div className={classes.row}>
        <TextInput
          label={t('fields.currency')}
          value={draft.prices.currency}
          maxLength={3}
          spellCheck={false}
          onChange={({ currentTarget }) =>
            change('prices', { ...draft.prices, currency: currentTarget.value.toUpperCase() })
          }
          {...at('prices.currency')}
        />
        {(['perSecond', 'perFrame', 'perModel'] as const).map((per) => (
          <AmountField
            key={per}
            label={t(`fields.${per}`)}
            value={draft.prices[per]}
            onChange={(value) => change('prices', { ...draft.prices, [per]: value ?? 0 })}
            {...at(`prices.${per}`)}
          />
        ))}
      </div>
      <AmountField
        label={t('fields.monthlyCap')}
        description={t('fields.monthlyCapNote')}
        placeholder={t('fields.noCap')}
        value={draft.monthlyCap}
        onChange={(value) => change('monthlyCap', value)}
        {...at('monthlyCap')}
      />
    </Section>
  );
}
