import { Button, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { liveProfileId } from '../base/live-activity.ts';
import { useFigures } from '../base/text/number-format.ts';
import { changeLive, liveSettings, useLiveSettings } from '../live/live-settings.ts';
import { LevelMeter } from '../live/panels/LevelMeter.tsx';
import { MicrophoneSelect } from '../live/panels/MicrophoneSelect.tsx';
import { closeSound, openMicrophone, useSound } from '../live/sound-source.ts';
import { Callout } from '../ui/Callout.tsx';
import { Section } from '../ui/Section.tsx';
import { Page } from './Page.tsx';

const treatments = ['echoCancellation', 'noiseSuppression', 'autoGainControl'] as const;
const ignore = (): void => undefined;

/** The microphone that Live begins with, to be tried here. */
export function Microphone() {
  const { t } = useTranslation(['settings', 'live']);
  const { number } = useFigures();
  const settings = useLiveSettings();
  const sound = useSound();
  const speaking = liveProfileId.use() !== null;
  const [trying, setTrying] = useState(false);
  const heard = sound.kind === 'open' && sound.from === 'microphone';
  const open = (): void => {
    setTrying(true);
    openMicrophone(liveSettings()).catch(ignore); // what goes wrong is the sound's state, shown below
  };
  const stop = (): void => {
    setTrying(false);
    if (liveProfileId.get() === null) closeSound();
  };
  // Nobody sees it any more: then nobody should be listened to.
  useEffect(
    () => () => {
      if (liveProfileId.get() === null) closeSound();
    },
    [],
  );
  const changed = (): void => {
    if (trying && !speaking) open();
  };
  return (
    <Page title={t('sections.microphone')} intro={t('microphone.intro')}>
      <Section title={t('live:device')} note={t('microphone.deviceNote')}>
        <MicrophoneSelect onChange={changed} />
        {sound.kind === 'failed' && trying && (
          <Callout tone="bad" title={t(`live:failures.${sound.failure}.title`)}>
            {sound.failure === 'unsupported'
              ? t('live:failures.unsupported.text', { reason: sound.reason })
              : t(`live:failures.${sound.failure}.text`)}
          </Callout>
        )}
        {heard && (trying || speaking) && (
          <>
            <LevelMeter onVoice={ignore} />
            <p style={{ margin: 0, color: 'var(--lk-muted)', fontSize: 12.5 }}>
              {sound.name && `${sound.name} · `}
              {t('live:rate', {
                kilohertz: number(sound.sampleRate / 1000, 1),
                channels: t('live:channelCount', { count: sound.channels }),
              })}
            </p>
            {sound.insteadOf && (
              <Callout tone="warn">{t('live:insteadOf', { name: sound.insteadOf })}</Callout>
            )}
          </>
        )}
        {speaking ? (
          <Callout tone="info">{t('microphone.inUse')}</Callout>
        ) : (
          <div>
            <Button
              variant="default"
              loading={sound.kind === 'opening'}
              onClick={heard && trying ? stop : open}
            >
              {heard && trying ? t('microphone.stop') : t('microphone.try')}
            </Button>
          </div>
        )}
      </Section>
      <Section title={t('microphone.treatment')} note={t('microphone.treatmentNote')}>
        {treatments.map((treatment) => (
          <Switch
            key={treatment}
            label={t(`microphone.${treatment}.label`)}
            description={t(`microphone.${treatment}.note`)}
            checked={settings[treatment]}
            onChange={({ currentTarget: { checked } }) => {
              changeLive({ [treatment]: checked });
              changed();
            }}
          />
        ))}
      </Section>
    </Page>
  );
}
