import type { ReactNode } from 'react';
import classes from './Field.module.css';

/** A control with its name and its value as a person reads it. */
export function Field(props: { label: string; value?: string; note?: string; children: ReactNode }) {
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <span>{props.label}</span>
        <span className={classes.value}>{props.value}</span>
      </div>
      {props.children}
      {props.note && <p className={classes.note}>{props.note}</p>}
    </div>
  );
}
