import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../base/text/number-format.ts';

/**
 * A day in the format of the language, typed as `2026-03-01` in every language. A browser's own field uses
 * the system's order of day and month, whatever language the studio has. The calendar is the browser's.
 *
 * @param value - `2026-03-01`; empty for none.
 * @param onChange - Called with complete days, and for an empty field.
 */
export function DayField(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
    value: string;
    min?: string;
    max?: string;
    onChange: (day: string) => void;
  },
) {
  const { value, min, max, onChange, onBlur, onFocus, ...rest } = props;
  const { t } = useTranslation();
  const figures = useFigures();
  const [typing, setTyping] = useState(false);
  const [text, setText] = useState(value);
  const [last, setLast] = useState(value);
  const calendar = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // What was selected went when the day became what is typed.
  useLayoutEffect(() => {
    if (typing) field.current?.select();
  }, [typing]);
  if (value !== last) {
    setLast(value);
    setText(value);
  }
  const take = (typed: string): void => {
    setText(typed);
    const day = wholeDay(typed);
    if (day !== undefined) onChange(day);
  };
  return (
    <TextInput
      {...rest}
      ref={field}
      value={typing || value === '' ? text : figures.date(new Date(`${value}T12:00:00`).getTime())}
      placeholder={t('day')}
      inputMode="numeric"
      maxLength={11}
      rightSectionWidth={28}
      rightSection={
        <>
          <ActionIcon size={22} aria-label={t('calendar')} onClick={() => calendar.current?.showPicker()}>
            <IconCalendar size={14} />
          </ActionIcon>
          <input
            ref={calendar}
            type="date"
            tabIndex={-1}
            aria-hidden
            value={value}
            {...(min ? { min } : {})}
            {...(max ? { max } : {})}
            style={{ position: 'absolute', inset: 0, opacity: 0, pointerEvents: 'none' }}
            onChange={({ currentTarget }) => take(currentTarget.value)}
          />
        </>
      }
      onChange={({ currentTarget }) => take(currentTarget.value.trim())}
      onFocus={(event) => {
        setTyping(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setTyping(false);
        setText(value);
        onBlur?.(event);
      }}
    />
  );
}

/** What was typed as `2026-03-01`, with strokes, points or 年月日 between too; undefined while it is no day. */
function wholeDay(typed: string): string | undefined {
  if (typed === '') return '';
  const [, year = '', month = '', day = ''] =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(typed) ?? [];
  const whole = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${whole}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(whole) ? whole : undefined;
}
