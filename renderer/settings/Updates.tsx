import { joinMessages } from '@likeness/messages';
import { Button, Group, Progress, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { changeSettings, useAppInfo, useSettings, useUpdates } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import { Section } from '../ui/Section.tsx';
import { Page } from './Page.tsx';

const change = (changes: Partial<Settings>): void => attempt(() => changeSettings(changes));

export function Updates() {
  const { t } = useTranslation(['settings', 'app']);
  const updates = useUpdates().data;
  const version = useAppInfo().data?.version;
  const { lookForUpdates, installOnQuit } = useSettings();
  if (!updates || version === undefined) return null;
  if (updates.unavailable) {
    return (
      <Page title={t('sections.updates')} intro={t('updates.intro', { version })}>
        <Callout tone="info" title={t('updates.unavailable')}>
          {t(`updates.reasons.${updates.unavailable}`)}
        </Callout>
      </Page>
    );
  }
  return (
    <Page title={t('sections.updates')} intro={t('updates.intro', { version })}>
      <Section title={t('updates.check')} note={t('updates.checkNote', { address: updates.address })}>
        <Switch
          aria-label={t('updates.check')}
          label={lookForUpdates === 'yes' ? t('updates.daily') : t('general.off')}
          checked={lookForUpdates === 'yes'}
          onChange={({ currentTarget }) => change({ lookForUpdates: currentTarget.checked ? 'yes' : 'no' })}
        />
        <UpdateStatus />
      </Section>
      <Section title={t('updates.onQuit')} note={t('updates.onQuitNote')}>
        <Switch
          aria-label={t('updates.onQuit')}
          label={installOnQuit ? t('general.on') : t('general.off')}
          checked={installOnQuit}
          onChange={({ currentTarget }) => change({ installOnQuit: currentTarget.checked })}
        />
      </Section>
    </Page>
  );
}

/** State of updates, with the next possible action. */
function UpdateStatus() {
  const { t } = useTranslation(['settings', 'app']);
  const figures = useFigures();
  const updates = useUpdates().data;
  if (!updates) return null;
  const { stage, version, fraction, waitsFor, checkedAt, problem } = updates;
  return (
    <>
      {problem && (
        <Callout tone="bad" title={t('updates.problem')}>
          {worded(joinMessages(problem.message, problem.hint))}
        </Callout>
      )}
      <Text size="sm" role="status">
        {stage === 'idle'
          ? checkedAt === null
            ? t('updates.never')
            : t('updates.last', { when: figures.dateTime(checkedAt) })
          : stage === 'downloading' && waitsFor
            ? t(`updates.waits.${waitsFor}`, { version })
            : t(`updates.stages.${stage}`, { version })}
      </Text>
      {stage === 'downloading' && !waitsFor && (
        <Progress value={fraction * 100} aria-label={t('updates.stages.downloading', { version })} />
      )}
      <Group gap="xs">
        {stage === 'found' && (
          <Button onClick={() => attempt(() => studio.app.downloadUpdate())}>{t('updates.download')}</Button>
        )}
        {stage === 'downloading' && (
          <Button variant="default" onClick={() => attempt(() => studio.app.stopUpdateDownload())}>
            {t('app:actions.cancel')}
          </Button>
        )}
        {stage === 'ready' && (
          <Button onClick={() => attempt(() => studio.app.installUpdate())}>{t('updates.install')}</Button>
        )}
        {stage !== 'downloading' && stage !== 'ready' && (
          <Button
            variant="default"
            loading={stage === 'looking'}
            onClick={() => attempt(() => studio.app.checkForUpdates())}
          >
            {t('updates.now')}
          </Button>
        )}
      </Group>
    </>
  );
}
