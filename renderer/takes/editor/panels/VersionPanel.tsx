import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditState } from '#contract';
import { useFigures } from '../../../base/text/number-format.ts';
import type { EditSession } from '../edits/edit-session.ts';
import classes from './panels.module.css';

const noVersions: EditState['versions'] = [];

/** Earlier versions that have a name, and naming this one. */
export function VersionPanel({ session }: { session: EditSession }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const versions = session.kept.use((state) => (state?.versions.length ? state.versions : noVersions));
  const [name, setName] = useState('');
  const save = (): void => {
    if (!name.trim()) return;
    session.nameVersion(name.trim());
    setName('');
  };
  return (
    <>
      <div className={classes.row}>
        <TextInput
          className={classes.note ?? ''}
          aria-label={t('editor.nameVersion')}
          placeholder={t('editor.nameVersion')}
          maxLength={120}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') save();
          }}
        />
        <Button variant="default" disabled={!name.trim()} onClick={save}>
          {t('editor.keepVersion')}
        </Button>
      </div>
      {versions.length === 0 && <p className={classes.quiet}>{t('editor.noVersions')}</p>}
      <div className={classes.lines}>
        {versions
          .map(({ name: versionName, revision, at }) => (
            <Button
              key={`${revision} ${versionName}`}
              fullWidth
              variant="subtle"
              justify="space-between"
              onClick={() => session.openVersion(revision)}
              rightSection={<span className={classes.quiet}>{figures.dateTime(at)}</span>}
            >
              {versionName}
            </Button>
          ))
          .reverse()}
      </div>
    </>
  );
}
