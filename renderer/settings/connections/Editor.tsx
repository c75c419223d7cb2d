import { Button, SegmentedControl } from '@mantine/core';
import { IconStar, IconTestPipe } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile, ProfileDraft } from '#contract';
import { attempt, notify } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useKeyStore } from '../../base/studio-queries.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { Page } from '../Page.tsx';
import { ConnectionMenu } from './ConnectionMenu.tsx';
import { dropDraft } from './drafts.ts';
import classes from './Editor.module.css';
import { NetworkFields } from './fields/NetworkFields.tsx';
import { OwnServerFields } from './fields/OwnServerFields.tsx';
import { PaceFields } from './fields/PaceFields.tsx';
import { PriceFields } from './fields/PriceFields.tsx';
import { ServerFields } from './fields/ServerFields.tsx';
import { StreamFields } from './fields/StreamFields.tsx';
import { KeyStoreNotice } from './KeyStoreNotice.tsx';
import { StaleKeysNotice } from './StaleKeysNotice.tsx';
import { TestReport } from './TestReport.tsx';
import { closeTest, runTest, useTest } from './tests.ts';
import { useConnectionForm } from './use-connection-form.ts';

interface Props {
  /** Undefined while the connection does not exist yet. */
  profile: Profile | undefined;
  /** The last saved version, or the initial values of a new one. */
  saved: ProfileDraft;
  testImmediately: boolean;
}

export function Editor({ profile, saved, testImmediately }: Props) {
  const { t } = useTranslation(['settings', 'app']);
  const { t: frame } = useTranslation();
  const keyStore = useKeyStore().data;
  // Only while it is made: later each address and key is a field of its own.
  const [ownServer, setOwnServer] = useState(false);
  const isOwnServer = ownServer && !profile;
  const connection = useConnectionForm(profile, saved, isOwnServer);
  const { id, form, section, dirty, busy, problemCount, save, revert } = connection;
  const [deleting, setDeleting] = useState(false);
  const test = useTest(id);

  const saveAndTest = async (): Promise<void> => {
    const now = dirty || !profile ? await save() : profile;
    if (now) await runTest(now.id);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by the address, once
  useEffect(() => {
    if (testImmediately && profile) attempt(() => runTest(profile.id));
  }, []);

  const name = profile ? profileName(frame, profile) : t('connections.new');
  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        attempt(save);
      }}
    >
      <Page
        title={name}
        intro={profile?.builtIn ? t('connections.builtInNote') : undefined}
        actions={
          <>
            {profile?.isDefault && <span className={classes.default}>{t('connections.isDefault')}</span>}
            {profile && !profile.isDefault && (
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconStar size={15} />}
                onClick={() => attempt(() => studio.connections.setDefault({ id }))}
              >
                {t('connections.makeDefault')}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconTestPipe size={15} />}
              loading={test !== undefined && !test.report}
              onClick={() => attempt(saveAndTest)}
            >
              {dirty || !profile ? t('test.saveAndRun') : t('test.run')}
            </Button>
            {profile && (
              <ConnectionMenu
                profile={profile}
                onDelete={() => setDeleting(true)}
                onDuplicated={(copy) => go('settings', 'connections', copy.id)}
              />
            )}
          </>
        }
      >
        {test && <TestReport report={test.report} onClose={() => closeTest(id)} />}
        {profile && <StaleKeysNotice profile={profile} unsaved={dirty} />}
        {!profile?.builtIn && keyStore && <KeyStoreNotice keyStore={keyStore} />}

        {!profile && (
          <SegmentedControl
            className={classes.kind}
            aria-label={t('connections.kind')}
            data={[
              { value: 'other', label: t('connections.otherServer') },
              { value: 'own', label: t('connections.ownServer') },
            ]}
            value={ownServer ? 'own' : 'other'}
            onChange={(kind) => {
              const { groupAUrl, groupBUrl } = section.draft;
              const one = groupAUrl || groupBUrl;
              if (kind === 'own') section.change({ groupAUrl: one, groupBUrl: one });
              setOwnServer(kind === 'own');
            }}
          />
        )}
        {isOwnServer && <OwnServerFields {...section} />}
        {!profile?.builtIn && !isOwnServer && (
          <>
            <ServerFields {...section} />
            <StreamFields
              stream={section.draft.stream}
              at={section.at}
              onChange={(stream) => section.change('stream', stream)}
            />
            <PriceFields {...section} />
          </>
        )}

        <PaceFields {...section} />

        {!profile?.builtIn && <NetworkFields {...section} />}
      </Page>

      {(dirty || !profile) && (
        <div className={classes.bar}>
          <Button type="submit" loading={busy}>
            {profile ? t('connections.save') : t('connections.create')}
          </Button>
          <Button variant="subtle" color="gray" onClick={revert}>
            {profile ? t('connections.revert') : t('app:actions.cancel')}
          </Button>
          <span className={classes.barText} role="status" data-bad={problemCount > 0 || undefined}>
            {problemCount > 0 ? t('connections.fix', { count: problemCount }) : t('connections.unsaved')}
          </span>
        </div>
      )}
      <Confirm
        opened={deleting}
        title={t('connections.deleteTitle', { name })}
        text={t('connections.deleteText')}
        action={t('connections.delete')}
        onConfirm={async () => {
          await studio.connections.remove({ id });
          dropDraft(id);
          notify({ level: 'success', title: t('connections.deleted', { name }), text: '' });
          go('settings', 'connections');
        }}
        onClose={() => setDeleting(false)}
      />
    </form>
  );
}
