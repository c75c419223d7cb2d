import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { drawQualities, frameRates } from '#contract/constants.ts';
import { attempt } from '../base/notices.tsx';
import { changeSettings, useSettings } from '../base/studio-queries.ts';
import { Section } from '../ui/Section.tsx';
import { Page } from './Page.tsx';

const change = (changes: Partial<Settings>): void => attempt(() => changeSettings(changes));

/**
 * How often and how sharply heads are drawn: in Live, in the head's own window, in Takes and in the viewer.
 */
export function Drawing() {
  const { t } = useTranslation('settings');
  const { frameRate, drawQuality } = useSettings();
  return (
    <Page title={t('sections.drawing')} intro={t('drawing.intro')}>
      <Section title={t('drawing.rate')} note={t('drawing.rateNote')}>
        <div>
          <SegmentedControl
            aria-label={t('drawing.rate')}
            value={frameRate}
            data={frameRates.map((value) => ({
              value,
              label: t(`drawing.rates.${value}`),
            }))}
            onChange={(rate) => change({ frameRate: rate })}
          />
        </div>
      </Section>
      <Section title={t('drawing.quality')} note={t(`drawing.qualityNotes.${drawQuality}`)}>
        <div>
          <SegmentedControl
            aria-label={t('drawing.quality')}
            value={drawQuality}
            data={drawQualities.map((value) => ({
              value,
              label: t(`drawing.qualities.${value}`),
            }))}
            onChange={(quality) => change({ drawQuality: quality })}
          />
        </div>
      </Section>
    </Page>
  );
}
