import type { DrawnStretch } from '@likeness/proto/takes/edits/take_edits.ts';
import { Button, Select } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { copiedCurve, copyCurve, curvePoints, pasteCurve } from '../edits/curve-clipboard.ts';
import { constantValue, keyAdded, madeOfKeys } from '../edits/drawn-keys.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { EditedPreview } from '../edits/edited-preview.ts';
import { curveValue, headTurns } from '../timeline/take-curves.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { KeyTable } from './KeyTable.tsx';
import classes from './panels.module.css';

/** One of the channels, drawn by hand: all that a drag does, by buttons and typed. */
export function CurvePanel(props: {
  session: EditSession;
  timeline: TimelineState;
  shaped: EditedPreview;
  now: () => number;
}) {
  const { t } = useTranslation('takes');
  const { session, timeline, shaped, now } = props;
  const channel = timeline.channel.use();
  const selection = timeline.selection.use();
  const { drawn } = session.shown.use();
  const clip = copiedCurve.use();
  const isPencil = timeline.pencil.use();
  const { curves, times } = shaped.curves;
  const names = curves.map(({ name }) => name).filter((name) => !headTurns.some((turn) => turn === name));
  const curve = curves.find(({ name }) => name === channel);
  const stretches: readonly DrawnStretch[] = (channel && drawn[channel]) || [];
  const choose = (name: string | null): void => {
    timeline.channel.set(name);
    timeline.search.set('');
    const found = curves.find((each) => each.name === name);
    if (found) timeline.openRegions.set(new Set([...timeline.openRegions.get(), found.region]));
  };
  const value = (at: number): number => (curve ? curveValue(curve, times, at) : 0);
  const points = (range: TimeRange): { time: number; value: number }[] =>
    curve ? curvePoints(curve, times, range) : [];
  const make = (operation: ReturnType<typeof madeOfKeys>): void => {
    if (operation) session.apply(operation);
  };
  return (
    <div className={classes.panel}>
      <Select
        size="xs"
        searchable
        clearable
        label={t('editor.curve.channel')}
        data={names}
        value={channel}
        onChange={choose}
        nothingFoundMessage={t('editor.curve.noChannel')}
      />
      {!channel && <p className={classes.quiet}>{t('editor.curve.choose')}</p>}
      {channel && (
        <>
          <div className={classes.buttons}>
            <Button
              variant={isPencil ? 'filled' : 'default'}
              aria-pressed={isPencil}
              aria-label={t('editor.curve.pencil')}
              title={t('editor.curve.pencil')}
              onClick={() => timeline.pencil.set(!isPencil)}
            >
              <IconPencil size={15} />
            </Button>
            <Button
              variant="default"
              onClick={() =>
                make(
                  keyAdded(channel, stretches, { time: now(), value: value(now()) }, value, timeline.seconds),
                )
              }
            >
              {t('editor.curve.addKey')}
            </Button>
            <Button
              variant="default"
              disabled={!selection}
              onClick={() => selection && make(madeOfKeys(channel, points(selection)))}
            >
              {t('editor.curve.toKeys')}
            </Button>
            <Button
              variant="default"
              disabled={!selection}
              onClick={() => selection && make(constantValue(channel, selection, value(selection.from)))}
            >
              {t('editor.curve.constant')}
            </Button>
            <Button variant="default" disabled={!selection} onClick={() => copyCurve(shaped, timeline)}>
              {t('editor.curve.copy')}
            </Button>
            <Button variant="default" disabled={!clip} onClick={() => pasteCurve(session, timeline, now())}>
              {t('editor.curve.paste')}
            </Button>
            <Button
              variant="default"
              disabled={stretches.length === 0}
              onClick={() =>
                session.apply({
                  kind: 'reset',
                  channels: [channel],
                  ...(selection ?? { from: 0, to: timeline.seconds }),
                })
              }
            >
              {selection ? t('editor.curve.reset') : t('editor.curve.resetAll')}
            </Button>
          </div>
          {!selection && <p className={classes.quiet}>{t('editor.curve.needsSelection')}</p>}
          <KeyTable channel={channel} stretches={stretches} session={session} timeline={timeline} />
        </>
      )}
    </div>
  );
}
