import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';

/** The one bar of a place: its name, what it holds now, and what can be done with it. */
export function PageHeader({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className={classes.header}>
      <h1 className={classes.title}>{title}</h1>
      {note && <div className={classes.note}>{note}</div>}
      <div className={classes.actions}>{children}</div>
    </header>
  );
}
