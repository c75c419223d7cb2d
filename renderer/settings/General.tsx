import { SegmentedControl, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { languages } from '#contract/constants.ts';
import { modifiers } from '../base/keyboard.ts';
import { languageNames } from '../base/language.ts';
import { attempt } from '../base/notices.tsx';
import { changeSettings, useAppInfo, useSettings } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { Section } from '../ui/Section.tsx';
import { Page } from './Page.tsx';

/** Percent, within what the contract allows. */
const sizes = [90, 100, 110, 125, 150] as const;

const change = (changes: Partial<Settings>): void => attempt(() => changeSettings(changes));

export function General() {
  const { t } = useTranslation(['settings', 'app']);
  const { percent } = useFigures();
  const settings = useSettings();
  // A browser tab tells nothing through the system.
  const shell = useAppInfo().data?.shell;
  return (
    <Page title={t('sections.general')} intro={t('general.intro')}>
      <Section title={t('general.language')} note={t('general.languageNote')}>
        <div>
          <SegmentedControl
            aria-label={t('general.language')}
            value={settings.language}
            data={languages.map((value) => ({ value, label: languageNames[value] }))}
            onChange={(language) => change({ language })}
          />
        </div>
      </Section>
      <Section title={t('general.theme')} note={t('general.themeNote')}>
        <div>
          <SegmentedControl
            aria-label={t('general.theme')}
            value={settings.theme}
            data={(['system', 'dark', 'light'] as const).map((value) => ({
              value,
              label: t(`app:theme.${value}`),
            }))}
            onChange={(theme) => change({ theme })}
          />
        </div>
      </Section>
      <Section title={t('general.size')} note={t('general.sizeNote', modifiers)}>
        <div>
          <SegmentedControl
            aria-label={t('general.size')}
            value={String(settings.interfaceSize)}
            data={sizes.map((size) => ({ value: String(size), label: percent(size / 100) }))}
            onChange={(size) => change({ interfaceSize: Number(size) })}
          />
        </div>
      </Section>
      <Section title={t('general.motion')} note={t('general.motionNote')}>
        <div>
          <SegmentedControl
            aria-label={t('general.motion')}
            value={settings.reducedMotion}
            data={(['system', 'on', 'off'] as const).map((value) => ({
              value,
              label: t(`app:motion.${value}`),
            }))}
            onChange={(reducedMotion) => change({ reducedMotion })}
          />
        </div>
      </Section>
      {shell !== 'browser' && (
        <Section title={t('general.notifications')} note={t('general.notificationsNote')}>
          <Switch
            aria-label={t('general.notifications')}
            label={settings.notifications ? t('general.on') : t('general.off')}
            checked={settings.notifications}
            onChange={({ currentTarget }) => change({ notifications: currentTarget.checked })}
          />
        </Section>
      )}
    </Page>
  );
}
