import { NumberInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { TimelineState } from '../timeline/timeline-state.ts';

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

/** A moment of the recording, shown and typed as the take plays: what is cut takes no time. */
export function TimeCell(
  props: Omit<ComponentProps<typeof NumberCell>, 'step' | 'least' | 'most'> & {
    timeline: TimelineState;
    least?: number;
    most?: number;
  },
) {
  const { timeline, value, least = 0, most = timeline.seconds, onSet, ...rest } = props;
  const { toPlayed, toRecorded } = timeline.map.use();
  return (
    <NumberCell
      {...rest}
      step={1 / timeline.frameRate}
      value={toPlayed(value)}
      least={toPlayed(least)}
      most={toPlayed(most)}
      onSet={(at) => onSet(toRecorded(at))}
    />
  );
}
