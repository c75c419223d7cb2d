import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';

/** The one bar of a place: its name, what it holds now, and what can be done with it. */
export function PageHeader({
  back,
  title,
  note,
  children,
}: {
  /** The way back, before the name. */
  back?: ReactNode;
  title: string;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className={classes.header}>
      {back}
      <h1 className={classes.title}>{title}</h1>
      {note && <div className={classes.note}>{note}</div>}
      <div className={classes.actions}>{children}</div>
    </header>
  );
}
