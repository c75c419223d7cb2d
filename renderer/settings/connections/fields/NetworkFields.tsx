import { Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/Section.tsx';
import classes from '../Editor.module.css';
import type { SectionWithKeysProps } from './connection-fields.ts';
import { SecretField } from './SecretField.tsx';

/** The way to the server: proxy, certificates, and the keys for both. */
export function NetworkFields({ draft, change, at, secret }: SectionWithKeysProps) {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('fields.network')} note={t('fields.networkNote')}>
      <div className={classes.row}>
        <TextInput
          label={t('fields.proxyUrl')}
          description={t('fields.proxyUrlNote')}
          value={draft.proxyUrl}
          spellCheck={false}
          onChange={({ currentTarget }) => change('proxyUrl', currentTarget.value)}
          {...at('proxyUrl')}
        />
        <TextInput
          label={t('fields.proxyUser')}
          value={draft.proxyUser}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => change('proxyUser', currentTarget.value)}
          {...at('proxyUser')}
        />
      </div>
      <SecretField {...secret('proxyPassword')} label={t('fields.proxyPassword')} note="" />
      <Textarea
        label={t('fields.customCa')}
        description={t('fields.customCaNote')}
        value={draft.customCa}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        className={classes.pem}
        onChange={({ currentTarget }) => change('customCa', currentTarget.value)}
        {...at('customCa')}
      />
      <Textarea
        label={t('fields.clientCertificate')}
        value={draft.clientCertificate}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        className={classes.pem}
        onChange={({ currentTarget }) => change('clientCertificate', currentTarget.value)}
        {...at('clientCertificate')}
      />
      <SecretField
        {...secret('clientKey')}
        label={t('fields.clientKey')}
        note={t('fields.clientKeyNote')}
        tall
      />
      <p className={classes.remark}>{t('secret.writeOnly')}</p>
    </Section>
  );
}
