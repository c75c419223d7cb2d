import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** Placeholder of an empty page: its future content, and the first step. */
export function EmptyState(props: { icon: ReactNode; title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <div className={classes.icon}>{props.icon}</div>
      <h2 className={classes.title}>{props.title}</h2>
      {props.text && <p className={classes.text}>{props.text}</p>}
      {props.children && <div className={classes.actions}>{props.children}</div>}
    </div>
  );
}
