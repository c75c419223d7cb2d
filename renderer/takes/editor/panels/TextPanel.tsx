import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { contactsOf } from '@likeness/proto/takes/closures.ts';
import { expressionNames } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import { Button, UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../base/text/number-format.ts';
import { downloadBlob } from '../../../ui/download.ts';
import { closeLips } from '../edits/close-lips.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { EditedPreview } from '../edits/edited-preview.ts';
import { cutRanges } from '../edits/take-pieces.ts';
import { useOverdubs } from '../overdub/take-overdubs.ts';
import { clockTime } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import classes from './panels.module.css';
import { changedRegions, type TextEvent, takeText } from './take-text.ts';

/** Lines that are shown at once: those of what is seen. */
const maxLines = 120;

/** The take in plain words: to read, to search, and for screen readers. */
export function TextPanel(props: {
  /** The take's id, and its name. */
  take: string;
  name: string;
  session: EditSession;
  shaped: EditedPreview;
  alignment: SpeechAlignment | null | undefined;
  timeline: TimelineState;
  goTo: (at: number) => void;
}) {
  const { t } = useTranslation('takes');
  const { take, name, session, shaped, alignment, timeline, goTo } = props;
  const edits = session.shown.use();
  const version = shaped.settled.use();
  timeline.window.use();
  const { toPlayed } = timeline.map.use();
  const isSeen = (at: number): boolean => {
    const share = timeline.shareOf(at);
    return share >= 0 && share <= 1;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: frames are changed in place, and the number says so
  const events = useMemo(
    () =>
      takeText(
        shaped.face,
        contactsOf(shaped.face),
        alignment,
        edits,
        cutRanges(edits.pieces, timeline.seconds),
      ),
    [shaped, version, alignment, edits, timeline],
  );
  const sentence = useEventSentence(take, toPlayed);
  const seen = events.filter(({ time }) => isSeen(time));
  const regions = changedRegions(edits);
  const save = (): void =>
    downloadBlob(
      `${name}.txt`,
      new Blob([`${events.map(sentence).join('\n')}\n`], { type: 'text/plain;charset=utf-8' }),
    );
  return (
    <div className={classes.panel}>
      <div className={classes.heading}>
        <h2 className={classes.title}>{t('editor.text.title', { count: events.length })}</h2>
        <Button variant="default" onClick={save}>
          {t('editor.text.save')}
        </Button>
      </div>
      {regions.length > 0 && (
        <p className={classes.quiet}>
          {t('editor.text.regions', {
            regions: regions.map((region) => t(`editor.regions.${region}`)).join(', '),
          })}
        </p>
      )}
      <p className={classes.quiet}>{t('editor.text.seen', { count: seen.length })}</p>
      <ol className={classes.lines} aria-label={t('editor.text.list')}>
        {seen.slice(0, maxLines).map((event, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that is only shown
          <li key={`${event.time} ${event.kind} ${at}`} className={classes.lineWithButton}>
            <UnstyledButton className={classes.line} onClick={() => goTo(event.time)}>
              {sentence(event)}
            </UnstyledButton>
            {event.kind === 'open' && (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={t('editor.text.closeLipsAt', { time: clockTime(toPlayed(event.time), 1) })}
                onClick={() => session.apply(...closeLips(shaped.face, { start: event.time, end: event.to }))}
              >
                {t('editor.text.closeLips')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** `0:03.2 p: lips shut 60 ms` */
function useEventSentence(
  take: string,
  toPlayed: (recorded: number) => number,
): (event: TextEvent) => string {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const { data: overdubs = [] } = useOverdubs(take);
  return (event) => {
    const at = clockTime(toPlayed(event.time), 1);
    switch (event.kind) {
      case 'word':
        return `${at} “${event.text}”`;
      case 'lips':
        return `${at} ${event.phone ? `${event.phone}: ` : ''}${t('editor.text.lips', { ms: event.ms })}`;
      case 'open':
        return `${at} ${event.phone}: ${t('editor.text.open')}`;
      case 'lids':
        return `${at} ${t('editor.text.lids', { ms: event.ms })}`;
      case 'marker':
        return `${at} ${t('editor.text.marker', { note: event.text })}`;
      case 'drawn':
        return `${at} ${t('editor.text.drawn', { channel: event.text, to: clockTime(toPlayed(event.to), 1) })}`;
      case 'expression': {
        const preset = expressionNames.includes(event.text)
          ? t(`editor.expressions.${event.text as 'joy'}`)
          : event.text;
        return `${at} ${preset} ${figures.percent(event.share)}`;
      }
      case 'gaze':
        return `${at} ${t('editor.text.gaze', { yaw: event.yaw, pitch: event.pitch })}`;
      case 'try': {
        const regions = event.regions.map((region) => t(`editor.regions.${region}`)).join(', ');
        const tried = overdubs.find(({ id }) => id === event.text)?.name ?? t('editor.overdub.gone');
        return `${at} ${t('editor.text.try', { regions, name: tried, to: clockTime(toPlayed(event.to), 1) })}`;
      }
      case 'blink':
        return `${at} ${t('editor.text.blink')}`;
      case 'cut':
        return `${at} ${t('editor.text.cut', { to: clockTime(toPlayed(event.to), 1) })}`;
      case 'speed':
        return `${at} ${t('editor.text.speed', { to: clockTime(toPlayed(event.to), 1), speed: event.speed })}`;
    }
  };
}
