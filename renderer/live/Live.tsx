import { Button, Select } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assetUrl } from '#contract';
import { useFigures } from '../app/figures.ts';
import { attempt } from '../app/notices.tsx';
import { go, useRoute } from '../app/route.ts';
import { Callout } from '../ui/Callout.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { HeadViewer } from '../viewer/HeadViewer.tsx';
import { LevelMeter } from './LevelMeter.tsx';
import classes from './Live.module.css';
import { closeMicrophone, openMicrophone, useMicrophone } from './microphone.ts';

/** Inputs by id; their names are known only once a microphone was permitted. */
function useInputs(asked: unknown): MediaDeviceInfo[] {
  const [inputs, setInputs] = useState<MediaDeviceInfo[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change when the microphone's state does
  useEffect(() => {
    const look = (): void => {
      navigator.mediaDevices
        ?.enumerateDevices()
        .then((devices) => setInputs(devices.filter(({ kind }) => kind === 'audioinput')))
        .catch(() => setInputs([]));
    };
    look();
    navigator.mediaDevices?.addEventListener('devicechange', look);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', look);
  }, [asked]);
  return inputs;
}

export function Live() {
  const { t } = useTranslation(['live', 'app']);
  const { t: words } = useTranslation('live');
  const { number } = useFigures();
  const { rest } = useRoute();
  const microphone = useMicrophone();
  const inputs = useInputs(microphone.kind);
  const [deviceId, setDeviceId] = useState('');
  const [heard, setHeard] = useState(false);
  const onVoice = useCallback(() => setHeard(true), []);

  const listen = rest[0] === 'listen';
  useEffect(() => {
    if (!listen) return;
    attempt(() => openMicrophone(''));
    go('live');
  }, [listen]);
  // A microphone that nobody looks at is closed: its light on the desk must not stay on.
  useEffect(() => closeMicrophone, []);

  const open = (id: string): void => {
    setHeard(false);
    attempt(() => openMicrophone(id));
  };
  const named = inputs.filter(({ deviceId: id }) => id !== '' && id !== 'default');

  return (
    <>
      <PlaceHeader title={t('app:places.live')}>
        {microphone.kind === 'open' ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStopFilled size={14} />}
            onClick={closeMicrophone}
          >
            {t('close')}
          </Button>
        ) : (
          <Button
            leftSection={<IconMicrophone size={16} />}
            loading={microphone.kind === 'opening'}
            onClick={() => open(deviceId)}
          >
            {t('open')}
          </Button>
        )}
      </PlaceHeader>
      <div className={classes.columns}>
        <section className={classes.stage} aria-label={t('head')}>
          <HeadViewer url={assetUrl('default', 'default-head')} />
        </section>
        <aside className={classes.panel} aria-label={t('microphone')}>
          <h2 className={classes.title}>{t('microphone')}</h2>
          <Select
            label={t('device')}
            value={deviceId}
            allowDeselect={false}
            data={[
              { value: '', label: t('defaultDevice') },
              ...named.map(({ deviceId: value, label }, index) => ({
                value,
                label: label || t('unnamed', { number: number(index + 1) }),
              })),
            ]}
            onChange={(id) => {
              setDeviceId(id ?? '');
              if (microphone.kind === 'open') open(id ?? '');
            }}
          />
          {microphone.kind === 'open' && (
            <>
              <LevelMeter onVoice={onVoice} />
              <p className={classes.rate}>
                {t('rate', {
                  kilohertz: number(microphone.sampleRate / 1000, 1),
                  channels: t('channels', { count: microphone.channels }),
                })}
              </p>
              <Callout tone={heard ? 'good' : 'info'}>{heard ? t('hearing') : t('waiting')}</Callout>
            </>
          )}
          {microphone.kind === 'opening' && <Callout tone="info">{t('opening')}</Callout>}
          {microphone.kind === 'closed' && (
            <Callout tone="info" title={t('idleTitle')}>
              {t('idleText')}
            </Callout>
          )}
          {microphone.kind === 'failed' && (
            <Callout tone="bad" title={words(`failures.${microphone.failure}.title`)}>
              {microphone.failure === 'unsupported'
                ? words('failures.unsupported.text', { reason: microphone.reason })
                : words(`failures.${microphone.failure}.text`)}
            </Callout>
          )}
          <p className={classes.note}>{t('notYet')}</p>
        </aside>
      </div>
    </>
  );
}
