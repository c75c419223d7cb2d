import { NumberInput, Slider } from '@mantine/core';
import { useState } from 'react';
import classes from './LayerPanel.module.css';

/** A number that slides and is typed. */
export function EditDial(props: {
  label: string;
  value: number;
  least: number;
  most: number;
  step: number;
  digits: number;
  suffix: string;
  /** While it slides. */
  onSlide: (value: number) => void;
  /** For good. */
  onSet: (value: number) => void;
}) {
  const { label, value, least, most, step, digits, suffix, onSlide, onSet } = props;
  /** The value while the user types or drags; null: the saved value. */
  const [draft, setDraft] = useState<number | null>(null);
  const shown = draft ?? value;
  const set = (next: number): void => {
    setDraft(null);
    onSet(Math.max(least, Math.min(most, next)));
  };
  const save = (): void => {
    if (draft !== null && draft !== value) set(draft);
    else setDraft(null);
  };
  return (
    <div className={classes.dial}>
      <span className={classes.dialName}>{label}</span>
      <Slider
        size="sm"
        thumbLabel={label}
        label={null}
        min={least}
        max={most}
        step={step}
        value={shown}
        onChange={(next) => {
          setDraft(next);
          onSlide(next);
        }}
        onChangeEnd={set}
      />
      <NumberInput
        aria-label={label}
        hideControls
        min={least}
        max={most}
        step={step}
        decimalScale={digits}
        suffix={suffix}
        value={Number(shown.toFixed(digits))}
        onChange={(typed) => {
          const next = typed === '' ? Number.NaN : Number(typed);
          if (Number.isFinite(next)) setDraft(next);
        }}
        onBlur={save}
        onKeyDown={({ key }) => {
          if (key === 'Enter') save();
        }}
      />
    </div>
  );
}
