import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A day, typed as `2026-03-01` in every language: a browser's own field has the order of days and months of the
 * system, whatever language the studio speaks. The calendar is the browser's.
 *
 * @param value - Empty for none.
 * @param onChange - Told of whole days, and of an empty field.
 */
export function DayField(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
    value: string;
    min?: string;
    max?: string;
    onChange: (day: string) => void;
  },
) {
  const { value, min, max, onChange, onBlur, ...rest } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const [last, setLast] = useState(value);
  const calendar = useRef<HTMLInputElement>(null);
  if (value !== last) {
    setLast(value);
    setText(value);
  }
  const take = (typed: string): void => {
    setText(typed);
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed));
    if (typed === '' || isDay) onChange(typed);
  };
  return (
    <TextInput
      {...rest}
      value={text}
      placeholder={t('day')}
      inputMode="numeric"
      maxLength={10}
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
      onBlur={(event) => {
        setText(value);
        onBlur?.(event);
      }}
    />
  );
}
