import type { ReactNode } from 'react';
import classes from './BoardPane.module.css';

/** A part of the pane, with its title. */
export function PanePart({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.part} aria-label={title}>
      <h2>
        {title}
        {aside && <span>{aside}</span>}
      </h2>
      {children}
    </section>
  );
}
