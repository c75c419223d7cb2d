import { NumberInput } from '@mantine/core';
import { useState } from 'react';

/** A number of a table, kept when it is left or at Enter. */
export function NumberCell(props: {
  label: string;
  value: number;
  digits: number;
  step: number;
  least: number;
  most: number;
  onSet: (value: number) => void;
}) {
  const { label, value, digits, step, least, most, onSet } = props;
  const [draft, setDraft] = useState<number | null>(null);
  const save = (): void => {
    if (draft !== null && Math.abs(draft - value) > 10 ** -digits / 2)
      onSet(Math.max(least, Math.min(most, draft)));
    setDraft(null);
  };
  return (
    <NumberInput
      aria-label={label}
      hideControls
      min={least}
      max={most}
      step={step}
      decimalScale={digits}
      value={draft ?? Number(value.toFixed(digits))}
      onChange={(typed) => {
        const next = typed === '' ? Number.NaN : Number(typed);
        if (Number.isFinite(next)) setDraft(next);
      }}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}
