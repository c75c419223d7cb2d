import { percentile } from '@likeness/proto/percentile.ts';
import { Button, Select, Slider, Switch } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../../base/actions.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { Callout } from '../../ui/Callout.tsx';
import classes from '../Live.module.css';
import { muted } from '../live-keys.ts';
import { useReport } from '../live-session.ts';
import { changeLive, useLiveSettings } from '../live-settings.ts';
import { blockMs } from '../sound-block.ts';
import { onBlock, useSound } from '../sound-source.ts';
import { Field } from './Field.tsx';
import { useKeyName } from './KeyHint.tsx';
import { LevelMeter } from './LevelMeter.tsx';
import { MicrophoneSelect } from './MicrophoneSelect.tsx';

/** Milliseconds of silence that the gate is set by. */
const calibration = 3000;
/** Duration of the message about a failed measurement, milliseconds. */
const remarkMs = 10_000;
/**
 * Root mean square, −36 dBFS: who measures more has heard somebody
 * speak, and a gate above it would silence him.
 */
const loudestRoom = 0.016;

/** Cost of the session so far. */
function Usage() {
  const { t } = useTranslation('live');
  const { money, seconds } = useFigures();
  const server = useReport((report) => report.server) ?? 'none';
  const currency = useReport((report) => report.currency) ?? '';
  const cost = useReport((report) => report.cost) ?? 0;
  const billed = useReport((report) => report.billedSeconds) ?? 0;
  if (server === 'none' || currency === '') return null;
  return (
    <p className={classes.note}>{t('usage', { seconds: seconds(billed), cost: money(cost, currency) })}</p>
  );
}

export function InputPanel(props: { onReopen: (from: 'microphone') => void; profileId: string }) {
  const { onReopen, profileId } = props;
  const { t } = useTranslation('live');
  const { t: tApp } = useTranslation('app');
  const { number } = useFigures();
  const keyName = useKeyName();
  const sound = useSound();
  const settings = useLiveSettings();
  const profiles = useProfiles();
  const [heard, setHeard] = useState(false);
  const onVoice = useCallback(() => setHeard(true), []);
  const isOpen = sound.kind === 'open';
  const isMuted = muted.use();
  /** A microphone is open, or was until it was unplugged: another one takes its place. */
  const listens =
    (isOpen && sound.from === 'microphone') || (sound.kind === 'failed' && sound.failure === 'lost');

  return (
    <>
      {sound.kind === 'closed' && (
        <Callout tone="info" title={t('idleTitle')}>
          {t('idleText')}
        </Callout>
      )}
      {sound.kind === 'opening' && (
        <Callout tone="info">{t(sound.from === 'file' ? 'openingFile' : 'opening')}</Callout>
      )}
      {isOpen && (
        <>
          <LevelMeter onVoice={onVoice} />
          <p className={classes.rate}>
            {sound.name && `${sound.name} · `}
            {t('rate', {
              kilohertz: number(sound.sampleRate / 1000, 1),
              channels: t('channelCount', { count: sound.channels }),
            })}
          </p>
          {sound.insteadOf && <Callout tone="warn">{t('insteadOf', { name: sound.insteadOf })}</Callout>}
          {!heard && sound.from === 'microphone' && !settings.pushToTalk && !isMuted && (
            <Callout tone="info">{t('waiting')}</Callout>
          )}
        </>
      )}
      <MicrophoneSelect
        onChange={() => {
          if (listens) onReopen('microphone');
        }}
      />
      <Select
        label={t('connection')}
        value={profileId}
        allowDeselect={false}
        disabled={isOpen}
        data={(profiles.data ?? []).map((profile) => ({
          value: profile.id,
          label: profileName(tApp, profile),
        }))}
        onChange={(id) => changeLive({ profileId: id ?? '' })}
      />
      <Usage />
      <Field label={t('sensitivity')} value={t('decibels', { value: number(settings.sensitivity) })}>
        <Slider
          thumbLabel={t('sensitivity')}
          min={-12}
          max={24}
          step={1}
          label={null}
          value={settings.sensitivity}
          onChange={(sensitivity) => changeLive({ sensitivity })}
        />
      </Field>
      <Gate isOpen={isOpen} />
      <Switch
        label={t('suppressNoise.label')}
        description={isOpen ? t('face.lookaheadLater') : t('suppressNoise.note')}
        checked={settings.suppressNoise}
        onChange={({ currentTarget: { checked } }) => changeLive({ suppressNoise: checked })}
      />
      <Switch
        label={t('push.label')}
        description={t('push.note', { key: keyName(settings.keys.talk) })}
        checked={settings.pushToTalk}
        onChange={({ currentTarget }) => {
          changeLive({ pushToTalk: currentTarget.checked });
          // Else the first Space would switch it off again.
          currentTarget.blur();
        }}
      />
      <Field
        label={t('monitor.label')}
        value={t('face.percent', { value: number(settings.monitor * 100) })}
        note={t('monitor.note')}
      >
        <Slider
          thumbLabel={t('monitor.label')}
          min={0}
          max={1}
          step={0.05}
          label={null}
          value={settings.monitor}
          onChange={(monitor) => changeLive({ monitor })}
        />
      </Field>
      <Switch
        label={t('record.countdown')}
        checked={settings.countdown}
        onChange={({ currentTarget: { checked } }) => changeLive({ countdown: checked })}
      />
    </>
  );
}

