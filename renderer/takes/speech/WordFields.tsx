import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import type { TimelineState } from '../editor/timeline/timeline-state.ts';
import classes from './WordLanes.module.css';

/** The chosen word in plain text, with its times to type. */
export function WordFields(props: {
  word: AlignedWord;
  timeline: TimelineState;
  onTimes: (times: { start: number; end: number }) => void;
}) {
  const { t } = useTranslation('takes');
  const { seconds, percent } = useFigures();
  const { word, timeline, onTimes } = props;
  const { toPlayed, toRecorded } = timeline.map.use();
  /** As the take plays. */
  const played = { start: rounded(toPlayed(word.start)), end: rounded(toPlayed(word.end)) };
  const [times, setTimes] = useState(played);
  const isMoved = times.start !== played.start || times.end !== played.end;
  const save = (): void => {
    if (isMoved && times.start < times.end)
      onTimes({ start: toRecorded(times.start), end: toRecorded(times.end) });
  };
  const field = (side: 'start' | 'end') => (
    <NumberInput
      label={t(`speech.${side}`)}
      suffix=" s"
      step={0.01}
      min={0}
      decimalScale={3}
      value={times[side]}
      onChange={(value) => {
        // “0.70” comes as a text: as a number it would lose its last digit while one types.
        const typed = value === '' ? Number.NaN : Number(value);
        if (Number.isFinite(typed)) setTimes((now) => ({ ...now, [side]: typed }));
      }}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
      error={times.start >= times.end && side === 'end' ? t('speech.endsBeforeStart') : undefined}
    />
  );
  return (
    <div className={classes.fields}>
      {field('start')}
      {field('end')}
      <p className={classes.said}>
        {[
          ...(word.flag ? [] : [`“${word.text}”`]),
          word.phones.map(({ phone }) => phone).join(' '),
          word.flag
            ? t(`speech.expected.${word.flag}`, { word: word.text })
            : t('speech.sure', { share: percent(word.confidence), length: seconds(word.end - word.start) }),
          ...(word.pinned ? [t('speech.pinned')] : []),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

const rounded = (time: number): number => Math.round(time * 1000) / 1000;
