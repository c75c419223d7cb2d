import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import classes from './WordLanes.module.css';

/** The chosen word in plain text, with its times to type. */
export function WordFields(props: {
  word: AlignedWord;
  onTimes: (times: { start: number; end: number }) => void;
}) {
  const { t } = useTranslation('takes');
  const { seconds, percent } = useFigures();
  const { word, onTimes } = props;
  const [times, setTimes] = useState({ start: rounded(word.start), end: rounded(word.end) });
  const isMoved = times.start !== rounded(word.start) || times.end !== rounded(word.end);
  const save = (): void => {
    if (isMoved && times.start < times.end) onTimes(times);
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
