import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { DayField } from '../../ui/DayField.tsx';
import { dayOf, endOf } from '../days.ts';

export type Consent = Model['consent'];

/** Fields for the person who agreed, the basis, and the end date. */
export function ConsentFields(props: {
  consent: Consent;
  onChange: (consent: Consent) => void;
  onLeave?: () => void;
}) {
  const { t } = useTranslation('library');
  const { consent, onChange } = props;
  const leave = props.onLeave ? { onBlur: props.onLeave } : {};
  return (
    <>
      <TextInput
        label={t('consent.who')}
        placeholder={t('consent.whoHint')}
        maxLength={200}
        value={consent.who}
        onChange={({ currentTarget }) => onChange({ ...consent, who: currentTarget.value })}
        {...leave}
      />
      <TextInput
        label={t('consent.basis')}
        placeholder={t('consent.basisHint')}
        maxLength={500}
        value={consent.basis}
        onChange={({ currentTarget }) => onChange({ ...consent, basis: currentTarget.value })}
        {...leave}
      />
      <DayField
        label={t('consent.until')}
        description={t('consent.untilNote')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={dayOf(consent.until)}
        onChange={(day) => onChange({ ...consent, until: endOf(day) })}
        {...leave}
      />
    </>
  );
}
