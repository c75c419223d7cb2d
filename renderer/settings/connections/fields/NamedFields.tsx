import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../Editor.module.css';
import type { SectionProps } from './connection-fields.ts';

export function NameField({ draft, change, at }: SectionProps) {
  const { t } = useTranslation('settings');
  return (
    <TextInput
      label={t('fields.name')}
      description={t('fields.nameNote')}
      value={draft.name}
      onChange={({ currentTarget }) => change('name', currentTarget.value)}
      {...at('name')}
    />
  );
}

/** @param props.note when another word than the usual is needed */
export function PathWordField({ draft, change, at, note }: SectionProps & { note?: string }) {
  const { t } = useTranslation('settings');
  return (
    <TextInput
      label={t('fields.pathWord')}
      description={note}
      value={draft.pathWord}
      spellCheck={false}
      className={classes.short}
      onChange={({ currentTarget }) => change('pathWord', currentTarget.value)}
      {...at('pathWord')}
    />
  );
}
