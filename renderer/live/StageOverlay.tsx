import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../base/text/number-format.ts';
import classes from './Live.module.css';
import { serverShare, useReport } from './live-session.ts';
import { useLiveSettings } from './live-settings.ts';
import { useKeyName } from './panels/KeyHint.tsx';
import { useSound } from './sound-source.ts';

/** Overlay while speaking: recording, the source of the face, and a muted microphone. */
export function StageOverlay(props: { running: boolean; wasHidden: boolean; pushed: boolean }) {
  const { running, wasHidden, pushed } = props;
  const { t } = useTranslation('live');
  const { number, money } = useFigures();
  const { pushToTalk, keys } = useLiveSettings();
  const keyName = useKeyName();
  const isHeard = useSound().kind === 'open';
  const [started, setStarted] = useState<{ id: string; at: number } | null>(null);
  const [blended, setBlended] = useState(0);
  const recording = useReport((report) => report.recording) ?? '';
  const seconds = useReport((report) => (report.recording ? Math.floor(report.seconds) : 0)) ?? 0;
  const server = useReport((report) => report.server) ?? 'none';
  const cost = useReport((report) => report.cost) ?? 0;
  const currency = useReport((report) => report.currency) ?? '';
  if (recording !== (started?.id ?? '')) setStarted(recording ? { id: recording, at: seconds } : null);
  useEffect(() => {
    const timer = setInterval(() => setBlended(serverShare()), 400);
    return () => clearInterval(timer);
  }, []);
  const recorded = started ? Math.max(0, seconds - started.at) : 0;
  return (
    <div className={classes.overlay}>
      {recording && (
        <span className={classes.badge} data-tone="record">
          <IconPlayerRecordFilled size={11} aria-hidden />{' '}
          {t('record.running', { seconds: number(recorded, 0) })}
        </span>
      )}
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
      {running && isHeard && pushToTalk && (
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
