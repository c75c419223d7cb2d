import { Button } from '@mantine/core';
import { IconPlayerRecordFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, offer } from '../base/notices.tsx';
import { go } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import classes from './Live.module.css';
import { startRecording, stopRecording, useReport } from './live-session.ts';
import { useLiveSettings } from './live-settings.ts';
import { KeyHint } from './panels/KeyHint.tsx';
import { useLiveKey } from './use-live-key.ts';

/** Milliseconds between the numbers of the countdown. */
const beat = 800;

/** The name with the number after the highest that a take has; 1 where none is numbered. */
function nextName(names: readonly string[], numbered: (number: string) => string): string {
  const pattern = new RegExp(`^${numbered('(\\d+)')}$`);
  const last = Math.max(0, ...names.map((name) => Number(pattern.exec(name)?.[1] ?? 0)));
  return numbered(String(last + 1));
}

export function RecordButton() {
  const { t } = useTranslation('live');
  const { countdown, modelId } = useLiveSettings();
  const [count, setCount] = useState(0);
  const announced = useRef('');
  const isOpen = useReport(() => true) ?? false;
  const recording = useReport((report) => report.recording !== '') ?? false;
  const recorded = useReport((report) => report.recorded) ?? '';
  const begin = useCallback(
    () =>
      attempt(async () => {
        const names = (await studio.takes.list()).map(({ name }) => name);
        startRecording({
          name: nextName(names, (number) => t('record.name', { number })),
          notes: '',
          model: modelId,
        });
      }),
    [t, modelId],
  );

  useEffect(() => {
    if (count === 0) return;
    const timer = setTimeout(() => {
      if (count === 1) begin();
      setCount(count - 1);
    }, beat);
    return () => clearTimeout(timer);
  }, [count, begin]);
  useEffect(() => {
    if (recorded === '' || recorded === announced.current) return;
    announced.current = recorded;
    offer(
      { level: 'success', title: t('record.doneTitle'), text: t('record.doneText') },
      t('record.doneGo'),
      () => go('takes', recorded),
    );
  }, [recorded, t]);
  const toggle = useCallback(() => {
    if (recording) stopRecording();
    else if (count > 0) setCount(0);
    else if (countdown) setCount(3);
    else begin();
  }, [recording, count, countdown, begin]);
  useLiveKey('record', recording ? 'live:record.stop' : 'live:record.start', isOpen ? toggle : null);
  return (
    <>
      <Button
        variant={recording ? 'filled' : 'default'}
        color="crimson"
        className={recording ? classes.recording! : ''}
        disabled={!isOpen}
        leftSection={
          recording ? (
            <IconPlayerStopFilled size={14} />
          ) : (
            <IconPlayerRecordFilled size={14} color="var(--lk-record)" />
          )
        }
        rightSection={<KeyHint action="record" />}
        onClick={toggle}
      >
        {recording ? t('record.stop') : count > 0 ? t('record.cancel') : t('record.start')}
      </Button>
      {count > 0 && (
        <div className={classes.count} role="status">
          {count}
        </div>
      )}
    </>
  );
}
