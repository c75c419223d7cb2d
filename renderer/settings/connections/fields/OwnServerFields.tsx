import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/Section.tsx';
import type { SectionWithKeysProps } from './connection-fields.ts';
import { NameField, PathWordField } from './NamedFields.tsx';
import { SecretField } from './SecretField.tsx';

/** A server of one's own, `likeness service`: one address and one key for everything. */
export function OwnServerFields(section: SectionWithKeysProps) {
  const { draft, change, at, secret } = section;
  const { t } = useTranslation('settings');
  return (
    <Section title={t('fields.ownServer')} note={t('fields.ownServerNote')}>
      <NameField {...section} />
      <TextInput
        label={t('fields.ownServerUrl')}
        description={t('fields.ownServerUrlNote')}
        value={draft.groupAUrl}
        inputMode="url"
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => change({ groupAUrl: value, groupBUrl: value })}
        {...at('groupAUrl')}
      />
      <SecretField
        {...secret('accessToken')}
        label={t('fields.ownServerKey')}
        note={t('fields.ownServerKeyNote')}
      />
      <PathWordField {...section} note={t('fields.ownServerPathNote')} />
    </Section>
  );
}
