import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { newProfile } from '#contract/new_profile.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { address, go, useRoute } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { download } from '../../ui/download.ts';
import { Page } from '../Page.tsx';
import classes from './Connections.module.css';
import { detailsOf } from './details.ts';
import { newDraftId } from './drafts.ts';
import { Editor } from './Editor.tsx';

export function Connections() {
  const { rest } = useRoute();
  const profiles = useProfiles().data;
  const id = rest[1];
  if (!profiles) return null;
  if (id === undefined) return <Overview />;
  return <Opened id={id} testImmediately={rest[2] === 'test'} />;
}

/** One connection, when all of it is there: lists leave certificates and schemas out. */
function Opened({ id, testImmediately }: { id: string; testImmediately: boolean }) {
  const { t } = useTranslation(['settings', 'app']);
  const profile = useProfiles().data?.find((one) => one.id === id);
  const details = useQuery({
    ...detailsOf(id, profile),
    // A save must not take the form away for a moment.
    placeholderData: keepPreviousData,
  });
  if (!profile && id !== newDraftId)
    return (
      <Page title={t('sections.connections')}>
        <Callout tone="warn" title={t('connections.gone')}>
          {t('connections.goneNote')}
        </Callout>
      </Page>
    );
  if (profile && !details.data) return null;
  const saved = details.data ?? { ...newProfile, name: '' };
  return <Editor key={id} profile={profile} saved={saved} testImmediately={testImmediately} />;
}

/** All connections with what tells them apart, and what concerns them together. */
function Overview() {
  const { t } = useTranslation(['settings', 'app']);
  const { t: frame } = useTranslation();
  const profiles = useProfiles().data ?? [];
  const own = profiles.filter(({ builtIn }) => !builtIn);

  const bringIn = async (file: File): Promise<void> => {
    const { added, problems } = await studio.connections.importProfiles({ text: await file.text() });
    if (added.length > 0)
      notify({
        level: 'success',
        title: t('connections.imported', { count: added.length }),
        text: t('connections.importedNote'),
      });
    if (problems.length > 0)
      notify({
        level: 'warning',
        title: t('connections.importProblems'),
        text: problems.map(({ where, problem }) => `${where}: ${worded(problem)}`).join(' '),
      });
  };

  return (
    <Page
      title={t('sections.connections')}
      intro={t('connections.intro')}
      actions={
        <>
          <FileButton
            accept="application/json,.json"
            onChange={(file) => file && attempt(() => bringIn(file))}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={15} />}>
                {t('connections.import')}
              </Button>
            )}
          </FileButton>
          {own.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconDownload size={15} />}
              title={t('connections.exportNote')}
              onClick={() =>
                attempt(async () =>
                  download(await studio.connections.exportProfiles({ ids: own.map(({ id }) => id) })),
                )
              }
            >
              {t('connections.export')}
            </Button>
          )}
          <Button onClick={() => go('settings', 'connections', newDraftId)}>{t('connections.new')}</Button>
        </>
      }
    >
      <ul className={classes.cards}>
        {profiles.map((profile) => (
          <li key={profile.id} className={classes.card}>
            <a href={address('settings', 'connections', profile.id)} className={classes.name}>
              {profileName(frame, profile)}
            </a>
            <p className={classes.where}>
              {profile.builtIn
                ? t('engine.intro')
                : [profile.groupAUrl, profile.groupBUrl].filter(Boolean).join(' · ') ||
                  t('app:status.notSet')}
            </p>
            {profile.isDefault ? (
              <span className={classes.default}>{t('connections.isDefault')}</span>
            ) : (
              <Button
                variant="subtle"
                color="gray"
                className={classes.choose}
                onClick={() => attempt(() => studio.connections.setDefault({ id: profile.id }))}
              >
                {t('connections.makeDefault')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Page>
  );
}
