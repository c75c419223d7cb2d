import { Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/Section.tsx';
import type { SectionWithKeysProps } from './connection-fields.ts';
import { NameField, PathWordField } from './NamedFields.tsx';
import { SecretField } from './SecretField.tsx';

/** Name of the connection and addresses of its servers. */
export function ServerFields(section: SectionWithKeysProps) {
  const { draft, change, at, secret } = section;
  const { t } = useTranslation('settings');
  return (
    <>
      <Section title={t('fields.identity')}>
        <NameField {...section} />
      </Section>
      <Section title={t('fields.groupA')} note={t('fields.groupANote')}>
        <TextInput
          label={t('fields.groupAUrl')}
          description={t('fields.groupAUrlNote')}
          value={draft.groupAUrl}
          inputMode="url"
          spellCheck={false}
          onChange={({ currentTarget }) => change('groupAUrl', currentTarget.value)}
          {...at('groupAUrl')}
        />
        <SecretField
          {...secret('accessToken')}
          label={t('fields.accessToken')}
          note={t('fields.accessTokenNote')}
        />
      </Section>
      <Section title={t('fields.groupB')} note={t('fields.groupBNote')}>
        <TextInput
          label={t('fields.groupBUrl')}
          description={t('fields.groupBUrlNote')}
          value={draft.groupBUrl}
          inputMode="url"
          spellCheck={false}
          onChange={({ currentTarget }) => change('groupBUrl', currentTarget.value)}
          {...at('groupBUrl')}
        />
        <SecretField {...secret('apiKey')} label={t('fields.apiKey')} note={t('fields.apiKeyNote')} />
        <Switch
          label={t('fields.doubledSlash')}
          description={t('fields.doubledSlashNote')}
          checked={draft.doubledSlash}
          onChange={({ currentTarget }) => change('doubledSlash', currentTarget.checked)}
        />
      </Section>
      <Section title={t('fields.paths')} note={t('fields.pathsNote')}>
        <PathWordField {...section} />
      </Section>
    </>
  );
}
