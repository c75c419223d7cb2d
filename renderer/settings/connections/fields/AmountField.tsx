import { NumberInput } from '@mantine/core';
import classes from '../Editor.module.css';

/** A number that may be empty while it is typed; empty means null. */
export function AmountField(props: {
  label: string;
  description?: string;
  placeholder?: string;
  unit?: string;
  whole?: boolean;
  value: number | null;
  error: string | undefined;
  'data-field': string;
  onChange: (value: number | null) => void;
}) {
  const { unit, whole, value, onChange, ...rest } = props;
  return (
    <NumberInput
      {...rest}
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : next === '' ? null : Number(next))}
      allowDecimal={!whole}
      allowNegative={false}
      decimalScale={6}
      hideControls
      suffix={unit ? ` ${unit}` : ''}
      className={classes.number}
    />
  );
}
