import { Button, CopyButton, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { attempt } from '../base/notices.tsx';
import { address } from '../base/route.ts';
import { changeSettings, useAppInfo } from '../base/studio-queries.ts';
import { Facts } from '../ui/Facts.tsx';
import { Page } from './Page.tsx';

export function About() {
  const { t } = useTranslation(['settings', 'app']);
  const { data } = useAppInfo();
  if (!data) return null;
  const facts = [
    [t('about.version'), data.version],
    [t('about.shell'), t(`about.shells.${data.shell}`)],
    [t('about.platform'), data.platform],
    [t('about.runtime'), data.runtime],
    [t('about.dataFolder'), data.dataFolder],
  ] as const;
  return (
    <Page title={t('app:name')} intro={t('about.intro')}>
      <Facts facts={facts} />
      <Group gap="xs" mt="lg">
        <CopyButton value={facts.map(([name, value]) => `${name}: ${value}`).join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('app:actions.copied') : t('about.copy')}
            </Button>
          )}
        </CopyButton>
        <Button component="a" variant="default" href={address('settings', 'help')}>
          {t('about.documentation')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => attempt(() => changeSettings({ welcomed: false }))}
        >
          {t('about.firstSteps')}
        </Button>
      </Group>
    </Page>
  );
}
