import { VisuallyHidden } from '@mantine/core';
import classes from './StateDot.module.css';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

/** A state as a shape and a colour (never the colour alone); the words beside it, or `label`, say it. */
export function StateDot({ tone, label }: { tone: Tone; label?: string }) {
  return (
    <>
      <span className={classes.dot} data-tone={tone} aria-hidden="true" />
      {label && <VisuallyHidden>{label}</VisuallyHidden>}
    </>
  );
}
