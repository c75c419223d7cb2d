import classes from './StateMark.module.css';
import type { Mark } from './tile-appearance.ts';

/** The state of a tile as a shape and a colour; the words beside it say it. */
export const StateMark = ({ mark }: { mark: Mark }) => (
  <i className={classes.mark} data-mark={mark} aria-hidden="true" />
);
