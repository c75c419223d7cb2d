import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../base/text/number-format.ts';
import { useReceiverCount } from '../send/send-state.ts';
import classes from './Live.module.css';
import { muted } from './live-keys.ts';
import { serverShare, useReport } from './live-session.ts';
import { useLiveSettings } from './live-settings.ts';
import { useKeyName } from './panels/KeyHint.tsx';
import { useSound } from './sound-source.ts';

/** Overlay while speaking: whether the face is recorded or sent, its source, and a silent microphone. */
export function StageOverlay(props: { running: boolean; wasHidden: boolean; pushed: boolean }) {
  const { running, wasHidden, pushed } = props;
  const { t } = useTranslation('live');
  const { money } = useFigures();
  const { pushToTalk, keys } = useLiveSettings();
  const keyName = useKeyName();
  const isMuted = muted.use();
  const isHeard = useSound().kind === 'open';
  const [blended, setBlended] = useState(0);
  const server = useReport((report) => report.server) ?? 'none';
  const cost = useReport((report) => report.cost) ?? 0;
  const currency = useReport((report) => report.currency) ?? '';
  useEffect(() => {
    const timer = setInterval(() => setBlended(serverShare()), 400);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={classes.overlay}>
      <OnAirLamp running={running} />
      {server !== 'none' && (
        <span
          className={classes.badge}
          data-tone={server === 'live' ? 'good' : server === 'waiting' ? 'info' : 'warn'}
          role="status"
        >
          {t(`server.${server}`)}
          {blended > 0.5 ? ` · ${t('server.shown')}` : ` · ${t('server.local')}`}
        </span>
      )}
      {cost > 0 && <span className={classes.badge}>{money(cost, currency)}</span>}
      {running && isHeard && isMuted && (
        <span className={classes.badge} data-tone="warn" role="status">
          {t('mute.on')}
        </span>
      )}
      {running && isHeard && pushToTalk && !isMuted && (
        <span className={classes.badge} data-tone={pushed ? 'good' : 'info'} role="status">
          {pushed ? t('push.on') : t('push.off', { key: keyName(keys.talk) })}
        </span>
      )}
      {wasHidden && running && (
        <span className={classes.badge} data-tone="info" role="status">
          {t('wasHidden')}
        </span>
      )}
    </div>
  );
}

/** Lit while the face is recorded or sent; with the length of the recording. */
function OnAirLamp({ running }: { running: boolean }) {
  const { t } = useTranslation('live');
  const { number } = useFigures();
  const receivers = useReceiverCount();
  const [started, setStarted] = useState<{ id: string; at: number } | null>(null);
  const recording = useReport((report) => report.recording) ?? '';
  const seconds = useReport((report) => (report.recording ? Math.floor(report.seconds) : 0)) ?? 0;
  if (recording !== (started?.id ?? '')) setStarted(recording ? { id: recording, at: seconds } : null);
  const recorded = started ? Math.max(0, seconds - started.at) : 0;
  const isOnAir = recording !== '' || receivers > 0;
  if (!running && !isOnAir) return null;
  return (
    <span className={classes.badge} data-tone={isOnAir ? 'record' : 'off'}>
      <IconPlayerRecordFilled size={11} aria-hidden />
      <span role="status">{isOnAir ? t('onAir.on') : t('onAir.off')}</span>
      {recording && ` · ${t('record.running', { seconds: number(recorded, 0) })}`}
    </span>
  );
}