/** The noise gate, and three seconds of silence that set it. */
function Gate({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation('live');
  const { number } = useFigures();
  const { gate, threshold } = useLiveSettings();
  const [until, setUntil] = useState<number | null>(null);
  const [left, setLeft] = useState(0);
  const [wasLoud, setWasLoud] = useState(false);
  const isRecording = useReport((report) => report.recording !== '') ?? false;
  if (wasLoud && isRecording) setWasLoud(false);
  // It holds for the measurement just made: not for what is done afterwards.
  useEffect(() => {
    if (!wasLoud) return;
    const timer = setTimeout(() => setWasLoud(false), remarkMs);
    return () => clearTimeout(timer);
  }, [wasLoud]);
  useEffect(() => {
    if (until === null) return;
    const levels: number[] = [];
    const end = onBlock(({ rms }) => {
      levels.push(rms);
    });
    const timer = setInterval(() => {
      setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
      if (Date.now() < until) return;
      setUntil(null);
      // The microphone went away meanwhile, which is told already: nothing was measured.
      if (levels.length < calibration / blockMs / 2) return;
      const floor = percentile(levels, 0.9);
      if (floor > loudestRoom) setWasLoud(true);
      // 6 dB above the loudest tenth of the room's own noise, and never below −66 dBFS.
      else changeLive({ gate: true, threshold: Math.max(0.0005, floor * 2) });
    }, 100);
    return () => {
      clearInterval(timer);
      end();
    };
  }, [until]);
  const measure = (): void => {
    setLeft(3);
    setWasLoud(false);
    setUntil(Date.now() + calibration);
  };
  useActions(
    'pages.live',
    [{ id: 'live.measureRoom', words: 'live:gate.calibrate', run: measure }],
    isOpen && until === null ? undefined : null,
  );
  const decibels = 20 * Math.log10(Math.max(threshold, 1e-5));
  return (
    <Field
      label={t('gate.label')}
      value={gate ? t('decibelsFull', { value: number(decibels) }) : t('gate.off')}
    >
      <Switch
        aria-label={t('gate.label')}
        checked={gate}
        label={t('gate.note')}
        onChange={({ currentTarget: { checked } }) => changeLive({ gate: checked })}
      />
      <Slider
        thumbLabel={t('gate.threshold')}
        min={-70}
        max={-20}
        step={1}
        label={null}
        mt={8}
        disabled={!gate}
        value={Math.round(decibels)}
        onChange={(value) => changeLive({ threshold: 10 ** (value / 20) })}
      />
      <Button variant="default" mt={8} disabled={!isOpen || until !== null} onClick={measure}>
        {until === null ? t('gate.calibrate') : t('gate.calibrating', { seconds: number(left) })}
      </Button>
      {wasLoud && isOpen && (
        <div className={classes.remark}>
          <Callout tone="warn" title={t('gate.notSilent')}>
            {t('gate.notSilentText')}
          </Callout>
        </div>
      )}
    </Field>
  );
}
