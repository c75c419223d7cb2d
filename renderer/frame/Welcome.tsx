import { Anchor, Button, Group, SegmentedControl, Title } from '@mantine/core';
import { IconArrowRight, IconMicrophone, IconPhotoScan } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { languages } from '#contract/constants.ts';
import { languageNames } from '../base/language.ts';
import { attempt } from '../base/notices.tsx';
import { go, type Page } from '../base/route.ts';
import { changeSettings, useSettings } from '../base/studio-queries.ts';
import { makeSampleHead } from '../portraits/make-sample-head.ts';
import { Relief } from '../ui/Relief.tsx';
import classes from './Welcome.module.css';

/** Puts the first steps aside and goes where they lead, in the one click. */
function begin(page: Page, ...rest: string[]): void {
  go(page, ...rest);
  attempt(() => changeSettings({ welcomed: true }));
}

/** The first run: two ways to begin, one click each. */
export function Welcome() {
  const { t } = useTranslation();
  const settings = useSettings();
  return (
    <div className={classes.screen}>
      <div className={classes.words}>
        <p className={classes.kicker}>{t('welcome.kicker')}</p>
        <Title order={1} className={classes.title}>
          {t('welcome.title')}
        </Title>
        <p className={classes.text}>{t('welcome.text')}</p>
        <div className={classes.ways}>
          <Way
            icon={<IconPhotoScan size={26} stroke={1.4} aria-hidden />}
            title={t('welcome.headTitle')}
            text={t('welcome.headText')}
            action={t('welcome.headAction')}
            onGo={() => begin('portraits', 'pick')}
            sample={t('welcome.sampleFace')}
            onSample={() => {
              begin('portraits');
              attempt(() =>
                makeSampleHead({ name: t('welcome.sampleName'), queued: t('welcome.sampleQueued') }),
              );
            }}
          />
          <Way
            icon={<IconMicrophone size={26} stroke={1.4} aria-hidden />}
            title={t('welcome.wordTitle')}
            text={t('welcome.wordText')}
            action={t('welcome.wordAction')}
            onGo={() => begin('live', 'listen')}
            sample={t('welcome.sampleVoice')}
            onSample={() => begin('live', 'sample')}
          />
        </div>
        <Group gap="lg" mt={22}>
          <Anchor component="button" size="sm" onClick={() => begin('settings', 'connections', 'new')}>
            {t('welcome.ownServer')}
          </Anchor>
          <Anchor component="button" size="sm" c="dimmed" onClick={() => begin('portraits')}>
            {t('welcome.later')}
          </Anchor>
        </Group>
        <Group gap="sm" className={classes.preferences}>
          <SegmentedControl
            aria-label={t('welcome.language')}
            value={settings.language}
            data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
            onChange={(language) =>
              attempt(() => changeSettings({ language: language as Settings['language'] }))
            }
          />
          <SegmentedControl
            aria-label={t('welcome.theme')}
            value={settings.theme}
            data={(['system', 'dark', 'light'] as const).map((value) => ({
              value,
              label: t(`theme.${value}`),
            }))}
            onChange={(theme) => attempt(() => changeSettings({ theme: theme as Settings['theme'] }))}
          />
        </Group>
      </div>
      <div className={classes.art}>
        <Relief lines={104} />
      </div>
    </div>
  );
}

function Way(props: {
  icon: ReactNode;
  title: string;
  text: string;
  action: string;
  onGo: () => void;
  sample: string;
  onSample: () => void;
}) {
  return (
    <section className={classes.way}>
      <span className={classes.icon}>{props.icon}</span>
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      <Button size="sm" rightSection={<IconArrowRight size={16} />} onClick={props.onGo}>
        {props.action}
      </Button>
      <Anchor component="button" size="sm" mt={10} onClick={props.onSample}>
        {props.sample}
      </Anchor>
    </section>
  );
}
