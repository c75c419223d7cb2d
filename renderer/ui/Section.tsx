import type { ReactNode } from 'react';
import classes from './Section.module.css';

/** A titled part of a long page: what it is about on the left, its fields on the right. */
export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.about}>
        <h2 className={classes.title}>{title}</h2>
        {note && <p className={classes.note}>{note}</p>}
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}
